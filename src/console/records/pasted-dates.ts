// Dates as they are pasted from mails and spreadsheets, such as 7/4/2026: which dates they can be,
// and the words that say so. Pure.
import { type WrittenDate, writtenDates } from '../../intake/cell-value.ts'

/** What was pasted where a date belongs. */
export interface PastedDate {
  readonly text: string
  /** What it can mean: month first before day first; none where it is no date. */
  readonly readings: readonly WrittenDate[]
}

export const readPastedDate = (text: string): PastedDate => ({ text: text.trim(), readings: writtenDates(text) })

/** Which reading of an ambiguous date is meant. */
export type DateOrder = 'month first' | 'day first'

/** The reading in that order; the only one, whatever the order. */
export const readingIn = ({ readings }: PastedDate, order: DateOrder | undefined): WrittenDate | undefined =>
  readings.length < 2 ? readings[0] : order && readings[order === 'month first' ? 0 : 1]

/** The order that these texts prove by a date that has only one: 7/14/2026 has the month first. */
export function provenOrder(texts: readonly string[]): DateOrder | undefined {
  const orders = new Set(
    texts.flatMap((text): DateOrder[] => {
      const [, first = '', second = ''] = /^\s*(\d{1,2})[/-](\d{1,2})[/-]\d{2,4}\b/.exec(text) ?? []
      if (writtenDates(text).length !== 1 || first === second) return []
      return [Number(second) > 12 ? 'month first' : 'day first']
    }),
  )
  const [order] = orders
  return orders.size === 1 ? order : undefined
}

/** "July 4, 2026" */
export const dateWords = (date: string): string =>
  new Date(`${date}T12:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
