// Which of the reference documents of an event go into the two pairs of columns. Source: 21 CFR 1.1345(a)(8); decision 0029.
import type { ReceivingEvent } from '../../contract/receiving-event.ts'
import { said } from './places.ts'

export interface ReferenceDocument {
  readonly type: string
  readonly number: string
}

/** The rule in words, for those who read the spreadsheet. */
export const documentRule =
  'The first reference document is the bill of lading, else the advance ship notice, else the purchase order. The second is the purchase order, unless it is the first. An event that has all three keeps its advance ship notice in the record only.'

/** Up to two documents, by the rule above. */
export function documentsOf(event: ReceivingEvent): readonly ReferenceDocument[] {
  const of = (type: string, number: string | undefined) =>
    said(number) === undefined ? [] : [{ type, number: number ?? '' }]
  const [shipped] = [
    ...of('Bill of Lading (BOL)', event.billOfLadingNumber),
    ...of('Advance Shipping Notice (ASN)', event.asnNumber),
  ]
  return [...(shipped === undefined ? [] : [shipped]), ...of('Purchase Order (PO)', event.purchaseOrderNumber)]
}
