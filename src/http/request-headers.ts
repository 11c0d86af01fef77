// The request headers operations declare, read into what they mean.
import { idempotencyKeyLengthMax } from '../operations/limits.ts'

/** Versions a condition names, or what is wrong with it. */
export type Versions = readonly number[] | 'any' | { readonly problem: string }

const versionsNamedMax = 50

/**
 * Reads If-Match or If-None-Match. A tag of ours is a version in quotes; another tag is well formed and matches nothing.
 * `W/` is taken too, since some clients weaken the tags they were given. Source: RFC 9110, 13.1.
 */
export function readEntityTags(header: string): Versions {
  if (header.trim() === '*') return 'any'
  const tags = header.split(',').map((tag) => tag.trim())
  if (tags.length > versionsNamedMax) return { problem: `names more than ${versionsNamedMax} versions.` }
  const versions: number[] = []
  for (const tag of tags) {
    const [, opaque] = /^(?:W\/)?"([^"]{0,64})"$/.exec(tag) ?? []
    if (opaque === undefined) return { problem: 'has to be "*" or versions in quotes, as the ETag header gave them.' }
    if (/^[1-9]\d{0,8}$/.test(opaque)) versions.push(Number(opaque))
  }
  return versions
}

export interface Preferences {
  readonly strict: boolean
  readonly representation: boolean
}

/** Reads Prefer. Unknown preferences are ignored, as RFC 7240 asks. */
export function readPreferences(header: string | undefined): Preferences {
  const preferences = (header ?? '').split(',').map((one) => one.trim().toLowerCase().replaceAll('"', ''))
  return {
    strict: preferences.includes('handling=strict'),
    representation: preferences.includes('return=representation'),
  }
}

/** Value of Preference-Applied, or undefined when nothing was preferred that is known. */
export const preferencesApplied = ({ strict, representation }: Preferences): string | undefined =>
  [strict && 'handling=strict', representation && 'return=representation'].filter(Boolean).join(', ') || undefined

/** Reads Idempotency-Key, with or without the quotes of the draft standard. */
export function readIdempotencyKey(header: string): string | { readonly problem: string } {
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header
  return key.length > 0 && key.length <= idempotencyKeyLengthMax && /^[\x21-\x7e]+$/.test(key)
    ? key
    : { problem: `has to be 1 to ${idempotencyKeyLengthMax} visible ASCII characters.` }
}
