// The time of an event in a form of the contract: without fractions of a second, at the offset of
// the place, with whole hours.
import { isDateTime } from '../contract/shape/date-and-time.ts'
import type { EpcisEvent } from './document.ts'
import type { GoodsFault } from './goods.ts'
import { memberOf, textOf } from './words.ts'

const [minuteMs, hourMinutes, offsetMinutesMax] = [60_000, 60, 14 * 60]

/**
 * `2026-03-04T17:30:00.250Z` with the offset `-08:00` is `2026-03-04T09:30:00-08:00`, the date at
 * the place. The contract has no half hours: the offset is then the whole hour beside it that
 * leaves the date as it is.
 */
export function readEventTime(event: EpcisEvent): string | GoodsFault {
  const time = memberOf(event, 'eventTime')
  const text = textOf(time) ?? ''
  const fault = (pointer: string, message: string, remedy: string) => ({ pointer, message, remedy })
  const written = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,12})?(Z|[+-]\d\d:\d\d)$/.exec(text)
  const own = written === null ? undefined : offsetIn(written[2] ?? '')
  const local = written?.[1] ?? ''
  if (own === undefined || !isDateTime(`${local}Z`))
    return fault(
      time?.pointer ?? `${event.pointer}/eventTime`,
      time === undefined ? 'eventTime is missing.' : `eventTime is ${JSON.stringify(text.slice(0, 60))}.`,
      'Send a date and time with an offset, e.g. 2026-03-04T09:30:00.000-08:00.',
    )
  const zone = memberOf(event, 'eventTimeZoneOffset')
  const offset = zone === undefined ? own : offsetIn(textOf(zone) ?? '')
  if (offset === undefined)
    return fault(
      zone?.pointer ?? event.pointer,
      'eventTimeZoneOffset is no offset.',
      'Send hours and minutes from -14:00 to +14:00, e.g. -08:00.',
    )
  const asWritten = local + written?.[2]
  if (offset === own && isDateTime(asWritten)) return asWritten
  return atOffset(Date.parse(`${local}Z`) - own * minuteMs, offset)
}

/** Minutes east of Greenwich. */
function offsetIn(text: string): number | undefined {
  if (text === 'Z') return 0
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(text) ?? []
  const total = Number(hours) * hourMinutes + Number(minutes)
  return sign === undefined || total > offsetMinutesMax || Number(minutes) >= hourMinutes
    ? undefined
    : sign === '-'
      ? 0 - total
      : total
}

function atOffset(instant: number, offset: number): string {
  const date = isoAt(instant, offset).slice(0, 10)
  const hours = [Math.floor(offset / hourMinutes), Math.ceil(offset / hourMinutes)]
  const hour = hours.find((one) => isoAt(instant, one * hourMinutes).startsWith(date)) ?? hours[0] ?? 0
  const zone = hour === 0 ? 'Z' : `${hour < 0 ? '-' : '+'}${String(Math.abs(hour)).padStart(2, '0')}:00`
  return isoAt(instant, hour * hourMinutes).slice(0, 19) + zone
}

const isoAt = (instant: number, offset: number): string => new Date(instant + offset * minuteMs).toISOString()
