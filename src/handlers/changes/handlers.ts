// The handlers of changes.
import type { changeOperations } from '../../operations/changes/operations.ts'
import type { HandlersOf } from '../base/handler.ts'
import { feedHandlers } from './changes.ts'
import { checkpointHandlers } from './checkpoints.ts'
import { webhookHandlers } from './webhooks.ts'

export const changeHandlers: HandlersOf<typeof changeOperations> = {
  ...feedHandlers,
  ...webhookHandlers,
  ...checkpointHandlers,
}
