// Parses the request headers that operations declare.
import { declareLimit } from '../limits.ts'

const idempotencyKeyLengthMax = declareLimit('idempotencyKey', 255, 'characters', 'Length of an Idempotency-Key.')

/** The versions in a condition, or its mistake. */
export type Versions = readonly number[] | 'any' | { readonly problem: string }

const versionsNamedMax = 50

/**
 * Parses If-Match or If-None-Match. A tag of this service is a version in quotes, followed by a dot
 * and a hash where the answer shows more, and by `-gzip` for a compressed answer. Another
 * well-formed tag matches nothing. `W/` is accepted, since some clients weaken tags. Source:
 * RFC 9110, 13.1.
 */
export function readEntityTags(header: string): Versions {
  if (header.trim() === '*') return 'any'
  const tags = header.split(',').map((tag) => tag.trim())
  if (tags.length > versionsNamedMax) return { problem: `names more than ${versionsNamedMax} versions.` }
  const versions: number[] = []
  for (const tag of tags) {
    const [, opaque] = /^(?:W\/)?"([^"]{0,64})"$/.exec(tag) ?? []
    if (opaque === undefined) return { problem: 'must be "*" or versions in quotes, as in the ETag header.' }
    const [, version] = /^(0|[1-9]\d{0,8})(?:\.[0-9a-f]{16})?(?:-gzip)?$/.exec(opaque) ?? []
    if (version !== undefined) versions.push(Number(version))
  }
  return versions
}

export interface Preferences {
  readonly strict: boolean
  readonly representation: boolean
  /** Value of Preference-Applied; undefined without a known preference. */
  readonly applied: string | undefined
}

/** The known preferences and their values. Source: decision 0014. */
const known = { handling: ['strict', 'lenient'], return: ['representation', 'minimal'] } as const

/**
 * Parses Prefer. As RFC 7240 requires, unknown preferences are ignored, and the first of equal
 * names counts. A malformed header is rejected, since it may have asked for strict handling. No
 * library parses it: RFC 9651 (structured fields) allows no blanks around "=" and lets the last of
 * equal names count.
 */
export function readPreferences(header = ''): Preferences | { readonly problem: string } {
  const preferred = readPreferenceList(header)
  if (preferred === undefined) return { problem: 'must be a list of preferences, e.g. "handling=strict".' }
  const applied = Object.entries(known).flatMap(([name, values]) => {
    const value = preferred.get(name)?.toLowerCase()
    return values.some((one) => one === value) ? [`${name}=${value}`] : []
  })
  return {
    strict: applied.includes('handling=strict'),
    representation: applied.includes('return=representation'),
    applied: applied.join(', ') || undefined,
  }
}

/**
 * Preferences by name, in lower case, with their values; empty where there is none. Source:
 * RFC 7240, 2.
 */
function readPreferenceList(header: string): ReadonlyMap<string, string> | undefined {
  const preferences = new Map<string, string>()
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const [found] = pattern.exec(header) ?? []
    at += found?.length ?? 0
    return found
  }
  const takePair = (): readonly [name: string, value: string] | undefined => {
    const name = take(/[!#$%&'*+.^_`|~\w-]+/y)
    if (name === undefined) return undefined
    if (take(/[ \t]*=[ \t]*/y) === undefined) return [name, '']
    const value = take(/[!#$%&'*+.^_`|~\w-]+/y) ?? take(/"(?:[^"\\]|\\.)*"/y)
    return value === undefined ? undefined : [name, value.replaceAll(/^"|"$|\\(.)/g, '$1')]
  }
  for (;;) {
    take(/[ \t,]*/y)
    if (at === header.length) return preferences
    const preference = takePair()
    if (preference === undefined) return undefined
    // Known preferences have no parameters; others may have empty ones.
    while (take(/[ \t]*;[ \t]*/y) !== undefined)
      if (/[^;, \t]/.test(header[at] ?? '') && takePair() === undefined) return undefined
    const [name, value] = preference
    if (!preferences.has(name.toLowerCase())) preferences.set(name.toLowerCase(), value)
    take(/[ \t]*/y)
    if (at < header.length && header[at] !== ',') return undefined
  }
}

/** Parses Idempotency-Key, with or without the quotes of the draft standard. */
export function readIdempotencyKey(header: string): string | { readonly problem: string } {
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header
  return key.length > 0 && key.length <= idempotencyKeyLengthMax && /^[\x21-\x7e]+$/.test(key)
    ? key
    : { problem: `must be 1 to ${idempotencyKeyLengthMax} visible ASCII characters.` }
}
