// Cursors of lists: where a page ended, and what list with which filters it was a page of.
import { createHash } from 'node:crypto'
import { limitDefault, type Query } from '../operations/query.ts'
import type { Answer } from './handler.ts'

export const limitOf = (query: Query): number => Number(query.limit ?? limitDefault)

export const strangeCursor: Answer<'badQuery'> = {
  outcome: 'badQuery',
  detail: 'cursor does not belong to this list with these filters; start again without it.',
}

/** What a cursor is good for: one list with one set of filters. */
export const scopeOf = (list: string, filters: object): string =>
  createHash('sha256')
    .update(JSON.stringify([list, Object.entries(filters).sort()]))
    .digest('base64url')
    .slice(0, 8)

/**
 * A page of a list: `find` is asked for one entry more than the page shows, which says whether another page follows.
 * The next one goes on behind the position of the last entry.
 */
export async function pageOf<Entry>(
  query: Query,
  scope: string,
  find: (count: number) => Promise<readonly Entry[]>,
  positionOf: (last: Entry) => string,
): Promise<{ readonly page: readonly Entry[]; readonly nextCursor: string | null }> {
  const limit = limitOf(query)
  const found = await find(limit + 1)
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return { page, nextCursor: found.length > limit && last !== undefined ? makeCursor(positionOf(last), scope) : null }
}

/** Only says where to go on: which provider's records are read never depends on it. */
export const makeCursor = (position: string, scope: string): string =>
  Buffer.from(`${scope}${position}`).toString('base64url')

export function readCursor(cursor: string, scope: string): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  return text.startsWith(scope) ? text.slice(scope.length) : undefined
}
