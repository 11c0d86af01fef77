// Shares and addresses of completeness, as a person reads and follows them. Pure.
import { listGaps } from '../../operations/traceability/completeness.ts'

/** `0.9999` as "99.9%": rounded down, so that 100% means all. Null, of no lines, as a dash. */
export function shareWords(share: number | null): string {
  if (share === null) return '–'
  return `${(Math.floor(Math.round(share * 10_000) / 10) / 10).toLocaleString('en')}%`
}

/** The page of the console for a path of the API in an answer. */
export const gapsAt = (records: string): string => records.replace(listGaps.path, '/completeness/gaps')

/** Those of one of its months. */
export function gapsInMonth(records: string, month: string): string {
  const [path = '', query] = gapsAt(records).split('?')
  const chosen = new URLSearchParams(query)
  const [year, number] = month.split('-').map(Number) as [number, number]
  const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
  const [start, end] = [chosen.get('eventStartDate') ?? '', chosen.get('eventEndDate') ?? last]
  chosen.set('eventStartDate', start > `${month}-01` ? start : `${month}-01`)
  chosen.set('eventEndDate', end < last ? end : last)
  return `${path}?${chosen}`
}
