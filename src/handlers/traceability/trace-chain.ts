// Follows a lot through transformations: reads the events of each lot code that the walk reaches,
// until it reaches no other.
import { completeEvent } from '../../contract/completion.ts'
import { gtinsOf } from '../../contract/line-item.ts'
import type { EventPayload } from '../../contract/payloads.ts'
import type { ProductLine } from '../../contract/product-line.ts'
import { type EventKind, type EventKindName, eventKindList, eventKinds } from '../../contract/record-kinds.ts'
import { isFieldText, isGiven } from '../../contract/shape/field.ts'
import { gtin14Of } from '../../contract/text/gs1-text.ts'
import { chainEventsMax, chainLotsMax } from '../../operations/traceability/trace-chain.ts'
import { traceLinesReadMax } from '../../operations/traceability/trace-lot.ts'
import { missingWords, type VersionName } from '../../store/evidence/damaged-record.ts'
import { readSelected, type SelectedEvent, selectEvents } from '../../store/records/event-selection.ts'
import { type ChainEvent, chainOf, type Unread } from '../../tracing/chain.ts'
import { type ChainQuery, type Direction, type Ground, type LinePart, walkChain } from '../../tracing/chain-walk.ts'
import { readLotQuery } from '../../tracing/lot-query.ts'
import { madeAt } from '../../tracing/sources.ts'
import { runCooperatively } from '../base/cooperative.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { MasterDataCache } from '../records/exported-events.ts'

/** Lot codes looked for in one statement. */
const codesAtOnce = 500

export const traceChain =
  (context: HandlerContext) =>
  async ({
    provider,
    lotCode,
    query: asked,
  }: OperationCall): Promise<Answer<'badQuery' | 'unknownLot' | 'chained'>> => {
    const { gtin, tlcSource, direction = 'forward', least = 'sourceUnknown' } = asked
    if (gtin !== undefined && gtin14Of(gtin) === undefined)
      return { outcome: 'badQuery', detail: 'gtin must be a GTIN of 8, 12, 13 or 14 digits.' }
    const lot = readLotQuery(lotCode, gtin)
    if (lot === undefined)
      return { outcome: 'badQuery', detail: 'gtin differs from the GTIN in the lot code. Omit one of them.' }
    const query: ChainQuery = {
      lotCode: lot.reading.lotCode,
      gtin: lot.gtin,
      tlcSource,
      direction: direction as Direction,
      least: least as Ground,
    }
    const reader = new ChainReader(context, provider)
    const read = new Set<string>()
    let wanted: readonly string[] = [query.lotCode]
    for (;;) {
      const unread = await reader.readEventsOf(wanted)
      for (const code of wanted) read.add(code)
      const walk = await runCooperatively(walkChain(query, reader.events, read))
      if (walk.lots.length === 0)
        return {
          outcome: 'unknownLot',
          detail: `No event has the lot code ${JSON.stringify(query.lotCode.slice(0, 200))}${tlcSource === undefined && gtin === undefined ? '' : ' of this source and item'}. The trace of the lot names lot codes that read alike, and sources.`,
        }
      const isFull = walk.lots.length > chainLotsMax
      if (walk.wanted.length === 0 || unread || isFull) {
        const chain = await runCooperatively(chainOf(query, walk, reader.unread(isFull)))
        return { outcome: 'chained', body: chain }
      }
      wanted = walk.wanted
    }
  }

/** The events of a chain, read lot code by lot code, each once. */
class ChainReader {
  readonly events: ChainEvent[] = []
  readonly #known = new Set<string>()
  readonly #missing: VersionName[] = []
  readonly #master: MasterDataCache
  readonly #context: HandlerContext
  readonly #provider: string
  #lines = 0
  #isCut = false

  constructor(context: HandlerContext, provider: string) {
    this.#context = context
    this.#provider = provider
    this.#master = new MasterDataCache(context, provider)
  }

  /** Reads the events with these lot codes. True when there are more than a chain may have. */
  async readEventsOf(lotCodes: readonly string[]): Promise<boolean> {
    // A text that no line can carry is not looked for: the database cannot be asked about some.
    const codes = lotCodes.filter(isFieldText)
    for (let at = 0; at < codes.length; at += codesAtOnce)
      for (const kind of eventKindList) await this.#readKind(kind, codes.slice(at, at + codesAtOnce))
    return this.#isCut
  }

