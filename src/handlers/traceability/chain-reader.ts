// Reads the events of a chain of lots: those of each lot code that the walk reaches, until it
// reaches no other. Source: decision 0091.
import { completeEvent } from '../../contract/completion.ts'
import { descriptionOf, gtinsOf } from '../../contract/line-item.ts'
import { followsAlike } from '../../contract/lots/grounds.ts'
import type { EventPayload } from '../../contract/payloads.ts'
import type { MasterProduct } from '../../contract/product.ts'
import type { ProductLine } from '../../contract/product-line.ts'
import { type EventKind, type EventKindName, eventKindList, eventKinds } from '../../contract/record-kinds.ts'
import { dateAt, instantOf } from '../../contract/shape/date-and-time.ts'
import { isFieldText, isGiven } from '../../contract/shape/field.ts'
import { isStated } from '../../contract/shape/placeholder.ts'
import type { Loose } from '../../contract/shape/read-shape.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import { groupsOf } from '../../groups.ts'
import {
  chainCharactersMax,
  chainEventsMax,
  chainLinksMax,
  chainLotsMax,
} from '../../operations/traceability/trace-chain.ts'
import { traceLinesReadMax } from '../../operations/traceability/trace-lot.ts'
import { type Facts, timeZoneOf, vendorKey } from '../../rules/rule.ts'
import { missingRemedy, missingWords, type VersionName } from '../../store/evidence/damaged-record.ts'
import {
  readSelected,
  type SelectedEvent,
  selectByPlaceAndDate,
  selectEvents,
} from '../../store/records/event-selection.ts'
import { locationsNamedByGln } from '../../store/records/locations.ts'
import type { Unread } from '../../tracing/chain.ts'
import {
  type ChainLine,
  type ChainQuery,
  ChainWalk,
  type Direction,
  type LinePart,
  type WalkedChain,
} from '../../tracing/chain-walk.ts'
import {
  codeOfReference,
  type FieldReference,
  foodCodeOf,
  referenceOfCode,
  referencesIn,
} from '../../tracing/field-reference.ts'
import type { ChainEvent, NamedPlace } from '../../tracing/lot-event.ts'
import { madeAt } from '../../tracing/sources.ts'
import { runCooperatively } from '../base/cooperative.ts'
import type { HandlerContext } from '../base/handler.ts'
import { MasterDataCache, withLinesOf } from '../records/exported-events.ts'

/** Lot codes, or places and dates, looked for in one statement. */
const codesAtOnce = 500
/** Lot codes with all that read alike: some 40 codes each. */
const codesAlikeAtOnce = 50
/** Food that is harvested or cooled has no lot codes yet. */
const kindsWithLots = eventKindList.filter(({ lists }) => Object.values(lists).some(({ lots }) => lots !== 'none'))

/** Kinds whose lines name events of another by place and date, and the kinds they name. */
const referring = eventKindList.flatMap((kind) =>
  Object.values(kind.lists).flatMap(({ references = [] }) =>
    references.map((reference) => ({ by: kind, of: eventKinds[reference.kind], areas: reference.areas })),
  ),
)

/** Kinds of events that lines name by place and date. */
export const referredKinds: readonly EventKind[] = [...new Set(referring.map(({ of }) => of))]

/** The events of a chain, read lot code by lot code, each once. */
export class ChainReader {
  readonly #known = new Set<string>()
  readonly #selected = new Map<EventKindName, SelectedEvent[]>()
  /** GLNs of the places of food, by vendor and location code. */
  readonly #glns = new Map<string, string>()
  /** Versions that belong to the chain and are missing in the database. */
  readonly missing: VersionName[] = []
  readonly #master: MasterDataCache
  readonly #context: HandlerContext
  readonly #provider: string
  readonly #endsAt: number
  #lines = 0
  #characters = 0
  /** The bound that was reached. */
  #bound: 'size' | 'time' | undefined

