// The handlers of keeping records.
import type { keepingOperations } from '../../operations/keeping/operations.ts'
import type { HandlersOf } from '../base/handler.ts'
import { listAccessLog } from './access-log.ts'
import { legalHoldHandlers } from './legal-holds.ts'
import { mockRecallHandlers } from './mock-recalls.ts'

export const keepingHandlers: HandlersOf<typeof keepingOperations> = {
  ...legalHoldHandlers,
  ...mockRecallHandlers,
  listAccessLog,
}
