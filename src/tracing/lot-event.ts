// The input of a trace: events, each with only the lines whose lot code is the one looked for or
// reads alike. And that of a chain: events with all lines that have lot codes.
import type { Location } from '../contract/location.ts'
import type { MasterProduct } from '../contract/product.ts'
import type { ProductLine } from '../contract/product-line.ts'
import type { ReceivingEvent } from '../contract/receiving-event.ts'
import type { EventKindName } from '../contract/record-kinds.ts'
import type { Loose } from '../contract/shape/read-shape.ts'
import type { ChainLine } from './chain-walk.ts'

export interface LotEvent {
  readonly id: string
  readonly version: number
  readonly event: Omit<ReceivingEvent, 'productList'>
  /** The two places, as the event's own list and the current master data describe them. */
  readonly shipFrom: Loose<Location>
  readonly shipTo: Loose<Location>
  readonly lines: readonly LotLine[]
  /** Lines with another lot code that reads like the one looked for (decision 0049). */
  readonly alike: readonly LotLine[]
  /** Lot codes of its other lines that equal the one looked for if letters are read as digits. */
  readonly nearCodes: readonly string[]
}

export interface LotLine {
  /** Place in `productList`, from 0. */
  readonly index: number
  readonly line: ProductLine
  /** The item as the event's own list and master data describe it; undefined where neither does. */
  readonly product: Loose<MasterProduct> | undefined
}

/** A location that an event names. */
export interface NamedPlace {
  readonly vendor: string
  readonly code: string
  readonly fields: Loose<Location>
}

/** An event as a chain shows it, with its lines that have lot codes. */
export interface ChainEvent {
  readonly id: string
  readonly version: number
  readonly kind: EventKindName
  readonly eventDateTime: string
  /** Milliseconds, and the date at the place. */
  readonly instant: number
  readonly date: string
  readonly dataProviderVendorId: string
  readonly dataProviderVendorName: string | undefined
  /** Where it took place; and the other end, of goods on their way. */
  readonly place: NamedPlace
  readonly other: NamedPlace | undefined
  readonly lines: readonly ChainLine[]
}
