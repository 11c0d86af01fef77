// Which dates cannot be: shared by the rules about each date that is given. Source: decision 0051.
import { instantOf, ownDateOf } from '../contract/shape/date-and-time.ts'
import { isGiven } from '../contract/shape/field.ts'
import { isPlaceholderDate } from '../contract/shape/placeholder.ts'
import { quote } from '../contract/shape/shape-words.ts'
import type { Context } from './rule.ts'

/** Times of the rules: when the payload is judged, and when its record was first stored. */
type Clock = Pick<Context['facts'], 'now' | 'storedAt'>

/**
 * How many years a date may lie before or after the time of writing. A decade or a century that is
 * mistyped lies further away, as does a year of two digits; no food on the list keeps so long.
 */
const yearsAwayMax = 8

/** The year of the Act that the records are kept for: none of them is older. */
const earliestYear = 2011

/** The first year in which programs exchanged events; clocks that were never set are earlier. */
const earliestYearOfProgram = 2000

/** True when a date is older than the Act, or than any document of a program. */
export const isTooOld = (
  date: string,
  { areDatesOfProgram = false }: { readonly areDatesOfProgram?: boolean | undefined } = {},
): boolean => yearOf(date) < (areDatesOfProgram ? earliestYearOfProgram : earliestYear)

const yearOf = (date: string): number => Number(date.slice(0, 4))

/** True when the year of a date cannot be right; without a clock, when it is too early. */
export const isYearWrong = (date: string, { now, storedAt = now }: Clock): boolean =>
  isTooOld(date) || (storedAt !== undefined && Math.abs(yearOf(date) - yearAt(storedAt)) > yearsAwayMax)

let [lastInstant, lastYear] = [0, 1970]

/** Kept for all dates of a payload: a new Date for each doubled the time of these rules. */
function yearAt(instant: number): number {
  if (instant !== lastInstant) [lastInstant, lastYear] = [instant, new Date(instant).getUTCFullYear()]
  return lastYear
}

/** The same for a year of the past alone, where another rule reports the future. */
export const isYearTooEarly = (date: string, clock: Clock): boolean =>
  isYearWrong(date, clock) && (clock.now === undefined || instantOf(date) < clock.now)

/** True when the date of an event is plausible, so that other dates can be compared with it. */
export const isEventDated = (eventDateTime: string | undefined, clock: Clock): eventDateTime is string =>
  isGiven(eventDateTime) && !isPlaceholderDate(ownDateOf(eventDateTime)) && !isYearWrong(eventDateTime, clock)

/** Why a year is impossible; two digits of this century are the usual cause. */
export function wrongYearWords(field: string, date: string): string {
  const meant = /^00\d\d/.test(date) ? ` Year ${date.slice(2, 4)} was probably meant as 20${date.slice(2, 4)}.` : ''
  return `${field} is ${quote(date)}. A record of this time cannot have the year ${date.slice(0, 4)}.${meant}`
}

export const wrongYearRemedy = 'Compare the year with the document. A year has four digits, for example 2026.'

const hourMs = 3_600_000

/**
 * True when a calendar date has not begun anywhere at an instant: no place is more than 14 hours
 * ahead of UTC.
 */
export const isAfter = (date: string, instant: number): boolean => instantOf(date) > instant + 14 * hourMs

/** True when a calendar date has ended everywhere: no place is more than 12 hours behind UTC. */
const isBefore = (date: string, instant: number): boolean => instantOf(date) + (24 + 12) * hourMs <= instant

/**
 * True when a calendar date is after that of the event at its place. A time in UTC does not show
 * the place.
 */
export const isAfterEvent = (date: string, eventDateTime: string): boolean =>
  date > ownDateOf(eventDateTime) && (!eventDateTime.endsWith('Z') || isAfter(date, instantOf(eventDateTime)))

/** True when a calendar date is before that of the event at its place. */
export const isBeforeEvent = (date: string, eventDateTime: string): boolean =>
  date < ownDateOf(eventDateTime) && (!eventDateTime.endsWith('Z') || isBefore(date, instantOf(eventDateTime)))

/** The clock of a sender may be fast. */
export const clockErrorMs = 15 * 60_000
