// The goods of an event, line by line: quantities of lots, serial numbers counted by lot, and
// pallets with their packed content.

import { type DeliveryKindName, deliveryKindList } from '../contract/record-kinds.ts'
import { isCalendarDate } from '../contract/shape/date-and-time.ts'
import { quote } from '../contract/shape/shape-words.ts'
import { codeTable } from '../contract/text/code-table.ts'
import type { EpcisDocument, EpcisEvent } from './document.ts'
import { type Goods, readGoods } from './identifiers.ts'
import { entriesOf, type Found, isObject, localNameOf, memberOf, textOf } from './words.ts'

export interface GoodsLine extends Goods {
  readonly quantity: number | undefined
  /** Code of a unit of mass or volume; absent where the quantity is a count. */
  readonly uom: string | undefined
  /** SSCC of the pallet. */
  readonly pallet: string | undefined
  /** Where the document has it. */
  readonly pointer: string
}

export interface GoodsFault {
  readonly pointer: string
  readonly message: string
  readonly remedy: string
}

/** The origin of a lot or a serial number, as far as the document states it. */
interface Origin {
  /** Where it was made or packed. */
  readonly place: string | undefined
  /** Instance and lot master data, by the last part of their names. */
  readonly ilmd: ReadonlyMap<string, string>
}

/** The goods of the other events of a document. */
export interface GoodsHistory {
  readonly origins: ReadonlyMap<string, Origin>
  /** Packing of each SSCC, in order of time. */
  readonly packing: ReadonlyMap<string, readonly TimedEvent[]>
  /** Each packing event is read once, however many events its pallet is in. */
  readonly packed: Map<EpcisEvent, Counting>
}

/** One lot, or one item where no lot is known. */
export const lotKey = ({ item, lotCode = '' }: Pick<Goods, 'item' | 'lotCode'>): string => `${item}\u0000${lotCode}`

/** An event, and its instant: NaN where it has none. */
export interface TimedEvent {
  readonly event: EpcisEvent
  readonly at: number
}

export const instantOf = (event: EpcisEvent): number => Date.parse(textOf(memberOf(event, 'eventTime')) ?? '')

/** Adds to the list of that key. */
export function addTo<Entry>(lists: Map<string, Entry[]>, key: string, entry: Entry): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [entry])
  else list.push(entry)
}

export function historyOf({ events }: EpcisDocument): GoodsHistory {
  const origins = new Map<string, Origin>()
  const packing = new Map<string, TimedEvent[]>()
  for (const event of events) {
    if (event.declaredWrong !== undefined) continue
    for (const uri of begunIn(event)) origins.set(uri, originIn(event))
    const parent = event.type === 'AggregationEvent' ? textOf(memberOf(event, 'parentID')) : undefined
    const sscc = parent === undefined ? undefined : readGoods(parent).sscc
    if (sscc !== undefined) addTo(packing, sscc, { event, at: instantOf(event) })
  }
  for (const events of packing.values()) events.sort((one, other) => one.at - other.at)
  return { origins, packing, packed: new Map() }
}

/** Identifiers that an event begins: by commissioning, or as outputs of a transformation. */
function begunIn(event: EpcisEvent): readonly string[] {
  const lists =
    event.type === 'TransformationEvent'
      ? ['outputEPCList', 'outputQuantityList']
      : event.type === 'ObjectEvent' && event.action === 'ADD' && stepsOfRecords[event.bizStep ?? ''] === undefined
        ? ['epcList', 'quantityList']
        : []
  return lists.flatMap((list) => entriesOf(memberOf(event, list)).map((entry) => uriIn(entry) ?? ''))
}

/** The steps that become records. */
export const stepsOfRecords = codeTable<DeliveryKindName>(
  Object.fromEntries(deliveryKindList.map(({ name, epcis }) => [epcis.bizStep, name])),
)

const uriIn = (entry: Found): string | undefined => textOf(memberOf(entry, 'epcClass') ?? entry)

const originIn = (event: EpcisEvent): Origin => {
  const place = memberOf(event, 'bizLocation') ?? memberOf(event, 'readPoint')
  return { place: textOf(place), ilmd: ilmdOf(event) }
}

/** Instance and lot master data of an event. */
export function ilmdOf(event: EpcisEvent): ReadonlyMap<string, string> {
  const ilmd = memberOf(event, 'ilmd')
  return new Map(
    isObject(ilmd?.value)
      ? Object.entries(ilmd.value).flatMap(([name, value]) => {
          const text = textOf({ value, pointer: '' })
          return text === undefined ? [] : [[localNameOf(name), text] as const]
        })
      : [],
  )
}

