// The input of exports: a stored event, completed with known facts about its places and products.

import type { Exemption } from '../contract/exempt-place.ts'
import type { Location } from '../contract/location.ts'
import type { AnyEventPayload, EventPayload } from '../contract/payloads.ts'
import type { MasterProduct } from '../contract/product.ts'
import type { DeliveryKindName, EventKindName } from '../contract/record-kinds.ts'
import type { Finding } from '../contract/shape/finding.ts'
import type { Loose } from '../contract/shape/read-shape.ts'

export interface ExportedEvent {
  readonly kind: DeliveryKindName
  readonly id: string
  readonly version: number
  readonly payload: EventPayload
  /**
   * Time zone of the place where it happened, where one is set: the ship-to location of a receipt,
   * the ship-from location of a shipment (decision 0055).
   */
  readonly timeZone?: string | undefined
  /** Of a receipt: why the rule does not apply to its source, if it does not. */
  readonly exemption?: Exemption | undefined
  /**
   * By location code: the event's own description, completed with current master data; and stored
   * locations that are sources of its lot codes.
   */
  readonly locations: ReadonlyMap<string, Loose<Location>>
  /** By vendor item code: the same for products. An item in neither is missing. */
  readonly products: ReadonlyMap<string, Loose<MasterProduct>>
  /**
   * Missing key data elements, judged with current master data on request; pointers are into the
   * record.
   */
  readonly gaps: () => readonly Finding[]
}

/** The same of any kind of event. */
export interface AnyExportedEvent extends Omit<ExportedEvent, 'kind' | 'payload'> {
  readonly kind: EventKindName
  readonly payload: AnyEventPayload
}

/** Events of a selection, in the order of the rows, a batch at a time. */
export type EventBatches = AsyncIterable<readonly AnyExportedEvent[]>
