// The operations of sharing with partners.
import { displayNameOperations } from './display-name.ts'
import { packageLinkOperations } from './package-links.ts'
import { partnerOperations } from './partners.ts'

export const sharingOperations = { ...partnerOperations, ...packageLinkOperations, ...displayNameOperations } as const
