// Lists records, and the versions of one record, page by page.
import type { RecordKind } from '../../contract/record-kinds.ts'
import { declareLimit } from '../../limits.ts'
import type { JudgedRecords } from '../../operations/base/bodies.ts'
import type { Query, QueryLists } from '../../operations/base/query.ts'
import { besideVoided } from '../../operations/records/void.ts'
import type { StoredVersion } from '../../store/database/statement.ts'
import type { VersionName } from '../../store/evidence/damaged-record.ts'
import type { Listed, SortedPosition, Sorting } from '../../store/records/listing.ts'
import { findVersions, readInPortions } from '../../store/records/record-versions.ts'
import type { FoundVersion } from '../../store/records/search.ts'
import {
  limitOf,
  makeCursor,
  numberIn,
  numberMax,
  pageOf,
  readCursor,
  recordIdIn,
  scopeOf,
  startOf,
} from '../base/cursor.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { keyNamer } from '../base/key-names.ts'
import { isRecordId } from '../base/record-id.ts'
import { countAgain } from './findings.ts'
import { textsWithId, withId } from './read.ts'
import type { StoredKind } from './stored-kinds.ts'

const pageBytesMax = declareLimit(
  'pageBytes',
  8 * 1024 * 1024,
  'bytes',
  'Size of all records of a page. A larger record gets its own page.',
)

/**
 * Characters of a page that is sent as a whole. Larger ones are read and sent record by record, and
 * take turns (decision 0053).
 */
const wholePageLengthMax = 1024 * 1024

/**
 * Ids are made in the order of creation and never change, so a page that continues below an id
 * neither skips nor repeats. A sorted page continues after the value of its last record and its id.
 * It reads one record more than the page shows, to see whether another page follows.
 */
export const list =
  <Search, Taken extends 'taken'>(context: HandlerContext, storedKind: StoredKind<Search, Taken>) =>
  async (call: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const { store } = context
    const { limit: _, cursor: __, total, judged, sort: ___, direction: ____, ...once } = call.query
    const filters = filtersIn(once, call.lists)
    const beside = Object.keys({ ...call.query, ...filters }).find((name) => !besideVoided.includes(name))
    if (filters.voided === 'only' && beside !== undefined)
      return { outcome: 'badQuery', detail: `voided=only cannot be combined with ${beside}. Omit one of them.` }
    const sorting = sortingIn(call.query)
    const scope = scopeOf(storedKind.kind.name, filters)
    const otherOrder = otherOrderIn(call.query, scope, sorting)
    if (otherOrder !== undefined)
      return {
        outcome: 'badQuery',
        detail: `cursor belongs to ${orderWords(otherOrder)}. Send these with it, or start again without cursor.`,
      }
    const positionIn = sorting === undefined ? recordIdIn : sortedPositionIn(storedKind.listed, sorting)
    const start = startOf<Position>(call.query, { scope, positionIn })
    if ('outcome' in start) return start
    const limit = limitOf(call.query)
    const [found, counted] = await Promise.all([
      findPage(store, storedKind, {
        provider: call.provider,
        limit: limit + 1,
        sorting,
        behind: start.position,
        filters,
      }),
      total === 'true' ? storedKind.listed.count(store, call.provider, filters) : undefined,
    ])
    const now = judged === 'now' ? new Date() : undefined
    const count: CountFindings = (records) =>
      now === undefined ? [] : countAgain(context, call.provider, storedKind.kind, { records, now })
    const end: PageEnd = (last, missing, severities) =>
      `],"nextCursor":${JSON.stringify(last === undefined ? null : makeCursor(positionText(last, sorting), scope))}${
        counted === undefined ? '' : `,"total":${JSON.stringify(counted)}`
      }${
        now === undefined
          ? ''
          : `,"judged":${JSON.stringify({ judgedDateTime: now.toISOString(), records: severities } satisfies JudgedRecords)}`
      }${missing.length === 0 ? '' : `,"damaged":${JSON.stringify(missing.map(nameOf))}`}}`
    if (isWhole(found)) {
      const page = found.slice(0, limit)
      const shown = page.filter(({ isMissing }) => !isMissing) as (FoundVersion & StoredVersion)[]
      const missing = page.filter(({ isMissing }) => isMissing)
      const last = found.length > limit ? page.at(-1) : undefined
      return {
        outcome: 'listed',
        text: `{"content":[${shown.map(withId).join(',')}${end(last, missing, await count(shown))}`,
      }
    }
    const page = found
      .slice(0, limit)
      .map(({ id, version, key, isMissing }) => ({ id, version, body: null, key, isMissing }))
    const isMore = found.length > limit
    // Frees the read values while it waits, since many calls may wait.
    found.length = 0
    const parts = largePage(store, call.provider, { page, isMore, end, count })
    return {
      outcome: 'listed',
      file: { mediaType: 'application/json; charset=utf-8', isLargePage: true, records: page.length, parts },
    }
  }

