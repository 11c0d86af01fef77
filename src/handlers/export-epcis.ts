// Exports a page of receiving events as EPCIS 2.0. Source: decision 0032.
import type { ReceivingEventPayload } from '../contract/payloads.ts'
import type { ExportedVersion } from '../exports/epcis/object-event.ts'
import { queryDocument } from '../exports/epcis/query-document.ts'
import { perPageLimits } from '../operations/export-epcis.ts'
import { type EventVersion, listEventVersions, readSelected, selectEventsDown } from '../store/event-selection.ts'
import { makeCursor, readCursor, scopeOf } from './cursor.ts'
import { readSelection } from './event-selection.ts'
import { begun, completed, MasterDataInForce } from './exported-events.ts'
import type { Answer, Ask, Workplace } from './handler.ts'
import { isRecordId } from './record-id.ts'

const operation = 'exportEpcis'

/**
 * Records are met newest first by id, which never changes, and the versions of each in their order, to which only later ones
 * are added: so a page that goes on after a version of a record neither skips nor repeats.
 */
export const exportEpcis =
  (workplace: Workplace) =>
  async (ask: Ask): Promise<Answer<'exported' | 'badQuery'>> => {
    const { perPage = perPageLimits.default, nextPageToken, ...query } = ask.query
    const selection = readSelection({ query, lists: ask.lists })
    if ('outcome' in selection) return selection
    const { db } = workplace.store
    const scope = scopeOf(operation, { ...query, ...ask.lists })
    const reached = nextPageToken === undefined ? undefined : positionIn(nextPageToken, scope)
    if (nextPageToken !== undefined && reached === undefined)
      return {
        outcome: 'badQuery',
        detail: 'nextPageToken does not belong to this export with these filters; start again without it.',
      }

    const limit = Number(perPage) + 1
    const found = await selectEventsDown(db, ask.provider, selection, reached?.id, limit)
    const records = [...(reached ? [reached] : []), ...found.map(({ id }) => ({ id, after: 0 }))]
    const versions = await listEventVersions(db, ask.provider, records, limit)
    const page = versions.slice(0, limit - 1)
    const last = page.at(-1)
    return {
      outcome: 'exported',
      file: {
        mediaType: 'application/ld+json',
        records: page.length,
        parts: queryDocument(operation, new Date(), await begun(exportedVersions(workplace, ask.provider, page))),
      },
      ...(versions.length === limit && last !== undefined && { nextPageToken: makeCursor(nameOf(last), scope) }),
    }
  }

function positionIn(token: string, scope: string): { readonly id: string; readonly after: number } | undefined {
  const [, id = '', version] = /^(.{36})\.(\d{1,9})$/.exec(readCursor(token, scope) ?? '') ?? []
  return isRecordId(id) ? { id, after: Number(version) } : undefined
}

/** The versions in order, completed with the master data in force, a batch at a time; made when asked for. */
async function* exportedVersions(
  workplace: Workplace,
  provider: string,
  page: readonly EventVersion[],
): AsyncGenerator<readonly ExportedVersion[]> {
  const master = new MasterDataInForce(workplace, provider)
  const known = new Map(page.map((version) => [nameOf(version), version]))
  for await (const batch of readSelected(workplace.store.db, provider, page)) {
    const read = batch.flatMap((stored) => {
      const about = known.get(nameOf(stored))
      return about === undefined ? [] : [{ ...about, payload: JSON.parse(stored.body) as ReceivingEventPayload }]
    })
    await master.lookUp(read.map(({ payload }) => payload))
    yield read.map((version) => ({ ...version, provider, ...completed(version.payload, master) }))
  }
}

const nameOf = ({ id, version }: { readonly id: string; readonly version: number }): string => `${id}.${version}`
