// How callers are looked up by what they send: keys, and tokens of sessions. Both name a provider
// and an id, so that a statement on the node of the provider finds them (decision 0018).
import { setTimeout as pause } from 'node:timers/promises'
import { BatchedStatement, type BatchLimits } from '../database/batched-statement.ts'

/** A UUID in a key or a token: digits alone. */
export const hexOf = (uuid: string): string => uuid.replaceAll('-', '')
export const uuidOf = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

interface Look {
  readonly provider: string
  readonly id: string
}

/**
 * Many looks at a provider are one statement, and one at a time: a flood of what nobody knows takes
 * one connection, and other requests have the rest.
 */
const lookLimits: BatchLimits = {
  rowsMax: 256,
  bytesMax: 1024 * 1024,
  waitingRowsMax: 16_384,
  waitingBytesMax: 16 * 1024 * 1024,
  inFlightMax: 1,
}

/** The group of looks at providers of which nothing was found yet. */
const strangers = ''

interface LateLimits {
  /** How long such a look keeps others waiting at most, in milliseconds: where a node hangs. */
  readonly waitMsMax: number
  /** For how long looks at it then keep nobody waiting, in milliseconds, and at how many. */
  readonly lateMsMax: number
  readonly lateMax: number
}
const lateLimits: LateLimits = { waitMsMax: 1_000, lateMsMax: 60_000, lateMax: 1_000 }

const ignore = () => undefined

/**
 * Finds rows by provider and id. Anybody can name providers that there are not: those of which
 * nothing was found yet are looked at one after the other, beside the others. Where the node of one
 * is away, the looks at it fail, and no others.
 */
export function callerLooks<Row extends { readonly provider: string }>(
  read: (provider: string, ids: readonly string[]) => Promise<readonly Row[]>,
  idOf: (row: Row) => string,
  { waitMsMax, lateMsMax, lateMax } = lateLimits,
): (look: Look) => Promise<Row | undefined> {
  /** Providers of which a row was found. */
  const known = new Set<string>()
  /** Until when providers are late, the first to end first: anybody can invent them. */
  const late = new Map<string, number>()
  const noteLate = (provider: string) => {
    late.delete(provider)
    late.set(provider, performance.now() + lateMsMax)
    for (const first of late.keys()) if (late.size > lateMax) late.delete(first)
  }
  const isLate = (provider: string) => (late.get(provider) ?? 0) > performance.now()
  const looksAt = async (provider: string, looks: readonly Look[]): Promise<readonly (Row | undefined)[]> => {
    const rows = await read(
      provider,
      looks.map(({ id }) => id),
    )
    const found = new Map(rows.filter((row) => row.provider === provider).map((row) => [idOf(row), row]))
    if (found.size > 0) known.add(provider)
    return looks.map(({ id }) => found.get(id))
  }
  const looks = new BatchedStatement<Look, Row | undefined | Promise<Row | undefined>>({
    async run(group, asked) {
      if (group !== strangers) return looksAt(group, asked)
      const answers = new Map<Look, Promise<Row | undefined>>()
      for (const provider of new Set(asked.map((look) => look.provider))) {
        const some = asked.filter((look) => look.provider === provider)
        const rows = looksAt(provider, some)
        const ended = rows.then(ignore, ignore)
        for (const [i, look] of some.entries()) {
          const answer = rows.then((found) => found[i])
          answer.catch(ignore)
          answers.set(look, answer)
        }
        // It goes on by itself, and the next looks at this provider keep nobody waiting.
        if ((await Promise.race([ended, pause(waitMsMax, 'late', { ref: false })])) === 'late') noteLate(provider)
      }
      return asked.map((look) => answers.get(look))
    },
    bytesOf: () => 128,
    conflictKeys: () => [],
    limits: lookLimits,
  })
  return async (look) => {
    const { provider } = look
    const answer = looks.submit(known.has(provider) || isLate(provider) ? provider : strangers, look)
    // Who waits for a promise of a promise gets what the inner one has.
    return answer as Promise<Row | undefined>
  }
}
