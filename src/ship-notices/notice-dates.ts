// Dates and times of a ship notice: when the goods left, in which zone, and dates of the calendar.
import { errorAt, nameOf, type Place, quoted, warningAt, type X12Finding } from 'lotkeeper-x12/finding'
import type { Placed, QualifiedDate } from 'lotkeeper-x12/segment-values'
import { isCalendarDate } from '../contract/shape/date-and-time.ts'
import type { ShipNoticeSender } from '../contract/ship-notice-sender.ts'
import { findTimeZone, localOffset } from '../intake/local-time.ts'
import { zoneNames, zoneOffsets } from './codes.ts'
import { codesOf } from './notice-elements.ts'
import type { ShipNotice } from './ship-notice.ts'

/** What the dates of a notice need of its reading. */
export interface DateReading {
  readonly sender: ShipNoticeSender
  readonly findings: X12Finding[]
}

/** `20260904` as 2026-09-04, and `260904` of this century. */
export function readDate(written: Placed | undefined, findings: X12Finding[]): string | undefined {
  if (written === undefined) return undefined
  const digits = /^\d{6}$/.test(written.text) ? `20${written.text}` : written.text
  const date = /^\d{8}$/.test(digits) ? `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}` : ''
  if (isCalendarDate(date)) return date
  findings.push(
    errorAt(written, {
      message: `${nameOf(written)} is ${quoted(written.text)}. A date has the form CCYYMMDD, e.g. 20260304.`,
      remedy: 'Have the sender send a date of the calendar.',
      code: '8',
    }),
  )
  return undefined
}

/** The first date under one of the qualifiers, in the order of these. */
export const firstDate = (dates: readonly QualifiedDate[], codes: readonly string[]): QualifiedDate | undefined =>
  codes.map((code) => dates.find(({ qualifier }) => qualifier === code)).find((date) => date !== undefined)

const shippedCodes = codesOf('DTM', 'eventDateTime')

/** When the goods left: DTM with 011 or 370, else the date and time of the notice. */
export function shippedAt(
  notice: ShipNotice,
  at: Place,
  dates: readonly QualifiedDate[],
  { sender, findings }: DateReading,
): Placed | undefined {
  const stated = firstDate(dates, shippedCodes)
  const date = stated ?? notice.date
  if (date === undefined) {
    findings.push(
      errorAt(at, {
        message: 'The notice does not say when the goods were shipped.',
        remedy: 'Have the sender send DTM*011 with date and time.',
        code: '3',
      }),
    )
    return undefined
  }
  const day = readDate(date, findings)
  if (day === undefined) return undefined
  if (stated !== undefined) findings.push(...otherTimes(stated, dates))
  const isOfNotice = stated === undefined || (stated.time === undefined && stated.text === notice.date?.text)
  const time = stated?.time ?? (isOfNotice ? notice.time : undefined)
  if (stated?.time === undefined)
    findings.push(
      warningAt(date, {
        message: `${stated === undefined ? 'The notice has no DTM*011' : 'DTM*011 has no time'}. ${time === undefined ? 'The event is dated to the beginning of the day.' : 'The time of the notice (BSN04) is used.'}`,
        remedy: 'Have the sender send DTM*011 with date and time.',
        code: '1',
      }),
    )
  const clock = readTime(time, findings)
  if (clock === undefined) return undefined
  const offset = offsetOf(stated?.zone, { date: day, time: clock }, sender, findings)
  if (offset === undefined) {
    findings.push(
      errorAt(date, {
        message: `The time ${day} ${clock} has no time zone.`,
        remedy: 'Enter the time zone in the settings of the sender, or have the sender send DTM04.',
        code: '1',
      }),
    )
    return undefined
  }
  return { ...date, text: /:00$|^Z$/.test(offset) ? `${day}T${clock}${offset}` : inUtc(`${day}T${clock}${offset}`) }
}

/** Dates under the same qualifiers that say another time than the one that counts. */
function otherTimes(stated: QualifiedDate, dates: readonly QualifiedDate[]): X12Finding[] {
  const timeOf = ({ text, time, zone }: QualifiedDate) => [text, time?.text, zone?.text].join(' ').trimEnd()
  return dates
    .filter((date) => shippedCodes.includes(date.qualifier) && timeOf(date) !== timeOf(stated))
    .slice(0, 1)
    .map((other) =>
      warningAt(other, {
        message: `The notice says twice when the goods were shipped: ${timeOf(stated)} (DTM*${stated.qualifier}) and ${timeOf(other)} (DTM*${other.qualifier}). The first is stored.`,
        remedy: 'Ask the sender which is right, and have one sent.',
        code: '7',
      }),
    )
}

/** `0930` and `093015` as 09:30:00 and 09:30:15. */
function readTime(written: Placed | undefined, findings: X12Finding[]): string | undefined {
  if (written === undefined) return '00:00:00'
  const [, hour, minute, second = '00'] = /^([01]\d|2[0-3])([0-5]\d)([0-5]\d)?\d{0,2}$/.exec(written.text) ?? []
  if (hour !== undefined) return `${hour}:${minute}:${second}`
  findings.push(
    errorAt(written, {
      message: `${nameOf(written)} is ${quoted(written.text)}. A time has the form HHMM, e.g. 0930.`,
      remedy: 'Have the sender send a time of day.',
      code: '9',
    }),
  )
  return undefined
}

/** X12 element 623 for the local time of the sender. */
const localTime = 'LT'

/** That of the code in DTM04, else of the time zone of the sender. */
function offsetOf(
  zone: Placed | undefined,
  { date, time }: { readonly date: string; readonly time: string },
  { timeZone }: ShipNoticeSender,
  findings: X12Finding[],
): string | undefined {
  const code = zone?.text ?? localTime
  if (code in zoneOffsets) return zoneOffsets[code]
  const named = zoneNames[code]
  const used = named ?? timeZone
  if (used === undefined || findTimeZone(used) === undefined) return undefined
  if (zone !== undefined && named === undefined && code !== localTime)
    findings.push(
      warningAt(zone, {
        message: `${nameOf(zone)} is ${quoted(zone.text)}, which is no time zone of X12. The time zone of the settings is used, ${used}.`,
        remedy: 'Have the sender send a code of element 623, e.g. ET, or none.',
        code: '7',
      }),
    )
  return localOffset(used, date, time).offset
}

const inUtc = (dateTime: string): string => `${new Date(dateTime).toISOString().slice(0, 19)}Z`
