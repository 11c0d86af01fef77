// A payload in the editor: its text, its content, and its mistakes before any rule is applied.
// Pure.
import { linesOf } from '../../contract/json/json-place.ts'
import { readJsonObject } from '../../contract/json/json-text.ts'

export type Payload = Readonly<Record<string, unknown>>

/**
 * A payload as it was last written: as JSON, or as fields. The other is made when it is shown, so
 * that a key pressed in a field of a large event makes no megabytes of text.
 */
export type Written = { readonly text: string } | ReadDraft

export interface ReadDraft {
  readonly value: Payload
}

/** Why the text is no payload yet. */
export interface DraftFault {
  readonly fault: string
  /** 1-based. */
  readonly line: number
  readonly column: number
}

export function readWritten(written: Written): ReadDraft | DraftFault {
  if (!('text' in written)) return written
  const known = readings.get(written)
  if (known !== undefined) return known
  const reading = readDraft(written.text)
  readings.set(written, reading)
  return reading
}

/** Several parts of a page read the same text, of megabytes where an event is large. */
const readings = new WeakMap<Written, ReadDraft | DraftFault>()

export const writtenText = (written: Written): string => ('text' in written ? written.text : draftText(written.value))

/**
 * Reads the text as the service reads it: two equal names, or a number that would be rounded, are
 * faults too.
 */
export function readDraft(text: string): ReadDraft | DraftFault {
  const reading = readJsonObject(text)
  if ('defect' in reading) return { fault: reading.defect, line: reading.line, column: reading.column }
  const [inexact] = reading.inexactNumbers
  if (inexact !== undefined) {
    return {
      fault: `${inexact.written.slice(0, 40)} is a number that cannot be stored exactly.`,
      ...linesOf(text)(Math.max(0, text.indexOf(inexact.written))),
    }
  }
  return { value: reading.value }
}

/**
 * Entries from which on a list has one on each line. A browser lays out every line of a field with
 * each key: the 80,000 lines that 5,000 product lines took made a key cost half a second of
 * processor time, the 5,000 they take now a few hundredths.
 */
const longListFrom = 200

/** JSON to be written in, with an indent where that does not make too many lines. */
export function draftText(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const write = value.length < longListFrom ? (entry: unknown) => draftText(entry, inner) : lineText
    return enclose('[]', indent, value.map(write))
  }
  const fields = Object.entries(value).filter(([, part]) => part !== undefined)
  return enclose(
    '{}',
    indent,
    fields.map(([name, part]) => `${JSON.stringify(name)}: ${draftText(part, inner)}`),
  )
}

const enclose = ([open, close]: string, indent: string, parts: readonly string[]): string =>
  parts.length === 0 ? `${open}${close}` : `${open}\n${indent}  ${parts.join(`,\n${indent}  `)}\n${indent}${close}`

/** On one line. A line break in a text is written as an escape. */
const lineText = (value: unknown): string => (JSON.stringify(value, null, 1) ?? 'null').replaceAll(/\n */g, ' ')

/**
 * The value with another one at the place, or without the place when it is undefined. Makes the
 * objects on the way.
 */
export function withValueAt(whole: unknown, steps: readonly string[], value: unknown): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return value
  if (Array.isArray(whole)) {
    const index = Number(step)
    if (value === undefined && rest.length === 0) return whole.filter((_, i) => i !== index)
    const entries = [...whole]
    entries[index] = withValueAt(whole[index], rest, value)
    return entries
  }
  const parts = { ...(typeof whole === 'object' ? whole : undefined) } as Record<string, unknown>
  const next = withValueAt(Object.hasOwn(parts, step) ? parts[step] : undefined, rest, value)
  if (next === undefined) delete parts[step]
  else parts[step] = next
  return parts
}
