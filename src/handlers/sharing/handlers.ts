// The handlers of sharing with partners.
import type { sharingOperations } from '../../operations/sharing/operations.ts'
import type { HandlersOf } from '../base/handler.ts'
import { displayNameHandlers } from './display-name.ts'
import { packageLinkHandlers } from './package-links.ts'
import { partnerHandlers } from './partners.ts'

export const sharingHandlers: HandlersOf<typeof sharingOperations> = {
  ...partnerHandlers,
  ...packageLinkHandlers,
  ...displayNameHandlers,
}
