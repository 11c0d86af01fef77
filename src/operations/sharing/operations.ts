// The operations of sharing with partners.
import { packageLinkOperations } from './package-links.ts'
import { partnerOperations } from './partners.ts'

export const sharingOperations = { ...partnerOperations, ...packageLinkOperations } as const
