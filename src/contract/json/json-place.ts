// The places in a JSON text that JSON Pointers name, for an editor to jump to and mark.
import { pointerStep } from '../shape/finding.ts'
import { type JsonEvents, scanJson } from './json-scan.ts'

/** 1-based. Columns count as editors do, in UTF-16 units. */
export interface TextPlace {
  readonly line: number
  readonly column: number
}

/** Offsets into the text. */
export interface JsonPlace {
  /** Where the name of a field stands, or where any other value begins. */
  readonly at: number
  /** The value alone. */
  readonly start: number
  readonly end: number
}

/** The place of each pointer. A missing field is at the part that should contain it. */
export function placesIn(text: string, pointers: Iterable<string>): ReadonlyMap<string, JsonPlace> {
  const asked = new Set(pointers)
  const wanted = new Set<string>([''])
  for (const pointer of asked) for (let at = pointer; at !== '' && !wanted.has(at); at = holderOf(at)) wanted.add(at)
  const found = placesOf(text, wanted)
  return new Map(
    [...asked].map((pointer) => {
      let at = pointer
      while (!found.has(at) && at !== '') at = holderOf(at)
      return [pointer, found.get(at) ?? { at: 0, start: 0, end: 0 }]
    }),
  )
}

const holderOf = (pointer: string): string => pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')))

/** The places of the wanted parts. Parts that are not wanted are skipped. */
function placesOf(text: string, wanted: ReadonlySet<string>): ReadonlyMap<string, JsonPlace> {
  const places = new Map<string, JsonPlace>()
  /** Pointers of the current value and of its parents, by depth; undefined when not wanted. */
  const pointers: (string | undefined)[] = []
  const beginnings: number[] = []
  const events: JsonEvents = {
    begin: (steps, nameAt) => {
      const depth = steps.length
      const holder = pointers[depth - 1]
      const pointer = depth === 0 ? '' : holder === undefined ? undefined : holder + pointerStep(steps[depth - 1] ?? '')
      pointers[depth] = pointer !== undefined && wanted.has(pointer) ? pointer : undefined
      beginnings[depth] = nameAt
    },
    end: (steps, start, end) => {
      const pointer = pointers[steps.length]
      if (pointer !== undefined) places.set(pointer, { at: beginnings[steps.length] ?? start, start, end })
    },
  }
  scanJson(text, { events })
  return places
}

/** Finds the line and column of offsets into a text. */
export function linesOf(text: string): (offset: number) => TextPlace {
  const starts = [0]
  for (let feed = text.indexOf('\n'); feed !== -1; feed = text.indexOf('\n', feed + 1)) starts.push(feed + 1)
  return (offset) => {
    // The last line that begins at the offset or before it, found by halving.
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
}
