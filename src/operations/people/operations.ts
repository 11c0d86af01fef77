// The operations of people and keys.
import { keyOperations } from './keys.ts'
import { sessionOperations } from './sessions.ts'

export const peopleOperations = { ...sessionOperations, ...keyOperations } as const
