// Exports a page of receiving or shipping events as EPCIS 2.0. Source: decision 0032.
import { completeEvent, sourceNumbersOf } from '../../contract/completion.ts'
import type { AnyEventPayload } from '../../contract/payloads.ts'
import {
  deliveryKindList,
  type EventKindName,
  eventKindNames,
  eventKinds,
  receivingEvent,
} from '../../contract/record-kinds.ts'
import { Page } from '../../exports/epcis/document.ts'
import { hashIdOf, preHashOf } from '../../exports/epcis/event-hash.ts'
import { eventIdOf, eventsOf } from '../../exports/epcis/events.ts'
import type { JsonObject } from '../../exports/epcis/extension.ts'
import { namespaceOf, providerUri } from '../../exports/epcis/identifiers.ts'
import {
  documentTypes,
  type EventIdForm,
  eventIdForms,
  perPageLimits,
} from '../../operations/traceability/export-epcis.ts'
import { sha256Hex } from '../../sha256.ts'
import type { StoredVersion } from '../../store/database/statement.ts'
import { DamagedRecord } from '../../store/evidence/damaged-record.ts'
import {
  type EventVersion,
  listEventVersions,
  missingVersions,
  readSelected,
  selectEventsDown,
} from '../../store/records/event-selection.ts'
import { findVoidedEvents } from '../../store/records/voids.ts'
import { findMasterDataThen } from '../../store/traceability/master-data-history.ts'
import { makeCursor, readCursor, scopeOf } from '../base/cursor.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { isRecordId } from '../base/record-id.ts'
import { readSelection } from '../records/event-selection.ts'
import { withLinesOf } from '../records/exported-events.ts'

const operation = 'exportEpcis'

/** The first event of a page: its number within its version. */
interface Position {
  readonly id: string
  readonly version: number
  readonly event: number
}

/**
 * Records come newest first by id, which never changes, and their versions in order, to which only
 * later ones are added. So a page that continues with an event of a version neither skips nor
 * repeats any.
 */
export const exportEpcis =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'exported' | 'badQuery'>> => {
    const { perPage = perPageLimits.default, nextPageToken, ...query } = call.query
    const { documentType: _type, eventId, voided, kind: named, bizStep, ...filters } = query
    if (named !== undefined && bizStep !== undefined)
      return { outcome: 'badQuery', detail: 'Send kind or bizStep, and not both.' }
    const { name: ofStep } = deliveryKindList.find(({ epcis }) => epcis.bizStep === bizStep) ?? receivingEvent
    const kind = eventKindNames.find((name) => name === named) ?? ofStep
    const selection = readSelection({ query: filters, lists: call.lists })
    if ('outcome' in selection) return selection
    const scope = scopeOf(operation, { ...query, ...call.lists })
    const start = nextPageToken === undefined ? undefined : positionIn(nextPageToken, scope)
    if (nextPageToken !== undefined && start === undefined)
      return {
        outcome: 'badQuery',
        detail: 'nextPageToken belongs to another export or other filters. Start again without it.',
      }

    const limit = Number(perPage) + 1
    const { store } = context
    const find = voided === 'only' ? findVoidedEvents : selectEventsDown
    const found = await find(store, call.provider, { selection, before: start?.id, limit, kind })
    const reached = start === undefined ? [] : [{ id: start.id, after: start.version - 1 }]
    const records = [...reached, ...found.map(({ id }) => ({ id, after: 0 }))]
    const versions = await listEventVersions(store, { provider: call.provider, records, limit, withVoids: false, kind })
    await failIfDamaged(store, call.provider, records)

    const type = chosen(documentTypes, query.documentType)
    const page = new Page(type, context.identifierBase, new Date(), limit - 1)
    const said = eventsOfVersions(context, call.provider, { kind, versions, form: chosen(eventIdForms, eventId) })
    const { shown, next } = await fillPage(page, said, start)
    return {
      outcome: 'exported',
      file: {
        mediaType: 'application/ld+json',
        records: shown,
        parts: (async function* () {
          yield* page.parts()
        })(),
      },
      ...(next !== undefined && {
        nextPageToken: makeCursor(`${next.id}.${next.version}.${next.event}`, scope),
      }),
    }
  }

/** Most missing versions that a problem names. */
const missingNamedMax = 20

/**
 * Versions are listed as they are stored, so a missing one would not be noticed: the one before it
 * would be exported as the current one.
 */
async function failIfDamaged(
  store: HandlerContext['store'],
  provider: string,
  records: readonly { readonly id: string }[],
): Promise<void> {
  const ids = records.map(({ id }) => ({ id }))
  const missing = await missingVersions(store, provider, ids, missingNamedMax)
  if (missing.length > 0) throw new DamagedRecord(...missing)
}

/**
 * Adds events to the page from `start` on; returns the number of versions in it, and the first
 * event that did not fit.
 */
