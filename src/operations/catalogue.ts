// Every operation of the API. Routes, documents and tests are derived from this list.

import type { Operation } from './base/operation.ts'
import { readSettings } from './base/settings.ts'
import { changeOperations } from './changes/operations.ts'
import { correctionOperations } from './corrections/bulk-corrections.ts'
import { exchangeOperations } from './exchange/operations.ts'
import { keepingOperations } from './keeping/operations.ts'
import { listLimits } from './limits.ts'
import { peopleOperations } from './people/operations.ts'
import { recordOperations } from './records/operations.ts'
import { sharingOperations } from './sharing/operations.ts'
import { topics } from './topics.ts'
import { traceabilityOperations } from './traceability/operations.ts'
import { vendorOperations } from './vendors/operations.ts'

export const operations = {
  ...recordOperations,
  ...traceabilityOperations,
  ...exchangeOperations,
  ...sharingOperations,
  ...changeOperations,
  ...correctionOperations,
  ...vendorOperations,
  ...keepingOperations,
  ...peopleOperations,
  listLimits,
  readSettings,
} as const

export type OperationName = keyof typeof operations

const order = Object.keys(topics)

/** In the order in which they are shown: topic by topic. */
export const catalogue = Object.values<Operation>(operations).sort(
  (one, two) => order.indexOf(one.topic) - order.indexOf(two.topic),
)
