// Where in a JSON text the places are that JSON Pointers name: what an editor jumps to.
import { pointerStep } from './finding.ts'
import { scalarEnd, stringEnd } from './json-text.ts'

/** 1-based. Columns count as editors do, in UTF-16 units. */
export interface TextPlace {
  readonly line: number
  readonly column: number
}

/**
 * The place of each pointer: where the name of the field stands, or where the list entry begins. What the text does not hold,
 * such as a field that is missing, is at the object that should hold it. Expects a text that `readJsonObject` reads.
 */
export function placesIn(text: string, pointers: Iterable<string>): ReadonlyMap<string, TextPlace> {
  const asked = new Set(pointers)
  const wanted = new Set<string>([''])
  for (const pointer of asked) for (let at = pointer; at !== '' && !wanted.has(at); at = holderOf(at)) wanted.add(at)
  const offsets = offsetsIn(text, wanted)
  const lineStarts = lineStartsIn(text)
  return new Map(
    [...asked].map((pointer) => {
      let at = pointer
      while (!offsets.has(at) && at !== '') at = holderOf(at)
      return [pointer, placeAt(lineStarts, offsets.get(at) ?? 0)]
    }),
  )
}

const holderOf = (pointer: string): string => pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')))

/** Where each wanted part begins. What is in a part that is not wanted gets no pointer: most of a text is passed over. */
function offsetsIn(text: string, wanted: ReadonlySet<string>): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>()
  const afterSpaces = (from: number): number => {
    let at = from
    while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
    return at
  }
  /** Reads the value that begins at `start` and returns where it ends; `pointer` is its own, when it is wanted. */
  const read = (start: number, pointer: string | undefined): number => {
    const open = text[start]
    if (open === '"') return stringEnd(text, start)
    if (open !== '{' && open !== '[') return scalarEnd(text, start)
    let at = afterSpaces(start + 1)
    for (let index = 0; text[at] !== '}' && text[at] !== ']'; index++) {
      const begin = at
      let inner = pointer === undefined ? undefined : pointer + pointerStep(index)
      if (open === '{') {
        const nameEnd = stringEnd(text, at)
        if (pointer !== undefined) inner = pointer + pointerStep(JSON.parse(text.slice(at, nameEnd)))
        at = afterSpaces(afterSpaces(nameEnd) + 1)
      }
      if (inner !== undefined && wanted.has(inner)) offsets.set(inner, begin)
      else inner = undefined
      at = afterSpaces(read(at, inner))
      if (text[at] === ',') at = afterSpaces(at + 1)
    }
    return at + 1
  }
  const start = afterSpaces(0)
  offsets.set('', start)
  read(start, '')
  return offsets
}

function lineStartsIn(text: string): readonly number[] {
  const starts = [0]
  for (let feed = text.indexOf('\n'); feed !== -1; feed = text.indexOf('\n', feed + 1)) starts.push(feed + 1)
  return starts
}

/** The last line that begins at the offset or before it, found by halving. */
function placeAt(lineStarts: readonly number[], offset: number): TextPlace {
  let [low, high] = [0, lineStarts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((lineStarts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (lineStarts[low] ?? 0) + 1 }
}
