// The filters of a list: from the address to the call, and into fields. Pure.
import { isDateTime } from '../contract/date-and-time.ts'
import type { QueryParameter } from '../operations/query.ts'
import { labelOf } from './labels.ts'

export type Filters = Readonly<Record<string, string>>

/** The filters an address names, and the names that are none: to leave one out in silence would show too much. */
export function filtersIn(
  query: URLSearchParams,
  declared: Readonly<Record<string, QueryParameter>>,
): { readonly filters: Filters; readonly unknown: readonly string[] } {
  const named = [...query].filter(([, value]) => value !== '')
  return {
    filters: Object.fromEntries(named.filter(([name]) => Object.hasOwn(declared, name))),
    unknown: named.map(([name]) => name).filter((name) => !Object.hasOwn(declared, name)),
  }
}

/** As they stand in an address, with the question mark; nothing when there are none. */
export function queryOf(filters: Filters): string {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''))
  return query.size > 0 ? `?${query}` : ''
}

/** `eventStartDateTime` as "Event start (UTC)". */
export const filterLabel = (name: string, { form }: QueryParameter): string =>
  form === 'dateTime' ? `${labelOf(name.replace(/DateTime$/, ''))} (UTC)` : labelOf(name)

/** A datetime as a field of the browser takes it, in UTC: `2026-03-04T14:30:00`. */
export const fieldFromDateTime = (dateTime: string): string =>
  isDateTime(dateTime) ? new Date(dateTime).toISOString().slice(0, 19) : ''

/** And back: a field without seconds leaves them out. */
export const dateTimeFromField = (field: string): string =>
  field === '' ? '' : `${field.length === 16 ? `${field}:00` : field.slice(0, 19)}Z`