const dateFields = [
  ['itemExpirationDate', 'expirationDate'],
  ['expirationDate', 'expirationDate'],
  ['productionDate', 'productionDate'],
  ['packagingDate', 'packagingDate'],
  ['bestBeforeDate', 'bestBeforeDate'],
  ['sellByDate', 'bestBeforeDate'],
  ['harvestEndDate', 'harvestDate'],
  ['harvestDateEnd', 'harvestDate'],
  ['harvestStartDate', 'harvestDate'],
  ['harvestDateStart', 'harvestDate'],
  ['harvestDate', 'harvestDate'],
] as const

/** Names of dates of a lot that are read. */
export const dateNames: readonly string[] = dateFields.map(([name]) => name)

/**
 * Dates of a lot under the names of the contract, and remarks on those that are not stored. Of a
 * harvest of several days, the first counts.
 */
export function datesIn(ilmd: ReadonlyMap<string, string>): {
  readonly dates: Readonly<Record<string, string>>
  readonly told: readonly string[]
} {
  const dates: Record<string, string> = {}
  const told: string[] = []
  for (const [name, field] of dateFields) {
    const text = ilmd.get(name)
    if (text === undefined) continue
    const date = text.slice(0, 10)
    const before = dates[field]
    if (!isCalendarDate(date)) told.push(`${name} is ${quote(text)}, which is no date: it is not stored.`)
    else if (before !== undefined && before !== date && field !== 'harvestDate')
      told.push(`${name} is ${quote(text)}, and ${field} was ${before}: ${date} is stored.`)
    if (isCalendarDate(date)) dates[field] = date
  }
  return { dates, told }
}

/** The lot that the event states beside the identifier of the goods, if it is another one. */
export function otherLotOf(line: GoodsLine, ilmd: ReadonlyMap<string, string>): readonly string[] {
  const other = ilmd.get('lotNumber')
  const { lotCode } = line
  if (other === undefined || lotCode === undefined || other === lotCode) return []
  return [
    `lotNumber is ${quote(other)}, and the identifier of the goods has the lot ${quote(lotCode)}, which is stored.`,
  ]
}

/** Most lines an event may have; the contract takes as many. */
const linesMax = 5_000

interface Counting {
  readonly lines: GoodsLine[]
  /** Each once. */
  readonly pallets: readonly { readonly sscc: string; readonly pointer: string }[]
}

/**
 * The lines of an event, in the order of the document. `faults` are places that name no goods, and
 * pallets whose content the document does not say.
 */
export function goodsOf(
  event: EpcisEvent,
  lists: GoodsLists,
  history: GoodsHistory,
): { readonly lines: readonly GoodsLine[]; readonly faults: readonly GoodsFault[] } {
  const faults: GoodsFault[] = []
  const { lines, pallets } = countGoods(
    event,
    lists,
    history,
    lists.hasIlmd ? ilmdOf(event).get('lotNumber') : undefined,
  )
  const onPallets: GoodsLine[] = []
  const [first] = pallets
  const packingOf = countingUntil(instantOf(event), history)
  for (const { sscc, pointer } of pallets) {
    if (onPallets.length > linesMax) break
    const content = contentOf(sscc, packingOf, history)
    if (content.length > 0) onPallets.push(...content.map((line) => ({ ...line, pallet: sscc })))
    else if (lines.length === 0)
      faults.push({
        pointer,
        message: `The document does not say what is on pallet ${sscc}.`,
        remedy: 'Send the AggregationEvent of the pallet in the same document, or the lots in quantityList.',
      })
  }
  if (lines.length === 0 && onPallets.length <= linesMax) lines.push(...onPallets)
  else if (pallets.length === 1 && onPallets.length === 0)
    return { lines: lines.map((line) => ({ ...line, pallet: first?.sscc })), faults }
  else if (addsUp(lines, onPallets)) return { lines: onPallets, faults }
  if (lines.length > linesMax || onPallets.length > linesMax)
    faults.push({
      pointer: event.pointer,
      message: `The event has more than ${linesMax} lines.`,
      remedy: 'Send the goods of the event as quantities of their lots.',
    })
  return { lines, faults }
}

/**
 * NaN for a value that is neither a number nor text; an object may have no form as a number at all.
 */
const numberIn = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN

/** The members of an event that list its goods. */
export interface GoodsLists {
  readonly epcs: string
  readonly quantities: string
  /** The instance and lot master data of the event are of these goods. */
  readonly hasIlmd?: true
}

const childLists: GoodsLists = { epcs: 'childEPCs', quantities: 'childQuantityList' }

