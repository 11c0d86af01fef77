// Traces a lot: reads the events with its lot code, and answers with their trace.

import { completeEvent } from '../../contract/completion.ts'
import { earlierLotsMax, earlierLotText } from '../../contract/earlier-lot.ts'
import { ignoredText, readsLike } from '../../contract/lots/alike-lots.ts'
import { isSameLot, type LotCodeReading, readLotCode } from '../../contract/lots/lot-code.ts'
import type { ReceivingEventPayload } from '../../contract/payloads.ts'
import type { DeliveryKindName } from '../../contract/record-kinds.ts'
import { isFieldText } from '../../contract/shape/field.ts'
import { unitKeyOf } from '../../contract/text/units.ts'
import { traceSvg } from '../../drawing/svg.ts'
import { traceRows } from '../../exports/trace-csv.ts'
import type { Query } from '../../operations/base/query.ts'
import {
  alikeEventsMax,
  traceEventsMax,
  traceLinesMax,
  traceLinesReadMax,
} from '../../operations/traceability/trace-lot.ts'
import type { StoredVersion } from '../../store/database/statement.ts'
import { DamagedRecord, missingRemedy, missingWords, type VersionName } from '../../store/evidence/damaged-record.ts'
import { findEarlierLots } from '../../store/records/earlier-lots.ts'
import { readSelected, type SelectedEvent } from '../../store/records/event-selection.ts'
import { type EventPeriod, selectAlikeLotEvents, selectLotEvents } from '../../store/records/lot-events.ts'
import type { LotEvent } from '../../tracing/lot-event.ts'
import { nearCodesOf } from '../../tracing/lot-query.ts'
import type { LotTrace } from '../../tracing/lot-trace.ts'
import { type TraceQuery, traceOf } from '../../tracing/trace.ts'
import { ItemCodes, UnitConversions } from '../../tracing/unit-conversions.ts'
import { jsonOf, runCooperatively } from '../base/cooperative.ts'
import type { Answer, AnswerFile, HandlerContext, OperationCall } from '../base/handler.ts'
import { inParts } from '../base/row-parts.ts'
import { readSelection } from '../records/event-selection.ts'
import { MasterDataCache } from '../records/exported-events.ts'
import { readAskedLot } from './asked-lot.ts'
import { unitConversionsOf } from './unit-conversions.ts'

/** Most records that had the lot code before a correction that a text names. */
const earlierNamedMax = 5

type TraceOutcome = 'badQuery' | 'unknownLot' | 'unknownSource' | 'traced'

export const traceLot =
  (context: HandlerContext) =>
  async (asked: OperationCall): Promise<Answer<TraceOutcome>> => {
    const { provider, lotCode, query } = asked
    const selection = readSelection(asked)
    if ('outcome' in selection) return selection
    const { tlcSource } = query
    const lot = readAskedLot(asked)
    if ('outcome' in lot) return lot

    const [ofReceiving, ofShipping] = await Promise.all([
      select(context, provider, 'receivingEvent', { reading: lot.reading, period: selection }),
      select(context, provider, 'shippingEvent', { reading: lot.reading, period: selection }),
    ])
    const received = await gather(context, provider, ofReceiving, lot.reading)
    const shipped = await gather(context, provider, ofShipping, lot.reading)
    const moreAlike = received.moreAlike || shipped.moreAlike
    const missing = [...received.missing, ...shipped.missing]
    // Its rows have no place to name missing records.
    if (missing.length > 0 && query.format === 'csv') throw new DamagedRecord(...missing)
    const leftOut =
      missing.length > 0
        ? {
            why: `${missingWords(missing)} The trace is not complete without them.`,
            remedy: missingRemedy,
          }
        : (received.leftOut ?? shipped.leftOut)
    const earlier = isFieldText(lot.reading.lotCode)
      ? await findEarlierLots(context.store, provider, [lotCode], earlierLotsMax)
      : []
    const traceQuery = {
      ...lot,
      conversions: await conversionsOf(context, provider, [...received.events, ...shipped.events]),
      tlcSource,
      period: periodText(query),
      leftOut,
      moreAlike,
      today: new Date().toISOString().slice(0, 10),
      earlier,
    }
    const end = await runCooperatively(traceOf(traceQuery, received.events, shipped.events))
    if ('trace' in end)
      return {
        outcome: 'traced',
        ...(await formatTrace(end.trace, query.format, received.events.length + shipped.events.length)),
      }
    if ('unknownSource' in end)
      return {
        outcome: 'unknownSource',
        detail: `tlcSource names no source of this lot code. Known: ${end.unknownSource.slice(0, 20).join('; ')}${end.unknownSource.length > 20 ? `; and ${end.unknownSource.length - 20} more` : ''}.`,
      }
    return {
      outcome: 'unknownLot',
      detail: unknownLotText(traceQuery, end.unknownLot),
      ...(earlier.length > 0 && { records: earlier }),
    }
  }

