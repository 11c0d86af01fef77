// The operations of changes.
import { feedOperations } from './changes.ts'
import { checkpointOperations } from './checkpoints.ts'
import { webhookOperations } from './webhooks.ts'

export const changeOperations = { ...feedOperations, ...webhookOperations, ...checkpointOperations } as const
