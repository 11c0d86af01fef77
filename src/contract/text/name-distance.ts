// Similarity of names: a declared synonym, one that contains the other, or few different letters.

/** A thing with a name, and other names that people give it. */
export interface NamedThing {
  readonly name: string
  readonly synonyms: readonly string[]
}

/** One spelling for each name: case and separators do not count. */
export const foldName = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The thing that has this name as a synonym. */
export function synonymOf(name: string, things: readonly NamedThing[]): string | undefined {
  const folded = foldName(name)
  return things.find(({ synonyms }) => synonyms.some((synonym) => foldName(synonym) === folded))?.name
}

/** Fewest letters that a name which is part of another has. */
const partLengthMin = 3

const isPartOf = (part: string, whole: string): boolean => part.length >= partLengthMin && whole.includes(part)

/**
 * True when a name may mean the thing: it is a synonym, one contains the other, or they are spelled
 * alike.
 */
export function isNear(name: string, thing: NamedThing): boolean {
  const [a, b] = [foldName(name), foldName(thing.name)]
  return (
    synonymOf(name, [thing]) !== undefined || isPartOf(a, b) || isPartOf(b, a) || distance(a, b, mostOf(a)) < mostOf(a)
  )
}

/**
 * The thing that a name most probably means: by a synonym, else by its letters, else by a part of
 * its name.
 */
export function nearestName(name: string, things: readonly NamedThing[]): string | undefined {
  const synonym = synonymOf(name, things)
  if (synonym !== undefined) return synonym
  const folded = foldName(name)
  let nearest: string | undefined
  let least = mostOf(folded)
  for (const thing of things) {
    const apart = distance(folded, foldName(thing.name), least)
    if (apart < least) [nearest, least] = [thing.name, apart]
  }
  if (nearest !== undefined) return nearest
  const holding = things.filter(
    (thing) => isPartOf(folded, foldName(thing.name)) || isPartOf(foldName(thing.name), folded),
  )
  return holding.length === 1 ? holding[0]?.name : undefined
}

/** Names are not alike when more than a third of their letters differ. */
const mostOf = (folded: string): number => 1 + Math.max(1, Math.floor(folded.length / 3))

/** Levenshtein distance, or `most` when it is at least that. */
export function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) >= most) return most
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
      )
    row = next
  }
  return Math.min(most, row[b.length] ?? most)
}
