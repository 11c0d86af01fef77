// Deliveries for comparisons: shipping and receiving events that agree although they are written
// differently, and mismatches planted among them.

import type { DifferenceKind } from '../../src/contract/difference-kinds.ts'
import { withCheckDigit } from '../../src/contract/text/identifiers.ts'
import type { DeliveryEvent, DeliveryLine } from '../../src/tracing/delivery-event.ts'

const line = (changes: Partial<DeliveryLine> = {}): DeliveryLine => ({
  index: 0,
  itemCode: 'ROM-24',
  caseGtin: undefined,
  gtins: [],
  lotCode: 'GV26063-A',
  quantity: 56,
  unit: 'case',
  palletId: undefined,
  ...changes,
})

interface EventChanges extends Partial<Omit<DeliveryEvent, 'shipTo' | 'shipFrom' | 'lines'>> {
  readonly at?: string
  readonly from?: string
  readonly to?: string
  readonly toGln?: string | undefined
  readonly lines?: readonly Partial<DeliveryLine>[]
}

let made = 0

const event = (
  side: DeliveryEvent['side'],
  { at = '2026-03-04T12:00:00Z', from = 'COOLER', to = 'DC-07', toGln, lines = [{}], ...changes }: EventChanges,
): DeliveryEvent => ({
  side,
  id: `${side} ${++made}`,
  vendor: 'V-1',
  vendorName: undefined,
  instant: Date.parse(at),
  date: at.slice(0, 10),
  shipFrom: { code: from, gln: undefined },
  shipTo: { code: to, gln: toGln },
  documents: { purchaseOrderNumber: 'PO-1', billOfLadingNumber: 'BOL-1' },
  lines: lines.map((one, index) => line({ ...one, index })),
  ...changes,
})

export const shipped = (changes: EventChanges = {}): DeliveryEvent => event('shipped', changes)
export const received = (changes: EventChanges = {}): DeliveryEvent =>
  event('received', { at: '2026-03-05T12:00:00Z', ...changes })

/** A repeatable source of numbers (mulberry32). */
function chances(seed: number) {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    isOneIn: (many: number) => below(many) === 0,
    oneOf: <T>(all: readonly T[]) => all[below(all.length)] as T,
  }
}

interface Planted {
  readonly kind: DifferenceKind
  /** Records of which the difference must name at least one, and no other record. */
  readonly records: ReadonlySet<string>
}

export interface DeliveryWorld {
  readonly events: readonly DeliveryEvent[]
  readonly planted: readonly Planted[]
}

/** One pair as it is made: the two sides, each as events with lines that may still be changed. */
interface Pair {
  ships: EventChanges & { lines: Partial<DeliveryLine>[] }
  /** Parts of the receipt. */
  receipts: (EventChanges & { lines: Partial<DeliveryLine>[] })[]
}

const dayMs = 86_400_000
const firstDay = Date.parse('2026-03-01T00:00:00Z')
const palletOf = (number: number): string => withCheckDigit(`1061414100${String(number).padStart(7, '0')}`)

/** A time of day that no other pair has. */
const atDay = (day: number, number: number): string =>
  new Date(firstDay + day * dayMs + 21_600_000 + ((number * 7) % 43_200) * 1000).toISOString().replace('.000Z', 'Z')

/**
 * So many pairs of one month, and mismatches of every kind in some of them. Pairs share lots, items,
 * places and orders, and are written in the ways that two companies write one thing.
 */
