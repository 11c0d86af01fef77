// The handlers of traceability.
import type { traceabilityOperations } from '../../operations/traceability/operations.ts'
import type { HandlersOf } from '../base/handler.ts'
import { readCompleteness } from './completeness.ts'
import { listDifferences } from './differences.ts'
import { exemptPlaceHandlers } from './exempt-places.ts'
import { exportEpcis } from './export-epcis.ts'
import { fdaHandlers } from './export-fda.ts'
import { countFdaLines } from './fda-selection.ts'
import { gapCauseHandlers } from './gap-causes.ts'
import { listGaps } from './gaps.ts'
import { sourceAddressHandlers } from './source-addresses.ts'
import { traceChain } from './trace-chain.ts'
import { traceFood } from './trace-food.ts'
import { traceLot } from './trace-lot.ts'
import { planHandlers } from './traceability-plan.ts'
import { unitConversionHandlers } from './unit-conversions.ts'

export const traceabilityHandlers: HandlersOf<typeof traceabilityOperations> = {
  traceLot,
  traceChain,
  traceFood,
  ...fdaHandlers,
  countFdaLines,
  ...planHandlers,
  readCompleteness,
  listGaps,
  ...gapCauseHandlers,
  listDifferences,
  ...unitConversionHandlers,
  ...exemptPlaceHandlers,
  ...sourceAddressHandlers,
  exportEpcis,
}
