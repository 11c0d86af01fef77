// Data of an export: the selected versions, completed with current master data, and their gaps.
import { completeEvent, type KnownMasterData, sourceNumbersOf } from '../../contract/completion.ts'
import { type ExemptPlaces, exemptionOf, type NewExemptPlace } from '../../contract/exempt-place.ts'
import type { Location } from '../../contract/location.ts'
import type { AnyEventPayload, EventPayload } from '../../contract/payloads.ts'
import type { MasterProduct } from '../../contract/product.ts'
import {
  type DeliveryKindName,
  type EventKind,
  type EventKindName,
  eventKinds,
  linesOf,
  receivingEvent,
} from '../../contract/record-kinds.ts'
import type { Finding } from '../../contract/shape/finding.ts'
import type { Loose } from '../../contract/shape/read-shape.ts'
import type { AnyExportedEvent, ExportedEvent } from '../../exports/exported-event.ts'
import { judgeStored, onlyRecordOf, readPayload, type StoredVerdict } from '../../rules/judge.ts'
import { type Facts, noFacts, numberedIn, type RuleSettings, timeZoneOf, vendorKey } from '../../rules/rule.ts'
import { shownFinding } from '../../rules/stored-findings.ts'
import { declaredSettings } from '../../store/base/declared-settings.ts'
import { readSelected, type SelectedEvent } from '../../store/records/event-selection.ts'
import { timeZonesOfProvider } from '../../store/records/location-time-zones.ts'
import { findFacts } from '../../store/store.ts'
import type { HandlerContext } from '../base/handler.ts'
import { byLocation, exemptPlacesIn, type MasterDataFacts } from './judged-payload.ts'

/**
 * Master data of one export. A value stays the same once read, so that reading the events twice
 * gives the same.
 */
export class MasterDataCache {
  readonly locations = new Map<string, Loose<Location>>()
  readonly products = new Map<string, Loose<MasterProduct> & { readonly id: string }>()
  #numbered: Facts['locationsByNumber'] = noFacts.locationsByNumber
  readonly #looked = new Set<string>()
  #timeZones: Promise<Facts['timeZones']> | undefined
  #exemptPlaces: ExemptPlaces | undefined
  readonly #context: Pick<HandlerContext, 'store'>
  readonly #provider: string

  constructor(context: Pick<HandlerContext, 'store'>, provider: string) {
    this.#context = context
    this.#provider = provider
  }

  /** Time zones of locations. */
  timeZones(): Promise<Facts['timeZones']> {
    this.#timeZones ??= timeZonesOfProvider(this.#context.store, { provider: this.#provider }).then(byLocation)
    return this.#timeZones
  }

  /** Places to which the rule does not apply. */
  async exemptPlaces(): Promise<ExemptPlaces> {
    this.#exemptPlaces ??= exemptPlacesIn(
      await declaredSettings<NewExemptPlace>(this.#context.store, this.#provider, 'exemptPlace'),
    )
    return this.#exemptPlaces
  }

  /** Current master data of one vendor. */
  of(vendor: string): KnownMasterData {
    return {
      location: (code) => this.locations.get(vendorKey(vendor, code)),
      product: (code) => this.products.get(vendorKey(vendor, code)),
      numbered: (number) => this.#numbered.get(vendorKey(vendor, number)) ?? [],
    }
  }

  /** The same as rules look it up. */
  facts(): MasterDataFacts {
    return {
      masterLocations: this.locations,
      locationsByNumber: this.#numbered,
      masterProducts: this.products,
      exemptPlaces: this.#exemptPlaces ?? noFacts.exemptPlaces,
    }
  }

  /** Reads master data of these payloads that is not cached yet. */
  async lookUp(payloads: readonly EventPayload[]): Promise<void> {
    const locations: { vendor: string; code: string }[] = []
    const items: { vendor: string; code: string }[] = []
    const numbers: { vendor: string; code: string }[] = []
    const want = (wanted: typeof locations, kind: string, vendor: string, code: string) => {
      const key = `${kind}\u0000${vendorKey(vendor, code)}`
      if (this.#looked.has(key)) return
      this.#looked.add(key)
      wanted.push({ vendor, code })
    }
    for (const { eventList: event, locationMasterList, productMasterDataList } of payloads) {
      const vendor = event.dataProviderVendorId
      for (const { itemCode } of productMasterDataList) want(items, 'item', vendor, itemCode)
      for (const { locationCode } of locationMasterList) want(locations, 'location', vendor, locationCode)
      for (const { vendorItemCode } of event.productList) want(items, 'item', vendor, vendorItemCode)
      for (const number of sourceNumbersOf(event.productList)) want(numbers, 'number', vendor, number)
    }
    await this.exemptPlaces()
    const found = await findFacts(this.#context.store, this.#provider, {
      kind: receivingEvent.name,
      locations,
      items,
      numbers: numbers.length > 0 ? numbers : undefined,
      payloadId: undefined,
      identifiers: [],
      replacedRecordId: undefined,
    })
    for (const { vendor, code, content } of found.locations) this.locations.set(vendorKey(vendor, code), content)
    if (found.locations.length > 0) this.#numbered = numberedIn(this.locations)
    for (const { vendor, code, id, content } of found.items)
      this.products.set(vendorKey(vendor, code), { ...content, id })
  }
}

