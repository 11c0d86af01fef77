// The offset from UTC of a local date and time in a time zone with daylight saving. The rules are
// those of Intl.

const dayMs = 86_400_000

export interface LocalOffset {
  /** `Z`, or e.g. `-05:00`. */
  readonly offset: string
  /**
   * `once` for almost all times. A time occurs twice when clocks are put back, and never when they
   * are put forward.
   */
  readonly occurs: 'once' | 'twice' | 'never'
}

/**
 * The zone as Intl spells it, e.g. `America/New_York`; undefined when there is none of that name.
 */
export function findTimeZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** `-05:00` at an instant in milliseconds since 1970. Expects a zone that `timeZoneNamed` knows. */
function offsetAt(timeZone: string, instant: number): string {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    formats.set(timeZone, format)
  }
  const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return name === 'GMT' ? '+00:00' : name.slice(3)
}

const minutesOf = (offset: string): number =>
  (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6))) * (offset.startsWith('-') ? -1 : 1)

/**
 * The offset at a local `yyyy-MM-dd` and `HH:mm:ss`. Where clocks change, it is the offset before
 * the change: for a time that occurs twice, the first; for one that never occurs, the time since
 * midnight counts.
 */
export function localOffset(timeZone: string, date: string, time: string): LocalOffset {
  const local = Date.parse(`${date}T${time}Z`)
  const [before, after] = [offsetAt(timeZone, local - dayMs), offsetAt(timeZone, local + dayMs)]
  const fits = (offset: string) => offsetAt(timeZone, local - minutesOf(offset) * 60_000) === offset
  const offsetOf = (offset: string, occurs: LocalOffset['occurs']): LocalOffset => ({
    offset: offset === '+00:00' ? 'Z' : offset,
    occurs,
  })
  if (before === after || !fits(after)) return offsetOf(before, before === after || fits(before) ? 'once' : 'never')
  return fits(before) ? offsetOf(before, 'twice') : offsetOf(after, 'once')
}
