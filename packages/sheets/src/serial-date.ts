// Dates as spreadsheets count them.

const dayMs = 86_400_000

/**
 * A date from the day count of spreadsheets: `yyyy-MM-dd`, with the time of day if it has one, or
 * only the time. They count a 29 February 1900 that never was, so dates before March 1900 come out
 * one day later than most programs show.
 */
export function dateOfSerial(serial: number, { countsFrom1904 = false } = {}): string {
  const epoch = countsFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  const at = new Date(Math.round((epoch + serial * dayMs) / 1_000) * 1_000)
  if (!Number.isFinite(at.getTime()) || at.getUTCFullYear() > 9999 || serial < 0) return String(serial)
  const text = at.toISOString().slice(0, 19)
  if (serial < 1) return text.slice(11)
  return text.endsWith('T00:00:00') ? text.slice(0, 10) : text
}
