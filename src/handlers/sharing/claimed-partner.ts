// A partner whose copies this process has to itself.
import type { LocationTimeZone } from '../../store/records/location-time-zones.ts'
import type { SharingClaim, SharingPartner } from '../../store/sharing/shared-copies.ts'
import type { HandlerContext } from '../base/handler.ts'

export interface ClaimedPartner {
  readonly context: HandlerContext
  /** `assertHeld` throws once another process may have taken over. */
  readonly claimed: SharingClaim & { readonly assertHeld: () => void }
  readonly partner: SharingPartner
  /** The time of the database. */
  readonly now: () => Date
  /** Time zones of locations of the provider, as they were read last. */
  readonly timeZones: () => readonly LocationTimeZone[]
  readonly onWritten: (versions: number) => void
}
