// Runs of calendar dates, `yyyy-MM-dd`. Pure.
import { dayAfter } from '../../contract/shape/date-and-time.ts'

/** So many dates, of which the last is given, in order. */
export const daysUntil = (last: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => dayAfter(last, i + 1 - count))
