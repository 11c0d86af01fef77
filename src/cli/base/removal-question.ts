// Asks a person whether a replacement may remove product lines. Without a person, they stay.
import { createInterface } from 'node:readline/promises'
import type { Removal } from '../../intake/send-record.ts'

const shownMax = 20

/** An answer that holds for the rest of the import. */
let forAll: boolean | undefined
/** One question at a time, with any number of calls in flight. */
let before: Promise<unknown> = Promise.resolve()

export function askRemoval(removal: Removal, path: string): Promise<boolean> {
  const asked = before.then(() => ask(removal, path))
  before = asked
  return asked
}

async function ask({ id, version, lines }: Removal, path: string): Promise<boolean> {
  if (forAll !== undefined) return forAll
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false
  const more = lines.length > shownMax ? `\n  and ${lines.length - shownMax} more` : ''
  process.stderr.write(
    `${path}: replacing event ${id}, version ${version}, removes these product lines:\n${lines
      .slice(0, shownMax)
      .map((line) => `  ${line}`)
      .join('\n')}${more}\n`,
  )
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = (await terminal.question('Remove them? [y]es, [N]o, yes to [a]ll, n[o]ne of all: '))
      .trim()
      .toLowerCase()
    if (answer === 'a' || answer === 'all') forAll = true
    if (answer === 'o' || answer === 'none') forAll = false
    return forAll ?? (answer === 'y' || answer === 'yes')
  } finally {
    terminal.close()
  }
}
