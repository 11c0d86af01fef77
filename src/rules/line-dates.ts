// Rules about the dates of a product line. They come in an order: harvest, production, packaging,
// the event, and until when the food is good. One mistake has one finding: a date whose year is
// wrong is compared with no other. Source: §2.5.
import { ownDateOf } from '../contract/shape/date-and-time.ts'
import { isGiven } from '../contract/shape/field.ts'
import {
  isAfter,
  isAfterEvent,
  isBeforeEvent,
  isEventDated,
  isYearTooEarly,
  isYearWrong,
  wrongYearRemedy,
  wrongYearWords,
} from './dates.ts'
import { type Context, type LineSubject, rulesAbout } from './rule.ts'

const rule = rulesAbout<LineSubject>()

/** In the order in which they come. */
const madeFields = ['harvestDate', 'productionDate', 'packagingDate'] as const
/** The earlier date, and the later one. */
const madePairs = [
  ['harvestDate', 'productionDate'],
  ['harvestDate', 'packagingDate'],
  ['productionDate', 'packagingDate'],
] as const
const goodUntilFields = ['expirationDate', 'bestBeforeDate'] as const
/** A date code may be any of the dates. */
const anyWayFields = [...goodUntilFields, 'itemDateCode'] as const

export const yearsPlausible = rule({
  id: 'product-line/years-plausible',
  severity: 'warning',
  cites: '§2.5 dates of a line',
  summary: 'The dates of a line have years of four digits, at most 8 years away and none before 2011.',
  remedy: wrongYearRemedy,
  says: { wrong: wrongYearWords },
  check({ line }, { at, facts }, report) {
    // `made-before-receipt` reports the future.
    for (const field of madeFields) {
      const date = line[field]
      if (isGiven(date) && isYearTooEarly(date, facts))
        report({ pointer: `${at}/${field}`, says: 'wrong', values: [field, date] })
    }
    for (const field of anyWayFields) {
      const date = line[field]
      if (isGiven(date) && isYearWrong(date, facts))
        report({ pointer: `${at}/${field}`, says: 'wrong', values: [field, date] })
    }
  },
})

type EventWord = 'receipt' | 'shipment' | 'event'

const madeBefore = (event: EventWord) =>
  rule({
    id: `product-line/made-before-${event}`,
    severity: 'warning',
    cites: '§2.5 harvestDate, productionDate, packagingDate',
    summary: `Harvest, production and packaging lie before the ${event}, and not in the future.`,
    remedy: 'Compare the dates with the label and the delivery: one of them is probably mistyped.',
    says: {
      late: (field: string, date: string, eventDate: string) =>
        `${field} is ${date}, after the ${event} on ${eventDate}.`,
      future: (field: string, date: string) => `${field} is ${date}, which lies in the future.`,
    },
    check({ line, event: { eventDateTime } }, { at, facts }, report) {
      for (const field of madeFields) {
        const date = line[field]
        if (!isGiven(date)) continue
        if (isGiven(eventDateTime) && isAfterEvent(date, eventDateTime) && isEventDated(eventDateTime, facts))
          report({ pointer: `${at}/${field}`, says: 'late', values: [field, date, ownDateOf(eventDateTime)] })
        else if (facts.now !== undefined && isAfter(date, facts.now))
          report({ pointer: `${at}/${field}`, says: 'future', values: [field, date] })
      }
    },
  })

export const madeBeforeReceipt = madeBefore('receipt')
export const madeBeforeShipping = madeBefore('shipment')
export const madeBeforeEvent = madeBefore('event')

export const madeInOrder = rule({
  id: 'product-line/made-in-order',
  severity: 'warning',
  cites: '§2.5 harvestDate, productionDate, packagingDate',
  summary: 'Harvest lies before production, and production before packaging.',
  remedy: 'Compare the dates with the label: they may be exchanged.',
  says: {
    after: (field: string, date: string, laterField: string, later: string) =>
      `${field} is ${date}, after ${laterField}, ${later}.`,
  },
  check(subject, context, report) {
    let reported: string | undefined
    for (const [field, laterField] of madePairs) {
      const date = subject.line[field]
      const later = subject.line[laterField]
      if (field === reported || !isGiven(date) || !isGiven(later) || date <= later) continue
      if (soundMade(subject, field, context) === undefined) continue
      if (soundMade(subject, laterField, context) === undefined) continue
      report({ pointer: `${context.at}/${field}`, says: 'after', values: [field, date, laterField, later] })
      reported = field
    }
  },
})

/** A date about which no other rule has a finding. */
function soundMade(
  { line, event: { eventDateTime } }: LineSubject,
  field: (typeof madeFields)[number],
  { facts }: Pick<Context<never>, 'facts'>,
): string | undefined {
  const date = line[field]
  if (!isGiven(date) || isYearTooEarly(date, facts)) return undefined
  const isLate = isGiven(eventDateTime) && isAfterEvent(date, eventDateTime)
  return isLate && isEventDated(eventDateTime, facts) ? undefined : date
}

export const goodAfterMade = rule({
  id: 'product-line/good-after-made',
  severity: 'warning',
  cites: '§2.5 expirationDate, bestBeforeDate',
  summary: 'Expiration and best-before date do not lie before harvest, production or packaging.',
  remedy: 'Compare the dates with the label: they may be exchanged.',
  says: {
    before: (field: string, until: string, madeField: string, made: string) =>
      `${field} is ${until}, before ${madeField}, ${made}.`,
  },
  check(subject, context, report) {
    for (const field of goodUntilFields) {
      const until = subject.line[field]
      if (!isGiven(until) || isYearWrong(until, context.facts)) continue
      const madeField = madeAfter(until, subject, context)
      const made = madeField && subject.line[madeField]
      if (madeField !== undefined && made !== undefined)
        report({ pointer: `${context.at}/${field}`, says: 'before', values: [field, until, madeField, made] })
    }
  },
})

const madeAfter = (until: string, subject: LineSubject, context: Pick<Context<never>, 'facts'>) =>
  madeFields.find((field) => until < (soundMade(subject, field, context) ?? until))

const goodAt = (event: EventWord) =>
  rule({
    id: `product-line/good-at-${event}`,
    severity: 'warning',
    cites: '§2.5 expirationDate, bestBeforeDate',
    summary: `Expiration and best-before date do not lie before the ${event}.`,
    remedy: 'Compare the dates with the label and the delivery: one of them is probably mistyped.',
    says: {
      past: (field: string, until: string, eventDate: string) =>
        `${field} is ${until}, before the ${event} on ${eventDate}.`,
    },
    check(subject, context, report) {
      const { eventDateTime } = subject.event
      for (const field of goodUntilFields) {
        const until = subject.line[field]
        if (!isGiven(until) || !isGiven(eventDateTime) || !isBeforeEvent(until, eventDateTime)) continue
        if (!isEventDated(eventDateTime, context.facts) || isYearWrong(until, context.facts)) continue
        // `good-after-made` reports a date that is before harvest, production or packaging too.
        if (madeAfter(until, subject, context) === undefined)
          report({
            pointer: `${context.at}/${field}`,
            says: 'past',
            values: [field, until, ownDateOf(eventDateTime)],
          })
      }
    },
  })

export const goodAtReceipt = goodAt('receipt')
export const goodAtShipping = goodAt('shipment')
export const goodAtEvent = goodAt('event')