/** The payload with the lines of all its lists in one, so that all are completed. */
export const withLinesOf = (payload: AnyEventPayload, kind: EventKind): EventPayload => ({
  ...(payload as EventPayload),
  eventList: { ...payload.eventList, productList: linesOf(payload.eventList, kind) } as EventPayload['eventList'],
})

interface Selected<Kind extends EventKindName> {
  readonly selected: readonly SelectedEvent[]
  readonly master: MasterDataCache
  readonly kind: Kind
}

/** The selected events in order, in batches, read on demand. */
export const exportedEvents = (
  context: HandlerContext,
  provider: string,
  selected: Omit<Selected<DeliveryKindName>, 'kind'> & Partial<Selected<DeliveryKindName>>,
): AsyncGenerator<readonly ExportedEvent[]> =>
  eventsOfKind(context, provider, { kind: 'receivingEvent', ...selected }) as AsyncGenerator<readonly ExportedEvent[]>

/** The same of any kind. */
export async function* eventsOfKind(
  context: HandlerContext,
  provider: string,
  { selected, master, kind: name }: Selected<EventKindName>,
): AsyncGenerator<readonly AnyExportedEvent[]> {
  const kind = eventKinds[name]
  for await (const batch of readSelected(context.store, provider, selected)) {
    const read = batch.map(({ id, version, body }) => {
      const payload = JSON.parse(body) as AnyEventPayload
      return { stored: { kind: name, id, version, payload }, whole: withLinesOf(payload, kind) }
    })
    await master.lookUp(read.map(({ whole }) => whole))
    const [timeZones, exemptPlaces] = [await master.timeZones(), await master.exemptPlaces()]
    yield read.map(({ stored, whole }) => {
      const { eventList: event } = stored.payload
      return {
        ...stored,
        ...completeEvent(whole, master.of(event.dataProviderVendorId)),
        timeZone: timeZoneOf(timeZones, event.dataProviderVendorId, String(event[kind.place])),
        ...(name === 'receivingEvent' && { exemption: exemptionOf(event, exemptPlaces) }),
        // Judging an event takes longer than reading it, and not every export needs it.
        gaps: () => gapsOf(stored.payload, master, context.settings, name),
      }
    })
  }
}

/**
 * The same batches, with the first one already read: an early failure is then a problem response,
 * and not a file that breaks off.
 */
export async function withFirstBatchRead<Batch>(batches: AsyncGenerator<Batch>): Promise<AsyncGenerator<Batch>> {
  const first = await batches.next()
  return (async function* () {
    if (first.done) return
    yield first.value
    yield* batches
  })()
}

/**
 * The gaps of a stored event with current master data, for exports, current findings and
 * completeness alike.
 */
const gapsOf = (
  payload: AnyEventPayload,
  master: MasterDataCache,
  settings: RuleSettings,
  kind: EventKindName,
): readonly Finding[] =>
  verdictOf(payload, master.facts(), settings, { kind })
    .findings()
    .map((finding) =>
      shownFinding(
        finding,
        kind,
        kind === receivingEvent.name ? exemptionOf(payload.eventList, master.facts().exemptPlaces) : undefined,
      ),
    )
    .filter(({ severity }) => severity === 'gap')

/** The current findings about a stored event. */
export function verdictOf(
  payload: AnyEventPayload,
  master: MasterDataFacts,
  settings: RuleSettings,
  {
    timeZones = noFacts.timeZones,
    kind = 'receivingEvent',
  }: { readonly timeZones?: typeof noFacts.timeZones; readonly kind?: EventKindName } = {},
): StoredVerdict {
  const facts = { ...noFacts, ...master, timeZones }
  const reading = readPayload(eventKinds[kind], eventKinds[kind].payload, payload)
  return onlyRecordOf(judgeStored(eventKinds[kind], reading, facts, settings))
}
