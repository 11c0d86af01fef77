// The input of exports: a stored event, with what is known of the places and products in it.
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
   * Time zone of the ship-to location, where one is set: it determines the date received (decision
   * 0055).
   */
  readonly timeZone?: string | undefined
  /** By location code: the event's own description, completed with current master data. */
  readonly locations: ReadonlyMap<string, Loose<Location>>
  /** By vendor item code: the same for products. An item in neither is missing. */
  readonly products: ReadonlyMap<string, Loose<MasterProduct>>
  /**
   * Missing key data elements, judged with current master data on request; pointers are into the
   * record.
   */
  readonly gaps: readonly Finding[]
}
