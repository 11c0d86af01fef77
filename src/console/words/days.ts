// Calendar dates as `yyyy-MM-dd`, counted in days. Pure.

const dayMs = 86_400_000

/** The date so many days later; earlier, when the number is negative. */
export const dayAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)

/** So many dates, of which the last is given, in order. */
export const daysUntil = (last: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => dayAfter(last, i + 1 - count))
