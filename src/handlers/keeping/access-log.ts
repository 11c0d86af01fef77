// Lists the access log.
import { accessEntries } from '../../store/evidence/access-log.ts'
import { pageOf, recordIdIn, scopeOf } from '../base/cursor.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { keyNamer } from '../base/key-names.ts'

export const listAccessLog =
  ({ store }: HandlerContext) =>
  async ({ provider, query }: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const { limit: _, cursor: __, ...selection } = query
    const listed = await pageOf(query, {
      scope: scopeOf('access log', selection),
      positionIn: recordIdIn,
      find: (before, count) => accessEntries(store, { ...selection, before, limit: count, provider }),
      positionOf: ({ id }) => id,
    })
    if ('outcome' in listed) return listed
    const nameOf = await keyNamer(
      { store },
      provider,
      listed.page.map(({ who }) => who),
    )
    return {
      outcome: 'listed',
      body: {
        content: listed.page.map(({ beganAt, endedAt, bytes, ...entry }) => ({
          ...entry,
          keyName: nameOf(entry.who),
          beganDateTime: beganAt.toISOString(),
          endedDateTime: endedAt?.toISOString() ?? null,
          bytes: bytes === null ? null : Number(bytes),
        })),
        nextCursor: listed.nextCursor,
      },
    }
  }
