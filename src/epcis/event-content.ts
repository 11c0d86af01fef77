// The content of an event, independent of its form: an event that is sent again in another form is
// the same event. Source: decision 0083.
import type { EpcisEvent } from './document.ts'
import { isObject, plainName, wordOf } from './words.ts'

/** The time of recording, later declarations, and JSON-LD's names of things. */
const aside: ReadonlySet<string> = new Set(['recordTime', 'errorDeclaration', 'context'])

/** Without differences between JSON-LD, XML and the spellings of words. */
export function contentOf({ value }: EpcisEvent): unknown {
  const content: Record<string, unknown> = {}
  for (const [key, part] of Object.entries(value as object)) {
    const name = plainName(key)
    if (!aside.has(name)) setPart(content, name, part)
  }
  return content
}

function setPart(object: Record<string, unknown>, name: string, value: unknown): void {
  const part = plainValue(name, value)
  if (part !== undefined) Object.defineProperty(object, name, { value: part, enumerable: true })
}

/** Nothing, an empty list and an empty text are one, as are a list of one and its entry. */
function plainValue(name: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    const entries = value.map((entry) => plainValue(name, entry)).filter((entry) => entry !== undefined)
    return entries.length > 1 ? entries : entries[0]
  }
  if (isObject(value)) {
    const object: Record<string, unknown> = {}
    for (const [key, part] of Object.entries(value)) setPart(object, plainName(key), part)
    const names = Object.keys(object)
    if (names.length === 0) return undefined
    return names.length === 1 && ['id', 'value', 'list'].includes(names[0] ?? '') ? object[names[0] ?? ''] : object
  }
  const text = value === null || value === undefined ? '' : String(value).trim()
  if (text === '') return undefined
  if (name === 'eventTime') return instantIn(text) ?? text
  if (name === 'quantity') return Number.isFinite(Number(text)) ? Number(text) : text
  return wordOf(text)
}

/** To the last digit of a second that is written: some programs write seven of them. */
function instantIn(text: string): string | undefined {
  const at = /(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  const fraction = /\.(\d*[1-9])/.exec(text)?.[1] ?? ''
  return Number.isNaN(at) ? undefined : `${Math.floor(at / 1000)}.${fraction}`
}
