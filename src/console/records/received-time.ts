// The time of an event as a date, a time of day and a time zone, and back to the text of the
// contract.
import { dateAt, isCalendarDate, isDateTime, isTimeZone } from '../../contract/shape/date-and-time.ts'
import { localOffset } from '../../intake/local-time.ts'

export interface TimeParts {
  /** `yyyy-MM-dd`; empty while it is not given. */
  readonly date: string
  /** `HH:mm` or `HH:mm:ss`. */
  readonly time: string
  /** Name of a time zone, or a fixed offset such as `Z` or `-05:00`. */
  readonly zone: string
}

const withSeconds = (time: string): string => (time.length === 5 ? `${time}:00` : time)

/** Where this device is; a fixed offset where it names no zone. */
export function ownZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return timeZone === 'UTC' ? 'Z' : timeZone
}

/** An instant as the contract writes it, in the time zone of this device. */
export function dateTimeHere(now: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  const date = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
  const time = `${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`
  return dateTimeOf({ date, time, zone: ownZone() }) ?? ''
}

/** The text of the contract: undefined without date or time. */
export function dateTimeOf({ date, time, zone }: TimeParts): string | undefined {
  if (!isCalendarDate(date) || !/^\d{2}:\d{2}(:\d{2})?$/.test(time)) return undefined
  const local = `${date}T${withSeconds(time)}`
  const offset = isTimeZone(zone) ? localOffset(zone, date, withSeconds(time)).offset : zone
  // The contract takes whole hours; where clocks keep others, the same instant is written in UTC.
  if (/^(Z|[+-]\d{2}:00)$/.test(offset)) return local + offset
  return new Date(`${local}${offset}`).toISOString().replace('.000', '')
}

/**
 * The parts of a text of the contract. `zone` is kept where it names the same instant; undefined
 * when the text is none.
 */
export function partsOf(dateTime: string, zone: string): TimeParts | undefined {
  if (!isDateTime(dateTime)) return undefined
  const [date = '', rest = ''] = dateTime.split('T')
  const seconds = rest.slice(0, 8)
  const time = seconds.endsWith(':00') ? seconds.slice(0, 5) : seconds
  const own = { date, time, zone: rest.slice(8).replace(/^[+-]00:00$/, 'Z') }
  const inZone = { date, time, zone }
  return dateTimeOf(inZone) === dateTime ? inZone : own
}

/** The local time after a clock was put forward or back. */
export function clockWords({ date, time, zone }: TimeParts): string | undefined {
  if (!isCalendarDate(date) || time === '' || !isTimeZone(zone)) return undefined
  const { occurs } = localOffset(zone, date, withSeconds(time))
  if (occurs === 'twice') return 'Clocks were put back: this time occurs twice, and the first is meant.'
  return occurs === 'never' ? 'Clocks were put forward: there is no such time on this day.' : undefined
}

/** The date at the receiving location where its time zone is known, else the date as written. */
export const dateReceived = (dateTime: string, zone: string | undefined): string | undefined =>
  isDateTime(dateTime) ? dateAt(dateTime, zone) : undefined
