// The filters of a list: from the address to the call, and into fields. Pure.
import { isDateTime } from '../../contract/shape/date-and-time.ts'
import type { QueryParameter } from '../../operations/base/query.ts'
import { labelOf } from '../words/labels.ts'

/** By name. Several values of one filter are separated by line breaks. */
export type Filters = Readonly<Record<string, string>>

/** A parameter, with the label of the page if it has one. */
export type DeclaredFilter = QueryParameter & { readonly label?: string }

type Declared = Readonly<Record<string, QueryParameter>>

/**
 * The filters an address names, and the names that are none: to leave one out in silence would show
 * too much.
 */
export function filtersIn(
  query: URLSearchParams,
  declared: Declared,
): { readonly filters: Filters; readonly unknown: readonly string[] } {
  const named = [...query].filter(([, value]) => value !== '')
  const filters: Record<string, string> = {}
  for (const [name, value] of named) {
    if (!Object.hasOwn(declared, name)) continue
    const before = declared[name]?.many ? filters[name] : undefined
    filters[name] = before === undefined ? value : `${before}\n${value}`
  }
  return {
    filters,
    unknown: named.map(([name]) => name).filter((name) => !Object.hasOwn(declared, name)),
  }
}

/** The values of a filter, each once. */
export const valuesOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

/**
 * The query of an address, with the question mark; empty without filters. A filter with several
 * values is repeated.
 */
export function queryOf(filters: Filters, declared: Declared = {}): string {
  const given = Object.entries(filters).flatMap(([name, value]) =>
    (declared[name]?.many ? valuesOf(value) : [value])
      .filter((one) => one !== '')
      .map((one): [string, string] => [name, one]),
  )
  return given.length > 0 ? `?${new URLSearchParams(given)}` : ''
}

/** As a call takes them. */
export const askOf = (filters: Filters, declared: Declared): Readonly<Record<string, string | readonly string[]>> =>
  Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [name, declared[name]?.many ? valuesOf(value) : value]),
  )

/** Filters in words of the trade, where the name of the field is none. */
const tradeWords: Readonly<Record<string, string>> = {
  gapRule: 'Kind of gap',
  isReceived: 'Received',
  keyId: 'Sent by',
  operation: 'What',
  reason: 'What was wrong',
  text: 'Search',
  startDateTime: 'From (UTC)',
  endDateTime: 'Until (UTC)',
  eventStartDateTime: 'Received from (UTC)',
  eventEndDateTime: 'Received until (UTC)',
  submitStartDateTime: 'Submitted from (UTC)',
  submitEndDateTime: 'Submitted until (UTC)',
}

/** `ftlCategory` as "FTL category". */
export const filterLabel = (name: string, { form, label }: DeclaredFilter): string =>
  label ?? tradeWords[name] ?? (form === 'dateTime' ? `${labelOf(name.replace(/DateTime$/, ''))} (UTC)` : labelOf(name))

/** A datetime as a field of the browser takes it, in UTC: `2026-03-04T14:30:00`. */
export const fieldFromDateTime = (dateTime: string): string =>
  isDateTime(dateTime) ? new Date(dateTime).toISOString().slice(0, 19) : ''

/** And back: a field without seconds leaves them out. */
export const dateTimeFromField = (field: string): string =>
  field === '' ? '' : `${field.length === 16 ? `${field}:00` : field.slice(0, 19)}Z`