/** How units convert: looked up where lines have several. */
async function conversionsOf(
  { store }: HandlerContext,
  provider: string,
  events: readonly LotEvent[],
): Promise<UnitConversions> {
  const texts = new Set(events.flatMap(({ lines }) => lines.map(({ line }) => line.shipQuantityUom)))
  if (new Set([...texts].map(unitKeyOf)).size < 2) return new UnitConversions([])
  const items = new ItemCodes()
  for (const { event, lines } of events)
    for (const { line } of lines) items.add(event.dataProviderVendorId, line.vendorItemCode)
  return unitConversionsOf(store, provider, items.list())
}

/**
 * Events of a kind: those of the lot, the last created first, and then those with lot codes that
 * read alike and nothing of the lot.
 */
interface Selected {
  readonly same: readonly SelectedEvent[]
  readonly alike: readonly SelectedEvent[]
}

async function select(
  { store }: HandlerContext,
  provider: string,
  kind: DeliveryKindName,
  { reading: { lotCode }, period }: { readonly reading: LotCodeReading; readonly period: EventPeriod },
): Promise<Selected> {
  // A text that no line can carry is not looked for: the database cannot be asked about some.
  if (!isFieldText(lotCode)) return { same: [], alike: [] }
  const [same, alike] = await Promise.all([
    selectLotEvents(store, provider, { kind, lotCode, period, limit: traceEventsMax + 1 }),
    selectAlikeLotEvents(store, provider, { kind, lotCode, period, limit: alikeEventsMax + 1 }),
  ])
  const known = new Set(same.map(({ id }) => id))
  return { same, alike: alike.filter(({ id }) => !known.has(id)) }
}

interface Gathered {
  readonly events: readonly LotEvent[]
  readonly leftOut: TraceQuery['leftOut']
  readonly missing: readonly VersionName[]
  readonly moreAlike: boolean
}

/**
 * Reads the events in their order, until a bound is reached; only their lines of the lot and those
 * that read alike are kept.
 */
async function gather(
  context: HandlerContext,
  provider: string,
  { same, alike }: Selected,
  asked: LotCodeReading,
): Promise<Gathered> {
  const readable: SelectedEvent[] = []
  let linesToRead = 0
  for (const event of [...same.slice(0, traceEventsMax), ...alike.slice(0, alikeEventsMax)]) {
    linesToRead += event.lineCount
    if (linesToRead > traceLinesReadMax) break
    readable.push(event)
  }
  const ofTheLot = new Set(same.map(({ id }) => id))
  const master = new MasterDataCache(context, provider)
  const isAlike = readsLike(asked)
  const events: LotEvent[] = []
  let lines = 0
  const missing: VersionName[] = []
  for await (const batch of readSelected(context.store, provider, readable, (some) => missing.push(...some))) {
    const payloads = batch.map((stored) => ({ stored, payload: onlyTheLot(stored, asked, isAlike) }))
    await master.lookUp(payloads.map(({ payload }) => payload.carrying))
    for (const { stored, payload } of payloads) {
      lines += payload.found.length
      if (lines <= traceLinesMax) events.push(lotEventOf(stored, payload, master))
    }
    if (lines > traceLinesMax) break
  }
  // No event of the lot can be shown: the answer must not look like an unknown lot.
  if (events.length === 0 && missing.length > 0) throw new DamagedRecord(...missing)
  const read = events.filter(({ id }) => ofTheLot.has(id)).length
  return {
    events,
    missing,
    leftOut:
      read === same.length
        ? undefined
        : {
            why: `The lot is in more events than a trace may contain. This trace has the ${read} events created last.`,
            remedy: 'Narrow the events with eventStartDate and eventEndDate, and trace one period at a time.',
          },
    moreAlike: events.length - read < alike.length,
  }
}

/**
 * A payload with nothing but the lines that are found, their items and the two places; and where
 * the lines stood.
 */
