// The operations of keeping records.
import { listAccessLog } from './access-log.ts'
import { legalHoldOperations } from './legal-holds.ts'
import { mockRecallOperations } from './mock-recalls.ts'

export const keepingOperations = { ...legalHoldOperations, ...mockRecallOperations, listAccessLog } as const
