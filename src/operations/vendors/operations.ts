// The operations of vendors.
import { alertOperations } from './alerts.ts'
import { readCompletenessHistory } from './completeness-history.ts'
import { scorecardOperations } from './scorecard.ts'
import { vendorTargetOperations } from './vendor-targets.ts'

export const vendorOperations = {
  readCompletenessHistory,
  ...scorecardOperations,
  ...vendorTargetOperations,
  ...alertOperations,
} as const