  constructor(context: HandlerContext, provider: string) {
    this.#context = context
    this.#provider = provider
    this.#master = new MasterDataCache(context, provider)
    this.#endsAt = performance.now() + context.limits.chainMsMax
  }

  /** Walks to the end or to the first bound, and reads the events of each lot code on the way. */
  async follow(query: ChainQuery): Promise<WalkedChain<ChainEvent>> {
    const walk = new ChainWalk<ChainEvent>(query, { lotsMax: chainLotsMax, linksMax: chainLinksMax })
    let wanted: readonly string[] = [query.lotCode]
    while (wanted.length > 0 && this.#bound === undefined) {
      await this.#readEventsOf(wanted, walk, query)
      wanted = await runCooperatively(walk.next(wanted, () => this.#isLate))
      if (walk.ended !== undefined) this.#bound ??= walk.ended === 'late' ? 'time' : 'size'
    }
    return runCooperatively(walk.chain())
  }

  /** The number of events that were read. */
  get events(): number {
    return this.#known.size
  }

  /** True where it ended before the end of the chain. */
  get isCut(): boolean {
    return this.#bound !== undefined
  }

  /** The events of a kind whose lines are among these, and those whose content is missing. */
  selectedWith(ids: ReadonlySet<string>, kind: EventKindName): readonly SelectedEvent[] {
    const missing = new Set(this.missing.map(({ id }) => id))
    return (this.#selected.get(kind) ?? []).filter(({ id }) => ids.has(id) || missing.has(id))
  }

  get #isLate(): boolean {
    return this.#known.size > 0 && performance.now() >= this.#endsAt
  }

  async #readEventsOf(
    lotCodes: readonly string[],
    walk: ChainWalk<ChainEvent>,
    { direction, least }: ChainQuery,
  ): Promise<void> {
    // A text that no line can carry is not looked for: the database cannot be asked about some.
    const { store } = this.#context
    const readAlike = followsAlike(least)
    for (const lotCode of portionsOf(lotCodes.filter(isFieldText), readAlike ? codesAlikeAtOnce : codesAtOnce))
      for (const kind of kindsWithLots)
        await this.#readInto(walk, kind, (limit) =>
          selectEvents(store, this.#provider, { kind: kind.name, selection: { lotCode, readAlike }, limit }),
        )
    const named = lotCodes.flatMap((code) => referenceOfCode(code) ?? [])
    await this.#readFood(named, walk, direction)
    // The events read so far say which places these are.
    await this.#readFood(await this.#ofSamePlaces(named), walk, direction)
  }

  /** The events of food that was harvested or cooled at places on dates. */
  async #readFood(
    references: readonly FieldReference[],
    walk: ChainWalk<ChainEvent>,
    direction: Direction,
  ): Promise<void> {
    const { store } = this.#context
    for (const { of } of referring)
      for (const wanted of portionsOf(references.filter(({ kind }) => kind === of.name)))
        await this.#readInto(walk, of, (limit) =>
          selectByPlaceAndDate(store, this.#provider, { kind: of.name, wanted, limit }),
        )
    if (direction !== 'forward') return
    // Codes of food are without a vendor: what another vendor packed is read, and does not join.
    for (const { by, of } of referring)
      for (const wanted of portionsOf(references.filter(({ kind }) => kind === of.name)))
        await this.#readInto(walk, by, (limit) => {
          const food = wanted.map(foodCodeOf)
          const dataProviderVendorId = [...new Set(wanted.map(({ vendor }) => vendor))]
          return selectEvents(store, this.#provider, {
            kind: by.name,
            selection: { food, dataProviderVendorId },
            limit,
          })
        })
  }

  /** The same food under the codes that other vendors, or other records, have for its place. */
  async #ofSamePlaces(references: readonly FieldReference[]): Promise<readonly FieldReference[]> {
    const glnOf = ({ vendor, locationCode }: FieldReference) => this.#glns.get(vendorKey(vendor, locationCode))
    const glns = [...new Set(references.flatMap((one) => glnOf(one) ?? []))]
    const found: FieldReference[] = []
    for (const some of portionsOf(glns)) {
      const limit = chainEventsMax + 1
      const places = await locationsNamedByGln(this.#context.store, { provider: this.#provider, glns: some, limit })
      if (places.length === limit) this.#bound ??= 'size'
      const placesOf = groupsOf(places, ({ gln }) => gln)
      for (const { kind, date, ...place } of references)
        for (const { dataProviderVendorId: vendor, locationCode } of placesOf.get(
          glnOf({ kind, date, ...place }) ?? '',
        ) ?? [])
          if (vendor !== place.vendor || locationCode !== place.locationCode)
            found.push({ kind, date, vendor, locationCode })
    }
    return [...new Map(found.map((one) => [codeOfReference(one), one])).values()]
  }

  async #readInto(walk: ChainWalk<ChainEvent>, kind: EventKind, select: Select): Promise<void> {
    for await (const event of this.#eventsOf(kind, select)) walk.add(event)
  }

  async *#eventsOf(kind: EventKind, select: Select): AsyncGenerator<ChainEvent> {
    if (this.#isLate) this.#bound ??= 'time'
    if (this.#bound !== undefined) return
    const { store } = this.#context
    const selected = await select(chainEventsMax + 1)
    const readable: SelectedEvent[] = []
    for (const event of selected) {
      if (this.#known.has(event.id)) continue
      this.#lines += event.lineCount
      if (this.#known.size >= chainEventsMax || this.#lines > traceLinesReadMax) this.#bound = 'size'
      if (this.#bound !== undefined) break
      this.#known.add(event.id)
      readable.push(event)
    }
    this.#selected.set(kind.name, [...(this.#selected.get(kind.name) ?? []), ...readable])
    for await (const batch of readSelected(store, this.#provider, readable, (some) => this.missing.push(...some))) {
      const events = batch.map(({ id, version, body }) => {
        const payload = JSON.parse(body) as EventPayload
        this.#characters += body.length
        return { id, version, payload, whole: withLinesOf(payload, kind) }
      })
      await this.#master.lookUp(events.map(({ whole }) => whole))
      const timeZones = await this.#master.timeZones()
      for (const { id, version, payload, whole } of events) {
        const read = chainEventOf(payload, whole, kind, { master: this.#master, timeZones })
        for (const { reference } of read.lines)
          if (reference?.gln !== undefined)
            this.#glns.set(vendorKey(reference.vendor, reference.locationCode), reference.gln)
        yield { id, version, kind: kind.name, ...read }
      }
      if (this.#characters > chainCharactersMax) this.#bound ??= 'size'
      if (this.#isLate) this.#bound ??= 'time'
      if (this.#bound !== undefined) return
    }
  }

  /** What is not in the chain. */
  unread(): readonly Unread[] {
    const damaged = this.missing.length > 0
    return [
      ...(this.#bound !== undefined
        ? [
            {
              kind: 'truncated' as const,
              message: `The chain ${this.#bound === 'time' ? `takes longer to follow than ${pluralize(this.#context.limits.chainMsMax / 1_000, 'second')}` : 'has more than a response may contain'}. It ends after ${this.#known.size.toLocaleString('en')} events: lots may be missing, and quantities are not complete.`,
              remedy: 'Follow one of its lots at a time, or only what is certain with least=sameSource.',
            },
          ]
        : []),
      ...(damaged
        ? [
            {
              kind: 'damaged' as const,
              message: `${missingWords(this.missing)} The chain is not complete without them.`,
              remedy: missingRemedy,
            },
          ]
        : []),
    ]
  }
}

/** Selects up to as many events. */
type Select = (limit: number) => Promise<readonly SelectedEvent[]>

function* portionsOf<T>(all: readonly T[], atOnce = codesAtOnce): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += atOnce) yield all.slice(at, at + atOnce)
}

type Fields = Readonly<Record<string, unknown>>

/** Goods that move are shipped where a shipping event says so, and else received. */
const partOf = (lots: 'moved' | 'made' | 'used', kind: EventKindName): LinePart =>
  lots === 'moved' ? (kind === 'shippingEvent' ? 'shipped' : 'received') : lots

function chainEventOf(
  payload: EventPayload,
  whole: EventPayload,
  kind: EventKind,
  { master, timeZones }: { readonly master: MasterDataCache; readonly timeZones: Facts['timeZones'] },
): Omit<ChainEvent, 'id' | 'version' | 'kind'> {
  const { eventList: event } = payload
  const { eventDateTime, dataProviderVendorId: vendor, dataProviderVendorName } = event
  const fields: Fields = event
  const { locations, products } = completeEvent(whole, master.of(vendor))
  const placeIn = (field: string): NamedPlace => {
    const code = String(fields[field])
    return { vendor, code, fields: locations.get(code) ?? {} }
  }
  const place = placeIn(kind.place)
  const isMoving = Object.values(kind.lists).some(({ lots }) => lots === 'moved')
  const date = dateAt(eventDateTime, timeZoneOf(timeZones, vendor, place.code))
  const chainLine = (line: ProductLine, pointer: string, part: LinePart): ChainLine => {
    const product = products.get(line.vendorItemCode)
    return { pointer, part, line, gtins: gtinsOf(line, product), itemDescription: descriptionOf(line, product) }
  }
  /** The line as food that is known by a place and a date. */
  const foodLine = (one: ChainLine, named: Omit<FieldReference, 'vendor'>, areas: readonly string[]): ChainLine => ({
    ...one,
    line: withArea(one.line, areas),
    gtins: foodOf(one.line, products.get(one.line.vendorItemCode)),
    reference: { ...named, vendor, gln: [locations.get(named.locationCode)?.gln].find(isStated) },
    placeName: locations.get(named.locationCode)?.locationName,
  })
  const own = referring.find(({ of }) => of.name === kind.name)
  const lines = Object.entries(kind.lists).flatMap(([list, { lots, hasItems = true, references = [] }]) =>
    (hasItems ? ((fields[list] ?? []) as readonly ProductLine[]) : []).flatMap((line, i): readonly ChainLine[] => {
      const pointer = `/eventList/${list}/${i}`
      if (lots !== 'none')
        return isGiven(line.caseLotNumber)
          ? [chainLine(lots === 'made' ? madeAt(line, place.fields) : line, pointer, partOf(lots, kind.name))]
          : []
      if (own !== undefined)
        return [
          foodLine(chainLine(line, pointer, 'made'), { kind: kind.name, locationCode: place.code, date }, own.areas),
        ]
      return referencesIn(line, references).map(({ areas, ...named }) =>
        foodLine(chainLine(line, pointer, 'used'), named, areas),
      )
    }),
  )
  return {
    eventDateTime,
    instant: instantOf(eventDateTime),
    date,
    dataProviderVendorId: vendor,
    dataProviderVendorName,
    place,
    other: isMoving && kind.counterpart !== undefined ? placeIn(kind.counterpart) : undefined,
    lines,
  }
}

/** Where exactly food grew, in the place of the source of a lot code, which tells lots apart. */
function withArea(line: ProductLine, areas: readonly string[]): ProductLine {
  const { vendorItemCode, shipQuantity, shipQuantityUom } = line
  const area = areas.map((field) => (line as Fields)[field] as string | undefined).find(isGiven)
  return { vendorItemCode, shipQuantity, shipQuantityUom, ...(area !== undefined && { tlcSourceReferenceOther: area }) }
}

/** Lines of one food share item or commodity. Without a commodity any item may be meant. */
function foodOf({ vendorItemCode }: ProductLine, product: Loose<MasterProduct> | undefined): readonly string[] {
  const commodity = [product?.productCommodity, product?.acceptableSpeciesName].find(isStated)
  return commodity === undefined ? [] : [`item ${vendorItemCode}`, `commodity ${commodity.trim().toLowerCase()}`]
}
