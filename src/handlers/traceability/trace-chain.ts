// Follows a lot through transformations: reads the events of each lot code that the walk reaches,
// until it reaches no other.
import { completeEvent } from '../../contract/completion.ts'
import { descriptionOf, gtinsOf } from '../../contract/line-item.ts'
import type { EventPayload } from '../../contract/payloads.ts'
import type { ProductLine } from '../../contract/product-line.ts'
import { type EventKind, type EventKindName, eventKindList, linesOf } from '../../contract/record-kinds.ts'
import { isFieldText, isGiven } from '../../contract/shape/field.ts'
import { chainEventsMax, chainLotsMax } from '../../operations/traceability/trace-chain.ts'
import { traceLinesReadMax } from '../../operations/traceability/trace-lot.ts'
import { missingRemedy, missingWords, type VersionName } from '../../store/evidence/damaged-record.ts'
import { readSelected, type SelectedEvent, selectEvents } from '../../store/records/event-selection.ts'
import { type ChainEvent, chainOf, type Unread } from '../../tracing/chain.ts'
import {
  ChainLots,
  type ChainQuery,
  type Direction,
  type Ground,
  type LinePart,
  walkChain,
} from '../../tracing/chain-walk.ts'
import { madeAt } from '../../tracing/sources.ts'
import { runCooperatively } from '../base/cooperative.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { MasterDataCache } from '../records/exported-events.ts'
import { readAskedLot } from './asked-lot.ts'

/** Lot codes looked for in one statement. */
const codesAtOnce = 500
/** Food that is harvested or cooled has no lot codes yet. */
const kindsWithLots = eventKindList.filter(({ lists }) => Object.values(lists).some(({ lots }) => lots !== 'none'))

export const traceChain =
  (context: HandlerContext) =>
  async (asked: OperationCall): Promise<Answer<'badQuery' | 'unknownLot' | 'chained'>> => {
    const { gtin, tlcSource, direction = 'forward', least = 'sourceUnknown' } = asked.query
    const lot = readAskedLot(asked)
    if ('outcome' in lot) return lot
    const query: ChainQuery = {
      lotCode: lot.reading.lotCode,
      gtin: lot.gtin,
      tlcSource,
      direction: direction as Direction,
      least: least as Ground,
    }
    const reader = new ChainReader(context, asked.provider)
    const read = new Set<string>()
    let wanted: readonly string[] = [query.lotCode]
    for (;;) {
      const unread = await reader.readEventsOf(wanted)
      for (const code of wanted) read.add(code)
      const walk = await runCooperatively(walkChain(query, reader.lots, read))
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
  readonly lots = new ChainLots<ChainEvent>()
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
      for (const kind of kindsWithLots) await this.#readKind(kind, codes.slice(at, at + codesAtOnce))
    return this.#isCut
  }

  async #readKind(kind: EventKind, lotCode: readonly string[]): Promise<void> {
    if (this.#isCut) return
    const limit = chainEventsMax + 1
    const selected = await selectEvents(this.#context.store, this.#provider, {
      kind: kind.name,
      selection: { lotCode },
      limit,
    })
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
      const events = batch.map(({ id, version, body }) => {
        const payload = JSON.parse(body) as EventPayload
        return { id, version, payload, whole: withLinesOf(payload, kind) }
      })
      await this.#master.lookUp(events.map(({ whole }) => whole))
      for (const { id, version, payload, whole } of events)
        this.lots.add({ id, version, kind: kind.name, ...chainEventOf(payload, whole, kind, this.#master) })
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
              message: `The chain has more than a response may contain. It ends after ${this.#known.size.toLocaleString('en')} events: lots may be missing, and quantities are not complete.`,
              remedy: 'Follow one of its lots at a time, or only what is certain with least=sameSource.',
            },
          ]
        : []),
      ...(damaged
        ? [
            {
              kind: 'damaged' as const,
              message: `${missingWords(this.#missing)} The chain is not complete without them.`,
              remedy: missingRemedy,
            },
          ]
        : []),
    ]
  }
}

type Fields = Readonly<Record<string, unknown>>

/** The payload with the lines of all its lists in one, so that all are completed. */
const withLinesOf = (payload: EventPayload, kind: EventKind): EventPayload => ({
  ...payload,
  eventList: {
    ...payload.eventList,
    productList: linesOf(payload.eventList as Fields, kind),
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
  const fields: Fields = event
  const { locations, products } = completeEvent(whole, master.of(event.dataProviderVendorId))
  const locationCode = String(fields[kind.place])
  const place = locations.get(locationCode) ?? {}
  const lines = Object.entries(kind.lists).flatMap(([list, { lots }]) =>
    lots === 'none'
      ? []
      : ((fields[list] ?? []) as readonly ProductLine[]).flatMap((line, i) => {
          if (!isGiven(line.caseLotNumber)) return []
          const product = products.get(line.vendorItemCode)
          return [
            {
              pointer: `/eventList/${list}/${i}`,
              part: partOf(lots, kind.name),
              line: lots === 'made' ? madeAt(line, place) : line,
              gtins: gtinsOf(line, product),
              itemDescription: descriptionOf(line, product),
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