export function deliveryWorld(pairs: number, mismatches: readonly DifferenceKind[], seed: number): DeliveryWorld {
  const { below, isOneIn, oneOf } = chances(seed)
  const events: DeliveryEvent[] = []
  const planted: Planted[] = []
  const every = Math.floor(pairs / mismatches.length)
  for (let number = 0; number < pairs; number++) {
    const kind = number % every === every - 1 ? mismatches[Math.floor(number / every)] : undefined
    const pair = makePair(number)
    if (kind !== undefined) plant(kind, pair)
    const ships = kind === 'notShipped' ? [] : [shipped(pair.ships)]
    const receipts = kind === 'notReceived' ? [] : pair.receipts.map(received)
    if (kind === 'duplicate') {
      const side = isOneIn(2) ? 'ships' : 'receipts'
      // Nobody sends a record twice in the same second.
      if (side === 'ships') ships.push(shipped({ ...pair.ships, at: later(pair.ships.at, 60) }))
      else receipts.push(...pair.receipts.map((part) => received({ ...part, at: later(part.at, 60) })))
    }
    events.push(...ships, ...receipts)
    if (kind !== undefined) planted.push({ kind, records: new Set([...ships, ...receipts].map(({ id }) => id)) })
  }
  return { events: shuffle(events), planted }

  function makePair(number: number): Pair {
    const vendor = `V-${number % 20}`
    const day = below(20)
    const lot = `L26${String(60 + day).padStart(3, '0')}-${oneOf(['A', 'B', 'C'])}`
    const to = `DC-${below(8)}`
    const order = isOneIn(4) ? `PO-${1000 + (number % 20) * 50 + below(10)}` : `PO-${100_000 + number}`
    const bill = `BOL-${200_000 + number}`
    const notice = `ASN-${300_000 + number}`
    const lines = Array.from({ length: 1 + below(6) }, (_, i) => {
      const item = (number + i) % 12
      return {
        itemCode: `ITEM-${item}`,
        gtins: [`1061414100${String(item).padStart(4, '0')}`],
        lotCode: isOneIn(3) ? `${lot}${i}` : lot,
        quantity: isOneIn(10) ? (1 + below(400)) / 10 : 8 * (1 + below(9)),
        unit: oneOf(['case', 'lb']),
        // A vendor gives pallets numbers, and most receivers do not note them.
        palletId: isOneIn(3) ? palletOf(number * 10 + i) : undefined,
      }
    })
    const style = below(4)
    const documents = [
      { purchaseOrderNumber: order, billOfLadingNumber: bill, asnNumber: notice },
      { billOfLadingNumber: bill },
      { purchaseOrderNumber: order, asnNumber: notice },
      { purchaseOrderNumber: `PO-${100_000 + number}` },
    ][style]
    const receiptDocuments = [
      { purchaseOrderNumber: order, billOfLadingNumber: bill.replace('BOL-', '000') },
      { purchaseOrderNumber: order, billOfLadingNumber: bill.toLowerCase() },
      { purchaseOrderNumber: order.replace('-', ' '), asnNumber: notice },
      { purchaseOrderNumber: `${100_000 + number}` },
    ][style]
    const shippedAt = atDay(day, number)
    const receivedAt = atDay(day + 1 + below(5), number)
    const write = (one: (typeof lines)[number]): Partial<DeliveryLine> => ({
      ...one,
      unit: one.unit === 'case' ? oneOf(['case', 'Cases', 'CS']) : oneOf(['lb', 'LBS', 'pounds']),
      itemCode: isOneIn(5) ? one.itemCode.toLowerCase() : one.itemCode,
      palletId: isOneIn(2) ? undefined : one.palletId,
    })
    const receipt = { vendor, at: receivedAt, to, documents: receiptDocuments ?? {} }
    // Some lines are received in two parts, in one event or on two days.
    const parts = lines.map((one) => {
      const { quantity } = one
      const part = isOneIn(4) && quantity >= 2 ? Math.floor(quantity / 2) : quantity
      return [
        write({ ...one, quantity: part }),
        ...(part < quantity ? [write({ ...one, quantity: Math.round((quantity - part) * 10) / 10 })] : []),
      ]
    })
    const isInParts = isOneIn(6) && lines.length > 1
    return {
      ships: { vendor, at: shippedAt, to, documents: documents ?? {}, lines },
      receipts: isInParts
        ? [
            { ...receipt, lines: parts.slice(0, 1).flat() },
            { ...receipt, at: later(receivedAt, 86_400), lines: parts.slice(1).flat() },
          ]
        : [{ ...receipt, lines: shuffle(parts.flat()) }],
    }
  }

  /** Changes one thing on one side. */
  function plant(kind: DifferenceKind, pair: Pair): void {
    const [first = pair.ships] = pair.receipts
    const changed = below(first.lines.length)
    const change = (changes: (one: DeliveryLine) => Partial<DeliveryLine>) => {
      first.lines = first.lines.map((one, i) => (i === changed ? { ...one, ...changes(line(one)) } : one))
    }
    switch (kind) {
      case 'quantity':
        change(({ quantity }) => ({ quantity: quantity + oneOf([-1, 1, 0.5, 12]) }))
        break
      case 'unit':
        change(() => ({ unit: 'pallet' }))
        break
      case 'lot':
        change(({ lotCode = '' }) => ({
          lotCode: oneOf([lotCode.replace('0', 'O'), lotCode.replace('-', ''), `${lotCode.slice(0, -1)}Z`, 'X-9']),
        }))
        break
      case 'item':
        change(() => ({ itemCode: 'ITEM-99', gtins: ['10614141009999'] }))
        break
      case 'place':
        if (isOneIn(2)) pair.ships = { ...pair.ships, from: 'OTHER-COOLER' }
        else pair.receipts = pair.receipts.map((part) => ({ ...part, to: 'DC-99' }))
        break
      case 'date':
        pair.receipts = pair.receipts.map((part) => ({ ...part, at: later(part.at, oneOf([-30, 40]) * 86_400) }))
        break
      default:
        break
    }
  }

  function shuffle<T>(all: readonly T[]): T[] {
    const mixed = [...all]
    for (let i = mixed.length - 1; i > 0; i--) {
      const other = below(i + 1)
      ;[mixed[i], mixed[other]] = [mixed[other] as T, mixed[i] as T]
    }
    return mixed
  }
}

const later = (at = '', seconds: number): string =>
  new Date(Date.parse(at) + seconds * 1000).toISOString().replace('.000Z', 'Z')
