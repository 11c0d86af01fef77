// The handlers of vendors.
import type { vendorOperations } from '../../operations/vendors/operations.ts'
import type { HandlersOf } from '../base/handler.ts'
import { alertHandlers } from './alerts.ts'
import { readCompletenessHistory } from './completeness-history.ts'
import { scorecardHandlers } from './scorecard.ts'
import { vendorTargetHandlers } from './vendor-targets.ts'

export const vendorHandlers: HandlersOf<typeof vendorOperations> = {
  ...vendorTargetHandlers,
  ...scorecardHandlers,
  readCompletenessHistory,
  ...alertHandlers,
}
