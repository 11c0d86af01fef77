// The handlers of people and keys.
import type { peopleOperations } from '../../operations/people/operations.ts'
import type { HandlersOf } from '../base/handler.ts'
import { keyHandlers } from './keys.ts'
import { sessionHandlers } from './sessions.ts'

export const peopleHandlers: HandlersOf<typeof peopleOperations> = {
  ...sessionHandlers,
  ...keyHandlers,
}
