// Lines whose lot code reads like the one asked for. They are listed separately, since they may or
// may not be of the lot (decision 0049).
import { descriptionOf } from '../contract/line-item.ts'
import { isGiven } from '../contract/shape/field.ts'
import { pluralize } from '../contract/text/pluralize.ts'
import { groupsOf } from '../groups.ts'
import { mapInSteps, runSteps, type Steps } from '../steps.ts'
import { gtinOf } from './items.ts'
import type { LotEvent, LotLine } from './lot-event.ts'
import { type ReadAlikeLine, readAlikeLinesMax } from './lot-trace.ts'
import type { Notes } from './notes.ts'
import { sourceLabel, sourcesOf } from './sources.ts'
import { listSome } from './wording.ts'

export interface ReadAlike {
  readonly lines: readonly ReadAlikeLine[]
  readonly count: number
}

/**
 * Expects events of both kinds, in order. `more` means that there are further ones.
 */
export function* readAlikeOf(
  received: readonly LotEvent[],
  shipped: readonly LotEvent[],
  more: boolean,
  notes: Notes,
): Steps<ReadAlike> {
  const found = [
    ...received.flatMap((event) => event.alike.map((line) => ({ record: 'receivingEvent' as const, event, line }))),
    ...shipped.flatMap((event) => event.alike.map((line) => ({ record: 'shippingEvent' as const, event, line }))),
  ]
  if (found.length > 0) {
    const codes = groupsOf(found, ({ line }) => line.line.caseLotNumber ?? '')
    notes.add('readAlike', {
      message: `${more ? 'At least ' : ''}${pluralize(found.length, 'line')} ${found.length === 1 ? 'has a lot code that reads' : 'have lot codes that read'} alike and ${found.length === 1 ? 'is' : 'are'} not in this trace: ${listSome([...codes].map(([lotCode, own]) => `${JSON.stringify(lotCode)} on ${pluralize(own.length, 'line')}`))}.`,
      remedy:
        'Ask the sender whether it is the same lot. If so, have the lot code corrected. Until then, trace each of these codes too.',
      events: found.map(({ event }) => event),
    })
  }
  return {
    lines: yield* mapInSteps(found.slice(0, readAlikeLinesMax), ({ record, event, line }) => ({
      record,
      ...readAlikeLine(event, line),
    })),
    count: found.length,
  }
}

function readAlikeLine({ id, version, event }: LotEvent, lotLine: LotLine): Omit<ReadAlikeLine, 'record'> {
  const { index, line, product } = lotLine
  const gtin = gtinOf(lotLine)
  const [source] = runSteps(sourcesOf([{ line, eventId: id }])).list
  const description = descriptionOf(line, product)
  return {
    id,
    version,
    pointer: `/eventList/productList/${index}`,
    lotCode: line.caseLotNumber ?? '',
    ...(gtin !== undefined && { gtin }),
    ...(source?.known && { source: sourceLabel(source) }),
    eventDateTime: event.eventDateTime,
    dataProviderVendorId: event.dataProviderVendorId,
    ...(isGiven(event.dataProviderVendorName) && { dataProviderVendorName: event.dataProviderVendorName }),
    ...(isGiven(event.purchaseOrderNumber) && { purchaseOrderNumber: event.purchaseOrderNumber }),
    shipFromLocationCode: event.shipFromLocationCode,
    shipToLocationCode: event.shipToLocationCode,
    vendorItemCode: line.vendorItemCode,
    ...(isGiven(description) && { itemDescription: description }),
    shipQuantity: line.shipQuantity,
    shipQuantityUom: line.shipQuantityUom,
  }
}
