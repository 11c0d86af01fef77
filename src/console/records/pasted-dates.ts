// Dates as they are pasted from mails and spreadsheets, such as 7/4/2026: which dates they can be,
// and the words that say so. Pure.
import { type WrittenDate, writtenDates } from '../../intake/written-date.ts'

/** A text pasted into a date field. */
export interface PastedDate {
  readonly text: string
  /** Its possible dates: month first before day first; none where it is no date. */
  readonly readings: readonly WrittenDate[]
}

/** Fractions of a second, as programs write them, are left out. */
export const readPastedDate = (text: string): PastedDate => ({
  text: text.trim(),
  readings: writtenDates(text.replace(/(:\d\d)[.,]\d+/, '$1')),
})

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

/**
 * A pasted time as a field of the browser for UTC takes it: `2026-03-04T14:30:44`. Without an
 * offset it is in UTC, as the label says; without a time the day begins.
 */
export const utcFieldOf = ({ date, time = '00:00:00', offset = 'Z' }: WrittenDate): string =>
  new Date(`${date}T${time}${offset}`).toISOString().slice(0, 19)

/** "March 4, 2026, 14:30:44 UTC" */
export const utcWords = (read: WrittenDate): string => {
  const field = utcFieldOf(read)
  return `${dateWords(field.slice(0, 10))}, ${field.slice(11)} UTC`
}
