// Where the parts of a JSON text lie, so that a finding can be shown at its place. Pure.
import { pointerStep } from '../../contract/finding.ts'

export interface Place {
  readonly start: number
  readonly end: number
}

/** The place of every value, by its JSON Pointer. Expects a text that is JSON. */
export function placesIn(text: string): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  let at = 0
  const skip = () => {
    while (/\s/.test(text[at] ?? '')) at++
  }
  const readText = (): string => {
    const start = at
    for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++
    at++
    return text.slice(start, at)
  }
  const readValue = (pointer: string): void => {
    skip()
    const start = at
    const opening = text[at]
    if (opening === '{' || opening === '[') {
      at++
      for (let index = 0; ; index++) {
        skip()
        if (at >= text.length || text[at] === '}' || text[at] === ']') break
        if (text[at] === ',') {
          at++
          skip()
        }
        if (opening === '[') readValue(pointer + pointerStep(index))
        else {
          const name = JSON.parse(readText()) as string
          skip()
          at++
          readValue(pointer + pointerStep(name))
        }
      }
      at++
    } else if (opening === '"') readText()
    else while (at < text.length && !/[\s,\]}]/.test(text[at] ?? '')) at++
    places.set(pointer, { start, end: at })
  }
  readValue('')
  return places
}

/** The place of a pointer, or of the nearest part around it: what is missing has no place of its own. */
export function placeOf(places: ReadonlyMap<string, Place>, pointer: string): Place {
  for (let near = pointer; ; near = near.slice(0, near.lastIndexOf('/'))) {
    const place = places.get(near)
    if (place !== undefined) return place
    if (near === '') return { start: 0, end: 0 }
  }
}

/** 1-based. */
export const lineAt = (text: string, offset: number): number => {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}
