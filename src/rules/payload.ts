// Rules about the envelope of a payload. Source: §2.1.
import { dateTimeFault, instantOf, isDateTime, ownDateOf } from '../contract/shape/date-and-time.ts'
import { isGiven } from '../contract/shape/field.ts'
import { clockErrorMs, isEventDated, isYearTooEarly, wrongYearWords } from './dates.ts'
import { visibleTextRule } from './hidden-characters.ts'
import { type Context, rulesAbout } from './rule.ts'

/** The subject is the whole payload; the context has everything to check. */
export type PayloadSubject = Pick<Context, 'payloadId' | 'transmissionDateTime'>

const rule = rulesAbout<PayloadSubject>()

/** Warns only: `payloadId` is called unique, but nothing is known to enforce it (decision 0005). */
export const payloadIdUnique = rule({
  id: 'payload/payload-id-unique',
  severity: 'warning',
  cites: '§2.1 payloadId',
  summary: 'No earlier payload of the data provider carries the same `payloadId`.',
  remedy: 'Give every payload its own id, including a replacement, so that two submissions can be distinguished.',
  onScreen: 'Leave Payload ID empty, or enter one that no other payload has.',
  needs: ['payloadIdUsedBy'],
  says: {
    used: (payloadId: string, record: string) =>
      `payloadId ${JSON.stringify(payloadId)} was already used by the payload that made record ${record}.`,
  },
  check({ payloadId }, { facts }, report) {
    if (isGiven(payloadId) && facts.payloadIdUsedBy !== undefined)
      report({ pointer: '/payloadId', says: 'used', values: [payloadId, facts.payloadIdUsedBy] })
  },
})

export const textVisible = visibleTextRule<PayloadSubject>('payload', '2.1', ({ payloadId }) => ({ payloadId }))

/**
 * The master data endpoints state only the length of strings, so the form of this one datetime is
 * advice (decision 0006).
 */
export const transmissionDateTimeForm = rule({
  id: 'payload/transmission-date-time-form',
  severity: 'warning',
  cites: '§2 datetime format, §2.1 transmissionDateTime',
  summary: 'On the master data endpoints, `transmissionDateTime` has one of the three datetime forms.',
  remedy: 'Send, for example, 2026-03-04T18:05:00Z.',
  says: {
    form: (text: string) => `transmissionDateTime is ${JSON.stringify(text)}. ${dateTimeFault(text)}`,
  },
  check({ transmissionDateTime }, _context, report) {
    if (isGiven(transmissionDateTime) && !isDateTime(transmissionDateTime))
      report({ pointer: '/transmissionDateTime', says: 'form', values: [transmissionDateTime] })
  },
})

const dayMs = 86_400_000

/** A day is left for clocks and time zones, and for notices sent before the goods leave. */
export const transmissionDatePlausible = rule({
  id: 'payload/transmission-date-plausible',
  severity: 'warning',
  cites: '§2.1 transmissionDateTime',
  summary: '`transmissionDateTime` lies after the events of the payload, not in the future, and not years ago.',
  remedy: 'Send when the payload was sent, or leave the field out. A year has four digits, for example 2026.',
  says: {
    wrong: (text: string) => wrongYearWords('transmissionDateTime', text),
    future: (text: string) => `transmissionDateTime is ${JSON.stringify(text)}, which lies in the future.`,
    early: (text: string, eventDate: string) =>
      `transmissionDateTime is ${JSON.stringify(text)}, before the event on ${eventDate}.`,
  },
  check({ transmissionDateTime: text }, { events, facts }, report) {
    if (!isGiven(text) || !isDateTime(text)) return
    const pointer = '/transmissionDateTime'
    const { now } = facts
    if (isYearTooEarly(text, facts)) report({ pointer, says: 'wrong', values: [text] })
    else if (now === undefined) return
    else if (instantOf(text) > now + dayMs) report({ pointer, says: 'future', values: [text] })
    else {
      // Another rule reports an event in the future.
      const isLater = (dateTime: string) =>
        instantOf(dateTime) > instantOf(text) + dayMs && instantOf(dateTime) <= now + clockErrorMs
      const later = events.find(
        ({ value: { eventDateTime } }) => isEventDated(eventDateTime, facts) && isLater(eventDateTime),
      )?.value.eventDateTime
      if (later !== undefined) report({ pointer, says: 'early', values: [text, ownDateOf(later)] })
    }
  },
})
