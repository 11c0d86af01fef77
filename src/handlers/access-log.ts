// Lists the access log.
import { accessEntries } from '../store/access-log.ts'
import { pageOf, readCursor, scopeOf, strangeCursor } from './cursor.ts'
import type { Answer, Ask, Workplace } from './handler.ts'
import { isRecordId } from './record-id.ts'

export const listAccessLog =
  ({ store: { db } }: Workplace) =>
  async ({ provider, query }: Ask): Promise<Answer<'listed' | 'badQuery'>> => {
    const { limit: _, cursor, ...selection } = query
    const scope = scopeOf('access log', selection)
    const before = cursor === undefined ? undefined : readCursor(cursor, scope)
    if (cursor !== undefined && (before === undefined || !isRecordId(before))) return strangeCursor
    const { page, nextCursor } = await pageOf(
      query,
      scope,
      (count) => accessEntries(db, provider, selection, before, count),
      ({ id }) => id,
    )
    return {
      outcome: 'listed',
      body: {
        content: page.map(({ beganAt, endedAt, bytes, ...entry }) => ({
          ...entry,
          beganDateTime: beganAt.toISOString(),
          endedDateTime: endedAt?.toISOString() ?? null,
          bytes: bytes === null ? null : Number(bytes),
        })),
        nextCursor,
      },
    }
  }
