// Cursors of lists: where a page ended, and the list and filters it belongs to.
import { limitDefault, type Query } from '../../operations/base/query.ts'
import { sha256 } from '../../sha256.ts'
import type { Answer } from './handler.ts'
import { isRecordId } from './record-id.ts'

export const limitOf = (query: Query): number => Number(query.limit ?? limitDefault)

/** The scope of a cursor: one list with one set of filters. */
export const scopeOf = (list: string, filters: object): string =>
  sha256(JSON.stringify([list, Object.entries(filters).sort()]))
    .toString('base64url')
    .slice(0, 8)

/** A list with pages. */
interface Listing<Entry, Position> {
  readonly scope: string
  /** Parses the position in a cursor; undefined when it is invalid. */
  readonly positionIn: (text: string) => Position | undefined
  /** Entries after a position, or the first ones without it. */
  readonly find: (behind: Position | undefined, count: number) => Promise<readonly Entry[]>
  /** The position of an entry, as text. */
  readonly positionOf: (entry: Entry) => string
}

interface Page<Entry> {
  readonly page: readonly Entry[]
  readonly nextCursor: string | null
}

/** The requested page of a list. */
export async function pageOf<Entry, Position>(
  query: Query,
  listing: Listing<Entry, Position>,
): Promise<Page<Entry> | Answer<'badQuery'>> {
  const start = startOf(query, listing)
  return 'outcome' in start ? start : pageBehind(start.position, query, listing)
}

/** The start of that page; the first page has no position. */
export function startOf<Position>(
  { cursor }: Query,
  { scope, positionIn }: Pick<Listing<never, Position>, 'scope' | 'positionIn'>,
): { readonly position: Position | undefined } | Answer<'badQuery'> {
  if (cursor === undefined) return { position: undefined }
  const text = readCursor(cursor, scope)
  const position = text === undefined ? undefined : positionIn(text)
  return position === undefined ? strangeCursor : { position }
}

/**
 * A page after a position. It requests one entry more than it shows, to know whether another page
 * follows.
 */
export async function pageBehind<Entry, Position>(
  position: Position | undefined,
  query: Query,
  { scope, find, positionOf }: Omit<Listing<Entry, Position>, 'positionIn'>,
): Promise<Page<Entry>> {
  const limit = limitOf(query)
  const found = await find(position, limit + 1)
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return { page, nextCursor: found.length > limit && last !== undefined ? makeCursor(positionOf(last), scope) : null }
}

const strangeCursor: Answer<'badQuery'> = {
  outcome: 'badQuery',
  detail: 'cursor belongs to another list or other filters. Start again without it.',
}

/** The position in lists of records. */
export const recordIdIn = (text: string): string | undefined => (isRecordId(text) ? text : undefined)

/** The largest number of a version or checkpoint that the database holds. */
export const numberMax = 2 ** 31 - 1

/** The position in lists of versions or checkpoints. */
export const numberIn = (text: string): number | undefined =>
  /^\d{1,10}$/.test(text) && Number(text) <= numberMax ? Number(text) : undefined

/** Only a position: the provider whose records are read never depends on it. */
export const makeCursor = (position: string, scope: string): string =>
  Buffer.from(`${scope}${position}`).toString('base64url')

export function readCursor(cursor: string, scope: string): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  return text.startsWith(scope) ? text.slice(scope.length) : undefined
}
