// Events of a lot, as a trace is made from them: said in a few words, with all else as it mostly
// is.

import { runSteps } from '../../src/steps.ts'
import type { LotEvent, LotLine } from '../../src/tracing/lot-event.ts'
import { readLotQuery } from '../../src/tracing/lot-query.ts'
import { type TraceEnd, type TraceQuery, traceOf } from '../../src/tracing/trace.ts'
import { UnitConversions } from '../../src/tracing/unit-conversions.ts'

export const lotCode = 'GV26063-A'
export const cooler = { locationCode: 'COOLER', locationName: 'Green Valley Cooler', gln: '0614141000012' }
export const wholesaler = { locationCode: 'OAK', locationName: 'Pacific Fresh Oakland', gln: '0850012000013' }
export const center = { locationCode: 'DC-07', locationName: 'Distribution Center 7', gln: '0960034000073' }
export const store = { locationCode: '00114', locationName: 'Store 114', gln: '0960034011413' }

type Place = LotEvent['shipFrom'] & { readonly locationCode: string }

interface Told {
  readonly day?: number
  readonly hour?: number
  readonly vendor?: string
  readonly vendorName?: string
  /** Undefined takes a field away. */
  readonly lines?: readonly { readonly [K in keyof LotLine['line']]?: LotLine['line'][K] | undefined }[]
  readonly product?: LotLine['product']
}

let count = 0

/** From one place to another on a day of March 2026, one line of 10 cases unless told otherwise. */
export function went(
  from: Place,
  to: Place,
  { day = 4, hour = 9, vendor = 'V-1', vendorName, lines = [{}], product }: Told = {},
): LotEvent {
  const two = (n: number) => String(n).padStart(2, '0')
  return {
    id: `00000000-0000-7000-8000-${String(++count).padStart(12, '0')}`,
    version: 1,
    event: {
      dataProviderVendorId: vendor,
      ...(vendorName !== undefined && { dataProviderVendorName: vendorName }),
      purchaseOrderNumber: `PO-${count}`,
      eventDateTime: `2026-03-${two(day)}T${two(hour)}:00:00Z`,
      shipFromLocationCode: from.locationCode,
      shipToLocationCode: to.locationCode,
    },
    shipFrom: from,
    shipTo: to,
    lines: lines.map((line, index) => ({
      index,
      line: {
        vendorItemCode: 'ROM-24',
        shipQuantity: 10,
        shipQuantityUom: 'case',
        caseLotNumber: lotCode,
        tlcSourceReferenceGln: cooler.gln,
        ...line,
      } as LotLine['line'],
      product,
    })),
    alike: [],
    nearCodes: [],
  }
}

/** A trace that asks for nothing special, step by step. */
export function tracedInSteps(
  events: readonly LotEvent[],
  ask: Partial<TraceQuery> = {},
  text = lotCode,
  shipped: readonly LotEvent[] = [],
) {
  const read = readLotQuery(text, undefined)
  if (read === undefined) throw new Error('The lot code contradicts itself.')
  const conversions = new UnitConversions([])
  const asked = {
    conversions,
    tlcSource: undefined,
    period: undefined,
    leftOut: undefined,
    moreAlike: false,
    earlier: [],
  }
  return traceOf({ ...read, ...asked, today: '2026-06-30', ...ask }, events, shipped)
}

/** Its end. */
export const endOf = (...asked: Parameters<typeof tracedInSteps>): TraceEnd => runSteps(tracedInSteps(...asked))

/** The trace, where there has to be one. */
export function traced(...asked: Parameters<typeof tracedInSteps>) {
  const end = endOf(...asked)
  if (!('trace' in end)) throw new Error(`There is no trace: ${JSON.stringify(end)}`)
  return end.trace
}

/** With shipping events as well. */
export const tracedWith = (shipped: readonly LotEvent[], events: readonly LotEvent[], ask: Partial<TraceQuery> = {}) =>
  traced(events, ask, lotCode, shipped)
