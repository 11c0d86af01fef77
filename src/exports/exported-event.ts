// What exports are made from: a stored event, and what is known of the places and products it
// names.
import type { Finding } from '../contract/finding.ts'
import type { Location } from '../contract/location.ts'
import type { ReceivingEventPayload } from '../contract/payloads.ts'
import type { MasterProduct } from '../contract/product.ts'
import type { Loose } from '../contract/read-shape.ts'

export interface ExportedEvent {
  readonly id: string
  readonly version: number
  readonly payload: ReceivingEventPayload
  /**
   * Of the ship-to location, where one is set: the date received is the date there (decision 0055).
   */
  readonly timeZone?: string | undefined
  /** By location code: what the event's own list says, completed with the master data in force. */
  readonly locations: ReadonlyMap<string, Loose<Location>>
  /** By vendor item code: the same of products. An item that is in neither is missing. */
  readonly products: ReadonlyMap<string, Loose<MasterProduct>>
  /**
   * Key data elements it lacks, judged with the master data in force when asked for; pointers are
   * into the record.
   */
  readonly gaps: readonly Finding[]
}
