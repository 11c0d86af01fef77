// Lists records, and the versions of one record, page by page.
import type { RecordKind } from '../contract/record-kinds.ts'
import { listVersions as listStoredVersions } from '../store/record-versions.ts'
import { pageOf, readCursor, scopeOf, strangeCursor } from './cursor.ts'
import type { Answer, Ask, Workplace } from './handler.ts'
import { withId } from './read.ts'
import { isRecordId } from './record-id.ts'
import type { RecordKeeping } from './record-keeping.ts'

/** Ids are made in the order of creation and never change, so a page that goes on below an id neither skips nor repeats. */
export const list =
  <Search, Taken extends 'taken'>({ store: { db } }: Workplace, keeping: RecordKeeping<Search, Taken>) =>
  async (ask: Ask): Promise<Answer<'listed' | 'badQuery'>> => {
    const { limit: _, cursor, ...filters } = ask.query
    const scope = scopeOf(keeping.kind.name, filters)
    const before = cursor === undefined ? undefined : readCursor(cursor, scope)
    if (cursor !== undefined && (before === undefined || !isRecordId(before))) return strangeCursor
    const { page, nextCursor } = await pageOf(
      ask.query,
      scope,
      (count) => keeping.search(db, [ask.provider, count], { before, ...filters }),
      ({ id }) => id,
    )
    return {
      outcome: 'listed',
      text: `{"content":[${page.map(withId).join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`,
    }
  }

const versionMax = 2 ** 31 - 1

export const listVersions =
  ({ store: { db } }: Workplace, kind: RecordKind) =>
  async (ask: Ask): Promise<Answer<'unknownRecord' | 'listed' | 'badQuery'>> => {
    const missing: Answer<'unknownRecord'> = {
      outcome: 'unknownRecord',
      detail: `There is no ${kind.noun} with id ${ask.id.slice(0, 60)}.`,
    }
    if (!isRecordId(ask.id)) return missing
    const scope = scopeOf(`${kind.name} versions`, { id: ask.id })
    const before = ask.query.cursor === undefined ? String(versionMax) : readCursor(ask.query.cursor, scope)
    if (before === undefined || !/^\d{1,10}$/.test(before) || Number(before) > versionMax) return strangeCursor
    const { page, nextCursor } = await pageOf(
      ask.query,
      scope,
      (count) => listStoredVersions(db, ask.provider, kind.name, ask.id, Number(before), count),
      ({ version }) => String(version),
    )
    if (page.length === 0) return missing
    return {
      outcome: 'listed',
      body: {
        content: page.map(({ submittedAt, purgedAt, ...summary }) => ({
          ...summary,
          submittedDateTime: submittedAt.toISOString(),
          purgedDateTime: purgedAt?.toISOString() ?? null,
        })),
        nextCursor,
      },
    }
  }
