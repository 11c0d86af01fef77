// The operations of traceability.
import { completenessOperations } from './completeness.ts'
import { listDifferences } from './differences.ts'
import { exemptPlaceOperations } from './exempt-places.ts'
import { exportEpcis } from './export-epcis.ts'
import { fdaOperations } from './export-fda.ts'
import { gapCauseOperations } from './gap-causes.ts'
import { sourceAddressOperations } from './source-addresses.ts'
import { traceChain } from './trace-chain.ts'
import { traceFood } from './trace-food.ts'
import { traceLot } from './trace-lot.ts'
import { planOperations } from './traceability-plan.ts'
import { unitConversionOperations } from './unit-conversions.ts'

export const traceabilityOperations = {
  traceLot,
  traceChain,
  traceFood,
  ...fdaOperations,
  ...planOperations,
  ...completenessOperations,
  ...gapCauseOperations,
  ...unitConversionOperations,
  ...exemptPlaceOperations,
  ...sourceAddressOperations,
  exportEpcis,
  listDifferences,
} as const
