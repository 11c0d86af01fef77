// One text for one content, whatever the order of its keys: what "the same content" means.

/** JSON with the keys of every object sorted. Equal texts mean equal content. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value))

/** A copy with the keys in order. Copied and then printed at once: a replacer would be called back for every part, in three times the time. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value).sort()) {
    const part = sorted((value as Record<string, unknown>)[key])
    // Assigned, it would become the prototype of the copy and be missing in its text.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: part, enumerable: true })
    else copy[key] = part
  }
  return copy
}
