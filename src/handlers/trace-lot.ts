// Traces a lot: gathers the events with its lot code, and answers with what they say together.
import { stringLengthMax } from '../contract/field.ts'
import { gtin14Of } from '../contract/gs1-text.ts'
import type { LotTrace } from '../contract/lot-trace.ts'
import type { ReceivingEventPayload } from '../contract/payloads.ts'
import { traceRows } from '../exports/lot-trace/csv.ts'
import { type LotAsk, nearCodesOf, readLotAsk } from '../exports/lot-trace/lot-ask.ts'
import type { LotEvent } from '../exports/lot-trace/lot-event.ts'
import { traceSvg } from '../exports/lot-trace/svg.ts'
import { traceOf } from '../exports/lot-trace/trace.ts'
import type { Query } from '../operations/query.ts'
import { traceEventsMax, traceLinesMax, traceLinesReadMax } from '../operations/trace-lot.ts'
import { readSelected, type SelectedEvent } from '../store/event-selection.ts'
import { selectLotEvents } from '../store/lot-events.ts'
import type { StoredVersion } from '../store/statement.ts'
import { readSelection } from './event-selection.ts'
import { completed, MasterDataInForce } from './exported-events.ts'
import type { Answer, AnswerFile, Ask, Workplace } from './handler.ts'

type TraceOutcome = 'badQuery' | 'unknownLot' | 'unknownSource' | 'traced'

export const traceLot =
  (workplace: Workplace) =>
  async (asked: Ask): Promise<Answer<TraceOutcome>> => {
    const { provider, lotCode, query } = asked
    const selection = readSelection(asked)
    if ('outcome' in selection) return selection
    const { gtin, tlcSource } = query
    if (gtin !== undefined && gtin14Of(gtin) === undefined)
      return { outcome: 'badQuery', detail: 'gtin has to be a GTIN of 8, 12, 13 or 14 digits.' }
    const lot = readLotAsk(lotCode, gtin)
    if (lot === undefined)
      return { outcome: 'badQuery', detail: 'gtin is not the GTIN that the lot code names; leave one of them out.' }

    const wanted = lot.spellings.filter(canBeStored)
    const selected =
      wanted.length === 0
        ? []
        : await selectLotEvents(workplace.store.db, provider, wanted, selection, traceEventsMax + 1)
    const gathered = await gather(workplace, provider, selected, new Set(wanted))
    const ask = { ...lot, tlcSource, period: periodText(query), leftOut: gathered.leftOut }
    const end = traceOf(ask, gathered.events)
    if ('trace' in end) return { outcome: 'traced', ...formed(end.trace, query.format, gathered.events.length) }
    if ('unknownSource' in end)
      return {
        outcome: 'unknownSource',
        detail: `tlcSource names no source of this lot code. Known: ${end.unknownSource.slice(0, 20).join('; ')}${end.unknownSource.length > 20 ? `; and ${end.unknownSource.length - 20} more` : ''}.`,
      }
    return { outcome: 'unknownLot', detail: unknownLotText(ask, end.unknownLot) }
  }

/** A text no line can carry is not looked for: the database could not even be asked about some. */
const canBeStored = (text: string): boolean =>
  text.trim() !== '' &&
  !text.includes('\u0000') &&
  [...text.slice(0, 2 * stringLengthMax + 1)].length <= stringLengthMax

interface Gathered {
  readonly events: readonly LotEvent[]
  readonly leftOut: string | undefined
}

/** Reads the events, the last created first, until a bound is reached; only their lines with the lot code are kept. */
async function gather(
  workplace: Workplace,
  provider: string,
  selected: readonly SelectedEvent[],
  spellings: ReadonlySet<string>,
): Promise<Gathered> {
  const readable: SelectedEvent[] = []
  let linesToRead = 0
  for (const event of selected.slice(0, traceEventsMax)) {
    linesToRead += event.lineCount
    if (linesToRead > traceLinesReadMax) break
    readable.push(event)
  }
  const master = new MasterDataInForce(workplace, provider)
  const events: LotEvent[] = []
  let lines = 0
  for await (const batch of readSelected(workplace.store.db, provider, readable)) {
    const payloads = batch.map((stored) => ({ stored, payload: onlyTheLot(stored, spellings) }))
    await master.lookUp(payloads.map(({ payload }) => payload.carrying))
    for (const { stored, payload } of payloads) {
      lines += payload.indexes.length
      if (lines <= traceLinesMax) events.push(lotEventOf(stored, payload, master))
    }
    if (lines > traceLinesMax) break
  }
  const complete = events.length === selected.length
  return {
    events,
    leftOut: complete
      ? undefined
      : `The lot is in more events than one trace is made from: these are the ${events.length} created last.`,
  }
}

