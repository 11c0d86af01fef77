// The input of a comparison: shipping and receiving events, with the compared fields of their
// lines.
import type { DocumentFields } from '../contract/reference-document.ts'

export interface DeliveryEvent {
  readonly side: 'shipped' | 'received'
  readonly id: string
  readonly vendor: string
  readonly vendorName: string | undefined
  /** When it was shipped or received, in milliseconds since 1970. */
  readonly instant: number
  /** The calendar date of that at its place, `yyyy-MM-dd`. */
  readonly date: string
  readonly shipFrom: DeliveryPlace
  readonly shipTo: DeliveryPlace
  readonly documents: DocumentFields
  readonly lines: readonly DeliveryLine[]
}

export interface DeliveryPlace {
  readonly code: string
  /** As the event's own list of locations has it. */
  readonly gln: string | undefined
}

export interface DeliveryLine {
  /** Place in `productList`, from 0. */
  readonly index: number
  readonly itemCode: string
  /** Of its cases, as 14 digits. */
  readonly caseGtin: string | undefined
  /** GTIN-14s of the line, of the item in the event's own list, and in the lot code. */
  readonly gtins: readonly string[]
  /** As read out of `caseLotNumber`; undefined where the line has none. */
  readonly lotCode: string | undefined
  readonly quantity: number
  readonly unit: string
  /** SSCC; undefined where the line has none. */
  readonly palletId: string | undefined
}
