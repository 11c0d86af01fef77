// Cursors: where to go on in a list, and in nothing else.
import { createHash } from 'node:crypto'

/** What a cursor is good for: one list with one set of filters. */
export const cursorScope = (list: string, filters: object): string =>
  createHash('sha256')
    .update(JSON.stringify([list, Object.entries(filters).sort()]))
    .digest('base64url')
    .slice(0, 8)

/** Only says where to go on: which provider's records are read never depends on it. */
export const makeCursor = (position: string, scope: string): string =>
  Buffer.from(`${scope}${position}`).toString('base64url')

/** The position, or undefined when the cursor belongs to something else. */
export function readCursor(cursor: string, scope: string): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  return text.startsWith(scope) ? text.slice(scope.length) : undefined
}