function onlyTheLot({ body }: StoredVersion, asked: LotCodeReading, isAlike: (read: LotCodeReading) => boolean) {
  const payload = JSON.parse(body) as ReceivingEventPayload
  const { eventList: event } = payload
  const found = event.productList.flatMap((line, index) => {
    if (line.caseLotNumber === undefined) return []
    const read = readLotCode(line.caseLotNumber)
    const same = isSameLot(read, asked)
    return same || isAlike(read) ? [{ index, line, same }] : []
  })
  const items = new Set(found.map(({ line }) => line.vendorItemCode))
  const places = [event.shipFromLocationCode, event.shipToLocationCode]
  const carrying: ReceivingEventPayload = {
    ...payload,
    eventList: { ...event, productList: found.map(({ line }) => line) },
    locationMasterList: payload.locationMasterList.filter(({ locationCode }) => places.includes(locationCode)),
    productMasterDataList: payload.productMasterDataList.filter(({ itemCode }) => items.has(itemCode)),
  }
  const lotCodes = event.productList.flatMap(({ caseLotNumber }) => caseLotNumber ?? [])
  return { carrying, found, nearCodes: nearCodesOf(lotCodes, asked) }
}

function lotEventOf(
  { id, version }: StoredVersion,
  { carrying, found, nearCodes }: ReturnType<typeof onlyTheLot>,
  master: MasterDataCache,
): LotEvent {
  const { locations, products } = completeEvent(carrying, master.of(carrying.eventList.dataProviderVendorId))
  const { productList: _, ...event } = carrying.eventList
  const linesOf = (some: typeof found) =>
    some.map(({ index, line }) => ({ index, line, product: products.get(line.vendorItemCode) }))
  return {
    id,
    version,
    event,
    shipFrom: locations.get(event.shipFromLocationCode) ?? {},
    shipTo: locations.get(event.shipToLocationCode) ?? {},
    lines: linesOf(found.filter(({ same }) => same)),
    alike: linesOf(found.filter(({ same }) => !same)),
    nearCodes,
  }
}

function periodText({ eventStartDate, eventEndDate }: Query): string | undefined {
  if (eventStartDate === undefined && eventEndDate === undefined) return undefined
  if (eventStartDate === undefined) return `until ${eventEndDate}`
  return eventEndDate === undefined ? `from ${eventStartDate}` : `from ${eventStartDate} to ${eventEndDate}`
}

/** Names the searched forms: in a recall the caller must know that no spelling was missed. */
function unknownLotText({ reading: { form, lotCode, gtin }, period, earlier }: TraceQuery, why: string): string {
  const looked = JSON.stringify(lotCode.slice(0, 200))
  const from =
    form === 'text' ? '' : `, read from the lot code in the address${gtin === undefined ? '' : ` with GTIN ${gtin}`}`
  const within = period === undefined ? '' : ` Only events received ${period} were searched.`
  if (earlier.length > 0)
    return `Looked for the lot code ${looked}${from}, in every form of GS1. ${why} It was corrected or voided: ${earlier
      .slice(0, earlierNamedMax)
      .map((one) => `record ${one.id} had ${earlierLotText(one)}`)
      .join(
        '; ',
      )}${earlier.length > earlierNamedMax ? `; and ${earlier.length - earlierNamedMax} more` : ''}.${within} Trace the lot code that the record has now, or read its versions.`
  return `Looked for the lot code ${looked}${from}, in every form of GS1. ${why} No other lot code reads alike when these differences are ignored: ${ignoredText}.${within} Other letters and digits matter (O is not 0): compare them with the case label.`
}

/** The trace in the form asked for. */
async function formatTrace(
  trace: LotTrace,
  format: string | undefined,
  records: number,
): Promise<{ readonly text: string } | { readonly file: AnswerFile }> {
  switch (format) {
    case 'csv':
      return {
        file: {
          mediaType: 'text/csv; charset=utf-8',
          name: `${fileNameOf(trace.lotCode)}.csv`,
          records,
          parts: inParts(traceRows(trace)),
        },
      }
    case 'svg':
      return {
        file: { mediaType: 'image/svg+xml', records, parts: inParts([await runCooperatively(traceSvg(trace))]) },
      }
    default:
      return { text: await runCooperatively(jsonOf(trace)) }
  }
}

/** The lot code with nothing in it that a file name or a header cannot hold. */
const fileNameOf = (lotCode: string): string => `lot-${lotCode.replaceAll(/[^A-Za-z0-9._-]+/g, '_').slice(0, 60)}`