/** Quantities as they are listed, and serial numbers counted by lot. */
function countGoods(
  event: EpcisEvent,
  { epcs, quantities }: GoodsLists,
  { origins }: GoodsHistory,
  lotOfEvent?: string,
): Counting {
  const lines: GoodsLine[] = []
  const pallets = new Map<string, Counting['pallets'][number]>()
  for (const entry of entriesOf(memberOf(event, quantities))) {
    const uri = uriIn(entry)
    if (uri === undefined) continue
    const quantity = memberOf(entry, 'quantity')?.value
    lines.push({
      ...withLot(readGoods(uri), origins, lotOfEvent),
      quantity: quantity === undefined ? undefined : numberIn(quantity),
      uom: textOf(memberOf(entry, 'uom')),
      pallet: undefined,
      pointer: entry.pointer,
    })
  }
  const counted = new Map<string, GoodsLine & { quantity: number }>()
  for (const entry of entriesOf(memberOf(event, epcs))) {
    const uri = textOf(entry)
    if (uri === undefined) continue
    const goods = withLot(readGoods(uri), origins, lotOfEvent)
    if (goods.sscc !== undefined) {
      if (!pallets.has(goods.sscc)) pallets.set(goods.sscc, { sscc: goods.sscc, pointer: entry.pointer })
      continue
    }
    const key = lotKey(goods)
    const line = counted.get(key)
    if (line !== undefined) line.quantity++
    else counted.set(key, { ...goods, quantity: 1, uom: undefined, pallet: undefined, pointer: entry.pointer })
  }
  return { lines: [...lines, ...counted.values()], pallets: [...pallets.values()] }
}

/** A serial number or an item without a lot has the lot of its commissioning, or of the event. */
function withLot(goods: Goods, origins: GoodsHistory['origins'], lotOfEvent: string | undefined): Goods {
  if (goods.lotCode !== undefined || goods.sscc !== undefined) return goods
  return { ...goods, lotCode: origins.get(goods.uri)?.ilmd.get('lotNumber') ?? lotOfEvent }
}

/**
 * The content of a pallet, through the logistic units that it holds: without recursion, as these
 * may be as deep as the document is long.
 */
function contentOf(sscc: string, packingOf: PackingOf, history: GoodsHistory): readonly GoodsLine[] {
  const content: GoodsLine[] = []
  const seen = new Set<string>()
  /** Units and events that are still to be read, the next one last. */
  const left: (string | EpcisEvent)[] = [sscc]
  while (content.length <= linesMax) {
    const next = left.pop()
    if (next === undefined) break
    if (typeof next !== 'string') {
      const { lines, pallets } = history.packed.get(next) ?? countGoods(next, childLists, history)
      history.packed.set(next, { lines, pallets })
      content.push(...lines)
      left.push(...pallets.map((unit) => unit.sscc).reverse())
    } else if (!seen.has(next)) {
      seen.add(next)
      left.push(...[...packingOf(next)].reverse())
    }
  }
  return content
}

/** The packing of a unit that counts. */
type PackingOf = (sscc: string) => readonly EpcisEvent[]

/** The content at an instant. Each unit is read once: it may be on many pallets of an event. */
function countingUntil(at: number, { packing }: GoodsHistory): PackingOf {
  const counting = new Map<string, readonly EpcisEvent[]>()
  return (sscc) => {
    const known = counting.get(sscc) ?? packingUntil(at, packing.get(sscc) ?? [])
    counting.set(sscc, known)
    return known
  }
}

/** An observation replaces the content of a pallet; packing adds to it. */
function packingUntil(at: number, packing: readonly TimedEvent[]): readonly EpcisEvent[] {
  const counting: EpcisEvent[] = []
  let isAdded = false
  for (const { event, at: packedAt } of packing) {
    if (packedAt > at) break
    if (event.action !== 'ADD' && event.action !== 'DELETE' && isAdded) continue
    if (event.action !== 'ADD' || !isAdded) counting.length = 0
    if (event.action !== 'DELETE') counting.push(event)
    isAdded = event.action === 'ADD'
  }
  return counting
}

/** True when the pallets hold exactly the quantities of the event, lot by lot and unit by unit. */
function addsUp(lines: readonly GoodsLine[], onPallets: readonly GoodsLine[]): boolean {
  if (onPallets.length === 0) return false
  const sums = new Map<string, number>()
  const add = (line: GoodsLine, sign: 1 | -1) => {
    const key = `${lotKey(line)}\u0000${line.uom ?? ''}`
    sums.set(key, (sums.get(key) ?? 0) + sign * (line.quantity ?? Number.NaN))
  }
  for (const line of lines) add(line, 1)
  for (const line of onPallets) add(line, -1)
  return [...sums.values()].every((sum) => Math.abs(sum) < 1e-6)
}