/** Filters by name: those that occur several times have several values. */
export const filtersIn = (query: Query, lists: QueryLists): Filters => ({
  ...query,
  ...Object.fromEntries(
    Object.entries(lists).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  ),
})

type Filters = Readonly<Record<string, string | readonly string[] | undefined>>

/** The order that is asked for; undefined for the usual one, newest first. */
export function sortingIn({ sort = 'created', direction }: Query): Sorting | undefined {
  const ascending = direction === 'ascending'
  return sort === 'created' && !ascending ? undefined : { by: sort, ascending }
}

/** Where a page continues: an id, and in a sorted list the value of its order. */
type Position = string | SortedPosition

export const findPage = <Search, Taken extends 'taken'>(
  store: HandlerContext['store'],
  { search, listed }: StoredKind<Search, Taken>,
  {
    provider,
    limit,
    sorting,
    behind,
    filters,
  }: {
    readonly provider: string
    readonly limit: number
    readonly sorting: Sorting | undefined
    readonly behind: Position | undefined
    readonly filters: Filters
  },
): Promise<FoundVersion[]> =>
  sorting === undefined
    ? search(store, { provider, limit, before: typeof behind === 'string' ? behind : undefined }, filters)
    : listed.sorted(
        store,
        provider,
        { limit, sorting, behind: typeof behind === 'object' ? behind : undefined },
        filters,
      )

const idLength = 36

/** The cursor of a sorted list begins with its order. */
const orderText = ({ by, ascending }: Sorting): string => `${by} ${ascending ? 'ascending' : 'descending'} `
const orderForm = /^([A-Za-z]+) (ascending|descending) /

const positionText = ({ id, key = '' }: Pick<FoundVersion, 'id' | 'key'>, sorting: Sorting | undefined): string =>
  sorting === undefined ? id : orderText(sorting) + id + key

/** The order of a cursor that belongs to this list with these filters, and to another order. */
function otherOrderIn({ cursor }: Query, scope: string, sorting: Sorting | undefined): Sorting | undefined {
  const text = cursor === undefined ? undefined : readCursor(cursor, scope)
  if (text === undefined) return undefined
  const [, by, way] = orderForm.exec(text) ?? []
  const order = by === undefined ? undefined : { by, ascending: way === 'ascending' }
  return JSON.stringify(order) === JSON.stringify(sorting) ? undefined : (order ?? { by: 'created', ascending: false })
}

const orderWords = ({ by, ascending }: Sorting): string =>
  `sort=${by} and direction=${ascending ? 'ascending' : 'descending'}`

/** A cursor comes from outside: a value that the database could not read makes it invalid. */
const sortedPositionIn =
  (listed: Listed, sorting: Sorting) =>
  (text: string): SortedPosition | undefined => {
    const behind = text.slice(orderText(sorting).length)
    const position = { id: behind.slice(0, idLength), key: behind.slice(idLength) }
    return isRecordId(position.id) && listed.isPosition(sorting.by, position) ? position : undefined
  }

