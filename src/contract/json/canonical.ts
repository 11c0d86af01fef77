// One text for one content, whatever the order of its keys: the definition of "the same content".

/** JSON with the keys of every object sorted. Equal texts mean equal content. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sortKeys(value))

/**
 * A copy with the keys in order. A replacer of JSON.stringify would save the copy, and take three
 * times as long.
 */
function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sortKeys)
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value).sort()) {
    const own = (value as Record<string, unknown>)[key]
    const part = typeof own === 'object' ? sortKeys(own) : own
    // Assigned, it would become the prototype of the copy and be missing in its text.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: part, enumerable: true })
    else copy[key] = part
  }
  return copy
}

/**
 * JSON as PostgreSQL prints `jsonb`: keys by length and then by bytes, a blank after each comma and
 * colon. Right for text, true, false, null, and whole numbers, which is all that a location holds.
 */
export function databaseJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(databaseJson).join(', ')}]`
  const members = Object.entries(value).map(([key, part]) => ({ bytes: utf8.encode(key), key, part }))
  members.sort((a, b) => a.bytes.length - b.bytes.length || (a.key < b.key ? -1 : 1))
  return `{${members.map(({ key, part }) => `${JSON.stringify(key)}: ${databaseJson(part)}`).join(', ')}}`
}

const utf8 = new TextEncoder()
