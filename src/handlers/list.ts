// Lists records, and the versions of one record, page by page.
import type { RecordKind } from '../contract/record-kinds.ts'
import { pageBytesMax } from '../limits.ts'
import { findVersions, readInPortions } from '../store/record-versions.ts'
import type { FoundVersion } from '../store/search.ts'
import type { StoredVersion } from '../store/statement.ts'
import { limitOf, makeCursor, numberIn, numberMax, pageOf, recordIdIn, scopeOf, startOf } from './cursor.ts'
import type { Answer, HandlerContext, OperationCall } from './handler.ts'
import { textsWithId, withId } from './read.ts'
import { isRecordId } from './record-id.ts'
import type { StoredKind } from './stored-kinds.ts'

/**
 * Characters of a page that is sent as a whole. Larger ones are read and sent record by record, and
 * take turns (decision 0053).
 */
const wholePageLengthMax = 1024 * 1024

/**
 * Ids are made in the order of creation and never change, so a page that goes on below an id
 * neither skips nor repeats. One record more than the page shows is looked for, which says whether
 * another page follows.
 */
export const list =
  <Search, Taken extends 'taken'>({ store }: HandlerContext, storedKind: StoredKind<Search, Taken>) =>
  async (call: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const { limit: _, cursor: __, ...filters } = call.query
    const scope = scopeOf(storedKind.kind.name, filters)
    const start = startOf(call.query, { scope, positionIn: recordIdIn })
    if ('outcome' in start) return start
    const limit = limitOf(call.query)
    const found = await storedKind.search(store, [call.provider, limit + 1], { before: start.position, ...filters })
    if (isWhole(found)) {
      const page = found.slice(0, limit)
      const last = page.at(-1)
      const text = `{"content":[${page.map(withId).join(',')}${endOf(found.length > limit ? last?.id : undefined, scope)}`
      return { outcome: 'listed', text }
    }
    const page = found.slice(0, limit).map(({ id, version }) => ({ id, version }))
    const next = found.length > limit ? page.at(-1)?.id : undefined
    // What was read of it is let go of while it waits, since many may.
    found.length = 0
    const parts = largePage(readInPortions(store, call.provider, page), next, scope)
    return {
      outcome: 'listed',
      file: { mediaType: 'application/json; charset=utf-8', isLargePage: true, records: page.length, parts },
    }
  }

/** True of a page whose bodies all came with the search, and are not large together. */
const isWhole = (found: FoundVersion[]): found is StoredVersion[] =>
  found.every(({ body }) => body !== null) &&
  found.reduce((sum, { body }) => sum + (body?.length ?? 0), 0) <= wholePageLengthMax

/**
 * The text of a page in parts: it ends with its records or its bytes, and has one record at least.
 * `next` is where the list goes on.
 */
async function* largePage(
  records: AsyncIterable<StoredVersion>,
  next: string | undefined,
  scope: string,
): AsyncGenerator<string> {
  let bytes = 0
  let shown: string | undefined
  // With the first record and not before it: what cannot be read at all is then answered as a
  // failure.
  let between = '{"content":['
  for await (const record of records) {
    bytes += Buffer.byteLength(record.body)
    if (shown !== undefined && bytes > pageBytesMax) {
      yield endOf(shown, scope)
      return
    }
    yield between
    yield* textsWithId(record)
    between = ','
    shown = record.id
  }
  yield `${shown === undefined ? between : ''}${endOf(next, scope)}`
}

/** The end of a page; with an id, the list goes on behind that record. */
const endOf = (lastId: string | undefined, scope: string): string =>
  `],"nextCursor":${JSON.stringify(lastId === undefined ? null : makeCursor(lastId, scope))}}`

export const listVersions =
  ({ store }: HandlerContext, kind: RecordKind) =>
  async (call: OperationCall): Promise<Answer<'unknownRecord' | 'listed' | 'badQuery'>> => {
    const missing: Answer<'unknownRecord'> = {
      outcome: 'unknownRecord',
      detail: `There is no ${kind.noun} with id ${call.id.slice(0, 60)}.`,
    }
    if (!isRecordId(call.id)) return missing
    const listed = await pageOf(call.query, {
      scope: scopeOf(`${kind.name} versions`, { id: call.id }),
      positionIn: numberIn,
      find: (before = numberMax, count) => findVersions(store, call.provider, kind.name, call.id, before, count),
      positionOf: ({ version }) => String(version),
    })
    if ('outcome' in listed) return listed
    if (listed.page.length === 0) return missing
    return {
      outcome: 'listed',
      body: {
        content: listed.page.map(({ submittedAt, purgedAt, ...summary }) => ({
          ...summary,
          submittedDateTime: submittedAt.toISOString(),
          purgedDateTime: purgedAt?.toISOString() ?? null,
        })),
        nextCursor: listed.nextCursor,
      },
    }
  }
