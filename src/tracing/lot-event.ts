// What a trace is made from: events, each with the lines that carry the lot code or one that reads
// alike, and nothing of its other lines.
import type { Location } from '../contract/location.ts'
import type { MasterProduct } from '../contract/product.ts'
import type { ProductLine } from '../contract/product-line.ts'
import type { Loose } from '../contract/read-shape.ts'
import type { ReceivingEvent } from '../contract/receiving-event.ts'

export interface LotEvent {
  readonly id: string
  readonly version: number
  readonly event: Omit<ReceivingEvent, 'productList'>
  /** The two places as the event's own list and the master data in force describe them. */
  readonly shipFrom: Loose<Location>
  readonly shipTo: Loose<Location>
  readonly lines: readonly LotLine[]
  /** Lines whose lot code reads like the one looked for and is another (decision 0049). */
  readonly alike: readonly LotLine[]
  /** Lot codes of its other lines that are the one looked for when letters are taken for digits. */
  readonly nearCodes: readonly string[]
}

export interface LotLine {
  /** Place in `productList`, from 0. */
  readonly index: number
  readonly line: ProductLine
  /** The item as the event's own list and master data describe it; undefined where neither does. */
  readonly product: Loose<MasterProduct> | undefined
}
