// Rows of a file, sent some at a time.
import { nextTurn } from './cooperative.ts'

/** Rows that are sent at once. */
const rowsAtOnce = 200

export async function* inParts(rows: Iterable<string>): AsyncGenerator<string> {
  let part: string[] = []
  for (const row of rows) {
    part.push(row)
    if (part.length < rowsAtOnce) continue
    yield part.join('')
    await nextTurn()
    part = []
  }
  if (part.length > 0) yield part.join('')
}