/** A payload with nothing but the lines of the lot, their items and the two places; and where the lines stood. */
function onlyTheLot({ body }: StoredVersion, spellings: ReadonlySet<string>) {
  const payload = JSON.parse(body) as ReceivingEventPayload
  const { eventList: event } = payload
  const indexes = event.productList.flatMap(({ caseLotNumber }, index) =>
    caseLotNumber !== undefined && spellings.has(caseLotNumber) ? [index] : [],
  )
  const productList = indexes.flatMap((index) => event.productList[index] ?? [])
  const items = new Set(productList.map(({ vendorItemCode }) => vendorItemCode))
  const places = [event.shipFromLocationCode, event.shipToLocationCode]
  const carrying: ReceivingEventPayload = {
    ...payload,
    eventList: { ...event, productList },
    locationMasterList: payload.locationMasterList.filter(({ locationCode }) => places.includes(locationCode)),
    productMasterDataList: payload.productMasterDataList.filter(({ itemCode }) => items.has(itemCode)),
  }
  const lotCodes = event.productList.flatMap(({ caseLotNumber }) => caseLotNumber ?? [])
  return { carrying, indexes, nearCodes: nearCodesOf(lotCodes, spellings) }
}

function lotEventOf(
  { id, version }: StoredVersion,
  { carrying, indexes, nearCodes }: ReturnType<typeof onlyTheLot>,
  master: MasterDataInForce,
): LotEvent {
  const { locations, products } = completed(carrying, master)
  const { productList, ...event } = carrying.eventList
  return {
    id,
    version,
    event,
    shipFrom: locations.get(event.shipFromLocationCode) ?? {},
    shipTo: locations.get(event.shipToLocationCode) ?? {},
    lines: productList.map((line, i) => ({
      index: indexes[i] ?? 0,
      line,
      product: products.get(line.vendorItemCode),
    })),
    nearCodes,
  }
}

function periodText({ eventStartDate, eventEndDate }: Query): string | undefined {
  if (eventStartDate === undefined && eventEndDate === undefined) return undefined
  if (eventStartDate === undefined) return `until ${eventEndDate}`
  return eventEndDate === undefined ? `from ${eventStartDate}` : `from ${eventStartDate} to ${eventEndDate}`
}

function unknownLotText(
  { spellings, gs1, period }: LotAsk & { readonly period: string | undefined },
  why: string,
): string {
  const looked = spellings.map((text) => JSON.stringify(text.slice(0, 200))).join(' and ')
  const as =
    gs1 === undefined
      ? ''
      : ` It was read as lot ${gs1.lotCode.slice(0, 100)}${gs1.gtin ? ` of GTIN ${gs1.gtin}` : ''}.`
  const within = period === undefined ? '' : ` Only events received ${period} were looked at.`
  return `Looked for the lot code ${looked}. ${why}${as}${within} A lot code is compared exactly: check case, blanks, dashes and zeros, and that it is percent-encoded in the address.`
}

/** The trace in the form asked for. */
function formed(
  trace: LotTrace,
  format: string | undefined,
  records: number,
): { readonly body: object } | { readonly file: AnswerFile } {
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
      return { file: { mediaType: 'image/svg+xml', records, parts: inParts([traceSvg(trace)]) } }
    default:
      return { body: trace }
  }
}

/** The lot code with nothing in it that a file name or a header cannot hold. */
const fileNameOf = (lotCode: string): string => `lot-${lotCode.replaceAll(/[^A-Za-z0-9._-]+/g, '_').slice(0, 60)}`

/** Rows that are sent at once. */
const rowsAtOnce = 200

async function* inParts(rows: Iterable<string>): AsyncGenerator<string> {
  let part: string[] = []
  for (const row of rows) {
    part.push(row)
    if (part.length < rowsAtOnce) continue
    yield part.join('')
    part = []
  }
  if (part.length > 0) yield part.join('')
}