async function fillPage(
  page: Page,
  said: AsyncIterable<VersionEvents>,
  start: Position | undefined,
): Promise<{ readonly shown: number; readonly next: Position | undefined }> {
  const shown = new Set<string>()
  for await (const { id, version, events } of said) {
    const from = id === start?.id && version === start.version ? start.event : 0
    for (const [event, document] of events.entries()) {
      if (event < from) continue
      if (!page.add(document)) return { shown: shown.size, next: { id, version, event } }
      shown.add(`${id}.${version}`)
    }
  }
  return { shown: shown.size, next: undefined }
}

/** One of the values of a choice; the first when none was made. */
const chosen = <Value extends string>(values: readonly [Value, ...Value[]], made: string | undefined): Value =>
  values.find((value) => value === made) ?? values[0]

function positionIn(token: string, scope: string): Position | undefined {
  const [, id = '', version, event] = /^(.{36})\.([1-9]\d{0,8})\.(\d{1,9})$/.exec(readCursor(token, scope) ?? '') ?? []
  return isRecordId(id) ? { id, version: Number(version), event: Number(event) } : undefined
}

/** A version and its events. */
interface VersionEvents {
  readonly id: string
  readonly version: number
  readonly events: readonly JsonObject[]
}

/** The events of versions, in order, read in batches on demand. */
async function* eventsOfVersions(
  context: HandlerContext,
  provider: string,
  {
    kind,
    versions,
    form,
  }: { readonly kind: EventKindName; readonly versions: readonly EventVersion[]; readonly form: EventIdForm },
): AsyncGenerator<VersionEvents> {
  const namespace = namespaceOf(context.identifierBase)
  const hashOf = (event: JsonObject): string => hashIdOf(sha256Hex(preHashOf(event, namespace)))
  const about = new Map(versions.map((version) => [nameOf(version), version]))
  for await (const stored of readSelected(context.store, provider, versions)) {
    const batch = stored.flatMap((version) => about.get(nameOf(version)) ?? [])
    // The hash that identifies a correction is that of the next version.
    const corrected = batch.filter(({ replacedAt, voidedFor }) => replacedAt !== null && voidedFor === null)
    const corrections = form === 'hash' ? corrected.map(nextOf) : []
    const hashes = new Map<string, string>()
    for await (const later of readSelected(context.store, provider, corrections))
      for (const version of await describe(context, provider, kind, later))
        hashes.set(nameOf(version), hashOf(eventsOf({ ...version, ...asCurrent })[0]))
    for (const version of await describe(context, provider, kind, stored)) {
      const {
        replacedAt = null,
        voidedFor = null,
        correctedFor = null,
        submittedAt = new Date(0),
        purgedBefore = null,
      } = about.get(nameOf(version)) ?? {}
      const next = nextOf(version)
      const eventId = hashes.get(nameOf(next)) ?? eventIdOf(next.id, next.version)
      const said = eventsOf({
        ...version,
        submittedAt,
        purgedBefore,
        declaredWrong: replacedAt && {
          at: replacedAt,
          ...(voidedFor === null
            ? { correctedBy: eventId, changeReason: correctedFor ?? undefined }
            : { voidReason: voidedFor }),
        },
      })
      const events = form === 'hash' ? said.map((event) => ({ ...event, eventID: hashOf(event) })) : said
      yield { ...version, events }
    }
  }
}

/** Fields that are not part of the hash of an event. */
const asCurrent = { submittedAt: new Date(0), declaredWrong: null, purgedBefore: null }

/**
 * Versions with their places and products, completed with the master data that was in force when
 * each was stored.
 */
async function describe(
  { store, identifierBase }: HandlerContext,
  provider: string,
  kind: EventKindName,
  stored: readonly StoredVersion[],
) {
  const read = stored.map(({ id, version, body }) => {
    const payload = JSON.parse(body) as AnyEventPayload
    const about = { kind, id, version, root: providerUri(identifierBase, provider), payload }
    return { about, whole: withLinesOf(payload, eventKinds[kind]) }
  })
  const codes = read.map(({ about: { id, version }, whole: { eventList: event, locationMasterList } }) => ({
    id,
    version,
    vendor: event.dataProviderVendorId,
    locations: locationMasterList.map(({ locationCode }) => locationCode),
    items: event.productList.map(({ vendorItemCode }) => vendorItemCode),
    numbers: [...sourceNumbersOf(event.productList)],
  }))
  const known = await findMasterDataThen(store, provider, codes)
  return read.map(({ about, whole }, i) => {
    const { locations, products } = known[i] ?? { locations: new Map(), products: new Map() }
    const stored = [...locations.values()]
    return {
      ...about,
      ...completeEvent(whole, {
        location: (code) => locations.get(code),
        product: (code) => products.get(code),
        numbered: (number) => stored.filter(({ gln, duns }) => gln === number || duns === number),
      }),
    }
  })
}

const nextOf = <V extends { readonly version: number }>(version: V): V => ({ ...version, version: version.version + 1 })

const nameOf = ({ id, version }: { readonly id: string; readonly version: number }): string => `${id}.${version}`