  async #readKind({ name: kind }: EventKind, lotCode: readonly string[]): Promise<void> {
    if (this.#isCut) return
    const limit = chainEventsMax + 1
    const selected = await selectEvents(this.#context.store, this.#provider, { kind, selection: { lotCode }, limit })
    const readable: SelectedEvent[] = []
    for (const event of selected) {
      if (this.#known.has(event.id)) continue
      this.#lines += event.lineCount
      this.#isCut ||= this.#known.size >= chainEventsMax || this.#lines > traceLinesReadMax
      if (this.#isCut) break
      this.#known.add(event.id)
      readable.push(event)
    }
    const read = readSelected(this.#context.store, this.#provider, readable, (some) => this.#missing.push(...some))
    for await (const batch of read) {
      const payloads = batch.map(({ body }) => JSON.parse(body) as EventPayload)
      const whole = payloads.map((payload) => withLinesOf(payload, eventKinds[kind]))
      await this.#master.lookUp(whole)
      for (const [i, { id, version }] of batch.entries()) {
        const [payload, all] = [payloads[i], whole[i]]
        if (payload !== undefined && all !== undefined)
          this.events.push({ id, version, kind, ...chainEventOf(payload, all, eventKinds[kind], this.#master) })
      }
    }
  }

  /** What is not in the chain. */
  unread(isFull: boolean): readonly Unread[] {
    const damaged = this.#missing.length > 0
    return [
      ...(this.#isCut || isFull
        ? [
            {
              kind: 'truncated' as const,
              message: `The chain has more than a response may contain. It ends after ${this.events.length.toLocaleString('en')} events: lots may be missing, and quantities are not complete.`,
              remedy: 'Follow one of its lots at a time, or only what is certain with least=sameSource.',
            },
          ]
        : []),
      ...(damaged
        ? [
            {
              kind: 'damaged' as const,
              message: `${missingWords(this.#missing)} The chain is not complete without them.`,
              remedy: 'Have the operator of the service restore them. `lotkeeper doctor` names all that is damaged.',
            },
          ]
        : []),
    ]
  }
}

const linesIn = (payload: EventPayload, list: string): readonly ProductLine[] =>
  ((payload.eventList as unknown as Readonly<Record<string, unknown>>)[list] ?? []) as readonly ProductLine[]

/** The payload with the lines of all its lists in one, so that all are completed. */
const withLinesOf = (payload: EventPayload, { lists }: EventKind): EventPayload => ({
  ...payload,
  eventList: {
    ...payload.eventList,
    productList: Object.keys(lists).flatMap((list) => linesIn(payload, list)),
  } as EventPayload['eventList'],
})

/** Goods that move are shipped where a shipping event says so, and else received. */
const partOf = (lots: 'moved' | 'made' | 'used', kind: EventKindName): LinePart =>
  lots === 'moved' ? (kind === 'shippingEvent' ? 'shipped' : 'received') : lots

function chainEventOf(
  payload: EventPayload,
  whole: EventPayload,
  kind: EventKind,
  master: MasterDataCache,
): Omit<ChainEvent, 'id' | 'version' | 'kind'> {
  const { eventList: event } = payload
  const { locations, products } = completeEvent(whole, master.of(event.dataProviderVendorId))
  const locationCode = String((event as unknown as Readonly<Record<string, unknown>>)[kind.place])
  const place = locations.get(locationCode) ?? {}
  const lines = Object.entries(kind.lists).flatMap(([list, { lots }]) =>
    lots === 'none'
      ? []
      : linesIn(payload, list).flatMap((line, i) => {
          if (!isGiven(line.caseLotNumber)) return []
          const product = products.get(line.vendorItemCode)
          const described = isGiven(line.vendorItemDescription) ? line.vendorItemDescription : product?.itemDescription
          return [
            {
              pointer: `/eventList/${list}/${i}`,
              part: partOf(lots, kind.name),
              line: lots === 'made' ? madeAt(line, place) : line,
              gtins: gtinsOf(line, product),
              itemDescription: described,
            },
          ]
        }),
  )
  return {
    eventDateTime: event.eventDateTime,
    dataProviderVendorId: event.dataProviderVendorId,
    dataProviderVendorName: event.dataProviderVendorName,
    place: { locationCode, ...(isGiven(place.locationName) && { name: place.locationName }) },
    lines,
  }
}