/** True of a page whose bodies all came with the search, and are not large together. */
const isWhole = (found: readonly FoundVersion[]): boolean =>
  found.every(({ body, isMissing }) => body !== null || isMissing) &&
  found.reduce((sum, { body }) => sum + (body?.length ?? 0), 0) <= wholePageLengthMax

/**
 * The position after the last record shown, if the list continues, and the missing records up to
 * there.
 */
type PageEnd = (
  last: FoundVersion | undefined,
  missing: readonly VersionName[],
  severities: JudgedRecords['records'],
) => string

/** Counts the current findings of records, where they are asked for. */
type CountFindings = (records: readonly StoredVersion[]) => JudgedRecords['records'] | Promise<JudgedRecords['records']>

const nameOf = ({ id, version }: VersionName): VersionName => ({ id, version })

/**
 * The text of a page in parts: it ends with its records or its bytes, and has one record at least,
 * unless all are missing.
 */
async function* largePage(
  store: HandlerContext['store'],
  provider: string,
  {
    page,
    isMore,
    end,
    count,
  }: {
    readonly page: readonly FoundVersion[]
    readonly isMore: boolean
    readonly end: PageEnd
    readonly count: CountFindings
  },
): AsyncGenerator<string> {
  const missing = page.filter(({ isMissing }) => isMissing).map(nameOf)
  const there = page.filter(({ isMissing }) => !isMissing)
  const records = readInPortions(store, provider, there, { onMissing: (one) => missing.push(one) })
  const severities: JudgedRecords['records'] = []
  let bytes = 0
  let shown: string | undefined
  // With the first record and not before it: a list that cannot be read at all is then answered as
  // a failure.
  let between = '{"content":['
  for await (const record of records) {
    bytes += Buffer.byteLength(record.body)
    if (shown !== undefined && bytes > pageBytesMax) {
      const until = page.findIndex(({ id }) => id === shown)
      const before = new Set(page.slice(0, until).map(({ id }) => id))
      yield end(
        page[until],
        missing.filter(({ id }) => before.has(id)),
        severities,
      )
      return
    }
    severities.push(...(await count([record])))
    yield between
    yield* textsWithId(record)
    between = ','
    shown = record.id
  }
  yield `${shown === undefined ? between : ''}${end(isMore ? page.at(-1) : undefined, missing, severities)}`
}

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
      find: (before = numberMax, count) =>
        findVersions(store, { provider: call.provider, kind: kind.name, id: call.id, before, limit: count }),
      positionOf: ({ version }) => String(version),
    })
    if ('outcome' in listed) return listed
    if (listed.page.length === 0) return missing
    const there = listed.page.filter(({ isThere }) => isThere)
    const damaged = listed.page.filter(({ isThere }) => !isThere)
    const nameOfKey = await keyNamer(
      { store },
      call.provider,
      there.map(({ keyId }) => keyId),
    )
    return {
      outcome: 'listed',
      body: {
        content: there.map(
          ({
            isThere: _,
            submittedAt,
            purgedAt,
            correctionId,
            correctionReason,
            noticeSenderId,
            noticeNumber,
            ...summary
          }) => ({
            ...summary,
            keyName: nameOfKey(summary.keyId),
            submittedDateTime: submittedAt.toISOString(),
            purgedDateTime: purgedAt?.toISOString() ?? null,
            correction: correctionId === null ? null : { id: correctionId, reason: correctionReason },
            shipNotice: noticeNumber === null ? null : { senderId: noticeSenderId, number: noticeNumber },
          }),
        ),
        nextCursor: listed.nextCursor,
        ...(damaged.length > 0 && { damaged: damaged.map(({ version }) => ({ id: call.id, version })) }),
      },
    }
  }
