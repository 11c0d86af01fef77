// Rules that receiving and shipping events share, made for each of them, and for all other events
// together: each has ids of its own and cites its own paragraph (decisions 0080, 0090).
import { mergeLocation } from '../contract/completion.ts'
import { isRetailReason } from '../contract/exempt-place.ts'
import type { MasterLocation } from '../contract/location.ts'
import type { EventKind } from '../contract/record-kinds.ts'
import { documentFields } from '../contract/reference-document.ts'
import { instantOf, isInUtc, ownDateOf } from '../contract/shape/date-and-time.ts'
import { isGiven } from '../contract/shape/field.ts'
import { isPlaceholderCode, isPlaceholderDate, isStatedCode } from '../contract/shape/placeholder.ts'
import { isRefused, type Loose } from '../contract/shape/read-shape.ts'
import { quote } from '../contract/shape/shape-words.ts'
import {
  clockErrorMs,
  isAfter,
  isAfterEvent,
  isEventDated,
  isYearTooEarly,
  isYearWrong,
  wrongYearRemedy,
  wrongYearWords,
} from './dates.ts'
import { alikeCode, alikeWords, codesNamedMax, knownWords } from './known-codes.ts'
import { missingDescription } from './location.ts'
import type { PayloadSubject } from './payload.ts'
import {
  type BreachOf,
  type Context,
  type LooseEvent,
  type Rule,
  rulesAbout,
  textIn,
  timeZoneOf,
  vendorKey,
} from './rule.ts'
import { repeatedSays, reportRepeated } from './unique-identifiers.ts'
import { type Missing, missingWords, type Written, writtenIn, writtenWords } from './written.ts'

export type EventSubject = LooseEvent

/** A location field of the event, or those of its kind that the rule is about. */
type LocationFields = string | ((kind: EventKind) => readonly string[])

/** Rules allocate nothing: the list of one field is made once. */
function readFields(fields: LocationFields): (context: Pick<Context<never>, 'eventKind'>) => readonly string[] {
  const own = typeof fields === 'string' ? [fields] : []
  return ({ eventKind }) => (typeof fields === 'string' || eventKind === undefined ? own : fields(eventKind))
}

/** The first part of the ids of its rules. */
type EventGroup = 'receiving-event' | 'shipping-event' | 'event'

const rule = rulesAbout<EventSubject>()
const payloadRule = rulesAbout<PayloadSubject>()

export function listedRule(group: EventGroup, fields: LocationFields, slug: string): Rule<EventSubject> {
  const fieldsOf = readFields(fields)
  return rule({
    id: `${group}/${slug}-listed`,
    severity: 'error',
    cites: typeof fields === 'string' ? `§2.4 ${fields}` : '§2.3',
    summary: `${typeof fields === 'string' ? `\`${fields}\`` : 'A location of the event'} is the code of a location in \`locationMasterList\`.`,
    remedy: 'Add the location to locationMasterList, or correct the code; upper and lower case count.',
    onScreen: 'Choose a stored location, or describe the new one. Upper and lower case count.',
    says: unlistedSays,
    check(event, context, report) {
      for (const field of fieldsOf(context))
        reportUnlisted({ field, code: textIn(event, field), pointer: `${context.at}/${field}` }, context, report)
    },
  })
}

/** A location that the event or a line names. */
interface NamedPlace {
  readonly field: string
  readonly code: string | undefined
  readonly pointer: string
}

const unlistedWords = (field: string, code: string): string => `${field} ${quote(code)} is not in locationMasterList.`

export const unlistedSays = {
  unlisted: unlistedWords,
  alike: (field: string, code: string, alike: string) => `${unlistedWords(field, code)} ${alikeWords(code, alike)}`,
  known: (field: string, code: string, named: readonly string[], count: number) =>
    `${unlistedWords(field, code)} ${knownWords(named, count)}`,
}

/** Reports a location that is not in the list of the payload. */
export function reportUnlisted(
  { field, code, pointer }: NamedPlace,
  { locationByCode }: Pick<Context<never>, 'locationByCode'>,
  report: (breach: BreachOf<typeof unlistedSays>) => void,
): void {
  if (!isGiven(code) || locationByCode.has(code)) return
  const alike = alikeCode(code, locationByCode)
  if (alike !== undefined) report({ pointer, says: 'alike', values: [field, code, alike] })
  else if (locationByCode.size === 0) report({ pointer, says: 'unlisted', values: [field, code] })
  else {
    const named = [...locationByCode.keys()].slice(0, codesNamedMax)
    report({ pointer, says: 'known', values: [field, code, named, locationByCode.size] })
  }
}

/** The parts of one event, and the fields that make two events of a payload the same. */
interface OneEvent {
  readonly id: string
  readonly cites: string
  readonly summary: string
  readonly remedy: string
  readonly onScreen: string
  /** The fields as words. */
  readonly same: string
  /** Fields beside the event date time. An event that lacks one is not compared. */
  readonly fields: readonly string[]
  /** Further fields, which may be absent. */
  readonly optional?: readonly string[]
}

/**
 * Only within one payload: a unique index covers stored events, because a check before the write
 * would let two concurrent writers through.
 */
export function oneEventRule({ same, fields, optional = [], ...words }: OneEvent) {
  const compared = [...fields, ...optional]
  return payloadRule({
    ...words,
    severity: 'error',
    says: { repeated: (firstAt: string) => `The event at ${firstAt} has the same ${same}.` },
    check(_payload, { events }, report) {
      if (events.length < 2) return
      const firsts = new Map<string, string>()
      for (const { at, value } of events) {
        const { eventDateTime } = value
        if (!isGiven(eventDateTime) || !fields.every((field) => isGiven(value[field]))) continue
        if (isRefused(value, 'eventDateTime') || compared.some((field) => isRefused(value, field))) continue
        const key = JSON.stringify([instantOf(eventDateTime), ...compared.map((field) => value[field] ?? '')])
        const first = firsts.get(key)
        if (first === undefined) firsts.set(key, at)
        else report({ pointer: `${at}/eventDateTime`, says: 'repeated', values: [first] })
      }
    },
  })
}

export const carrierCodeRule = (group: EventGroup) =>
  rule({
    id: `${group}/carrier-code-letters`,
    severity: 'error',
    cites: '§2.4 standardCarrierAlphaCode',
    summary: '`standardCarrierAlphaCode` is four letters.',
    remedy: 'Send the SCAC of the carrier, for example GVTL, or leave the field out.',
    says: {
      letters: (code: string) =>
        `standardCarrierAlphaCode is ${JSON.stringify(code)}; a carrier code has four letters.`,
    },
    check({ standardCarrierAlphaCode: code }, { at }, report) {
      if (isGiven(code) && !/^[A-Za-z]{4}$/.test(code))
        report({ pointer: `${at}/standardCarrierAlphaCode`, says: 'letters', values: [code] })
    },
  })

export const eventIdRule = (group: EventGroup) =>
  rule({
    id: `${group}/event-id-unique`,
    severity: 'warning',
    cites: '§2.4 eventId',
    summary: `No other ${group.replaceAll('-', ' ')} has the same \`eventId\`.`,
    remedy: 'Give every event its own id. To correct an event, replace the record named here.',
    onScreen: 'Give every event its own id. To correct an event, edit the one named here.',
    needs: ['heldBy'],
    says: repeatedSays('eventId'),
    check({ eventId }, context, report) {
      if (!isGiven(eventId)) return
      const { at, events } = context
      const holders = () =>
        events.map((event) => ({ at: event.at, value: event.value.eventId ?? '', sameAs: event.at }))
      reportRepeated(
        { field: 'eventId', value: eventId, place: { at } },
        { entries: events, holdersIn: holders, context, heldBy: context.facts.heldBy },
        report,
      )
    },
  })

/** The verb of the kind: received or shipped. */
interface InPast {
  readonly id: string
  readonly summary: string
  readonly remedy: string
  readonly onScreen: string
}

export const inPastRule = (words: InPast) =>
  rule({
    ...words,
    severity: 'warning',
    cites: '§2.4 eventDateTime, eventTransactionTime',
    says: {
      future: (eventDateTime: string) => `eventDateTime is ${JSON.stringify(eventDateTime)}, which lies in the future.`,
      futureYear: (eventDateTime: string) =>
        `eventDateTime is ${JSON.stringify(eventDateTime)}, which lies in the future. ${notInThisYear}`,
      transaction: (eventTransactionTime: string) =>
        `eventTransactionTime is ${JSON.stringify(eventTransactionTime)}, which lies in the future.`,
    },
    check({ eventDateTime, eventTransactionTime: transaction }, { at, facts: { now } }, report) {
      if (now === undefined) return
      const isFuture = (dateTime: string) =>
        !isPlaceholderDate(ownDateOf(dateTime)) && instantOf(dateTime) > now + clockErrorMs
      if (isGiven(eventDateTime) && isFuture(eventDateTime)) {
        const isThisYear = Number(eventDateTime.slice(0, 4)) <= new Date(now).getUTCFullYear()
        const says = isThisYear ? 'future' : 'futureYear'
        report({ pointer: `${at}/eventDateTime`, says, values: [eventDateTime] })
      }
      if (isGiven(transaction) && isFuture(transaction))
        report({ pointer: `${at}/eventTransactionTime`, says: 'transaction', values: [transaction] })
    },
  })

const notInThisYear = 'No list, completeness or package of this year shows the event.'

export const yearsRule = (group: EventGroup) =>
  rule({
    id: `${group}/years-plausible`,
    severity: 'warning',
    cites: '§2.4 dates of an event',
    summary: 'The dates of an event have years of four digits, at most 8 years away and none before 2011.',
    remedy: wrongYearRemedy,
    says: {
      wrong: wrongYearWords,
      wrongOfEvent: (eventDateTime: string) => `${wrongYearWords('eventDateTime', eventDateTime)} ${notInThisYear}`,
    },
    check(event, { at, facts }, report) {
      const { eventDateTime, purchaseOrderDate, eventTransactionTime, expectedDeliveryDate } = event
      // A placeholder is a gap, and a rule of their own reports those in the future.
      const isOfEvent = isGiven(eventDateTime) && !isPlaceholderDate(ownDateOf(eventDateTime))
      if (isOfEvent && isYearTooEarly(eventDateTime, facts))
        report({ pointer: `${at}/eventDateTime`, says: 'wrongOfEvent', values: [eventDateTime] })
      const look = (field: string, date: string | undefined, isWrong: typeof isYearWrong) => {
        if (isGiven(date) && isWrong(date, facts))
          report({ pointer: `${at}/${field}`, says: 'wrong', values: [field, date] })
      }
      look('purchaseOrderDate', purchaseOrderDate, isYearTooEarly)
      look('eventTransactionTime', eventTransactionTime, isYearTooEarly)
      look('expectedDeliveryDate', expectedDeliveryDate, isYearWrong)
    },
  })

export const orderedBeforeRule = (group: EventGroup, event: 'receipt' | 'shipment') =>
  rule({
    id: `${group}/ordered-before-${event}`,
    severity: 'warning',
    cites: '§2.4 purchaseOrderDate',
    summary: `The purchase order date lies before the ${event}, and not in the future.`,
    remedy: 'Compare both dates with the purchase order and the delivery: one of them is probably mistyped.',
    says: {
      late: (date: string, eventDate: string) => `purchaseOrderDate is ${date}, after the ${event} on ${eventDate}.`,
      future: (date: string) => `purchaseOrderDate is ${date}, which lies in the future.`,
    },
    check({ purchaseOrderDate: date, eventDateTime }, { at, facts }, report) {
      if (!isGiven(date)) return
      const pointer = `${at}/purchaseOrderDate`
      if (isEventDated(eventDateTime, facts) && isAfterEvent(date, eventDateTime))
        report({ pointer, says: 'late', values: [date, ownDateOf(eventDateTime)] })
      else if (facts.now !== undefined && isAfter(date, facts.now)) report({ pointer, says: 'future', values: [date] })
    },
  })

/** A list with no other location has an error of its own. */
export const endsRule = (group: EventGroup) =>
  rule({
    id: `${group}/ends-differ`,
    severity: 'warning',
    cites: '§2.3, §2.4 shipFromLocationCode, shipToLocationCode',
    summary: 'The ship-from and the ship-to location are two locations, by code and by GLN.',
    remedy: 'Correct the code or the GLN of the one that is wrong.',
    says: {
      oneCode: (code: string) => `shipFromLocationCode and shipToLocationCode are both ${JSON.stringify(code)}.`,
      oneGln: (from: string, to: string, gln: string) =>
        `Locations ${JSON.stringify(from)} and ${JSON.stringify(to)} have one GLN, ${gln}.`,
    },
    check({ shipFromLocationCode: from, shipToLocationCode: to }, { at, locationByCode }, report) {
      if (!isGiven(from) || !isGiven(to)) return
      if (from === to) {
        if (locationByCode.size > 1) report({ pointer: `${at}/shipToLocationCode`, says: 'oneCode', values: [to] })
        return
      }
      const [fromGln, entry] = [locationByCode.get(from)?.value.gln, locationByCode.get(to)]
      if (isGiven(fromGln) && entry !== undefined && entry.value.gln === fromGln && !isPlaceholderCode(fromGln))
        report({ pointer: `${entry.at}/gln`, says: 'oneGln', values: [from, to, fromGln] })
    },
  })

export const ladingQuantityRule = (group: EventGroup) =>
  rule({
    id: `${group}/lading-quantity-positive`,
    severity: 'warning',
    cites: '§2.4 shipmentLadingQuantity',
    summary: 'The lading quantity is more than 0.',
    remedy: 'Send the quantity that was loaded, or leave the field out.',
    says: {
      notPositive: (quantity: number) => `shipmentLadingQuantity is ${quantity}; what was loaded is more than 0.`,
    },
    check({ shipmentLadingQuantity: quantity }, { at }, report) {
      if (quantity !== undefined && quantity <= 0)
        report({ pointer: `${at}/shipmentLadingQuantity`, says: 'notPositive', values: [quantity] })
    },
  })

const nothing: readonly Missing[] = []

/** What the description of a location lacks, completed with current master data. */
export function missingParts(
  entry: Loose<MasterLocation>,
  masterKey: string,
  { describedLocations, facts }: Pick<Context<'masterLocations'>, 'describedLocations' | 'facts'>,
): readonly Missing[] {
  // The usual case, which saves the expensive part: master data can only add to the entry.
  if (describedLocations.has(entry)) return nothing
  return missingDescription(mergeLocation(entry, facts.masterLocations.get(masterKey)))
}

export const descriptionRemedy = {
  remedy:
    'Send the missing parts with the location, or set them up once in location master data. A GLN or DUNS number alone does not describe a place.',
  onScreen:
    'Enter the missing parts with the location. Or complete it once under Locations, for all its events. A GLN or DUNS number alone does not describe a place.',
} as const

/** The location an event refers to, completed with current master data, as in FDA's spreadsheet. */
export const descriptionGap = (
  group: EventGroup,
  field: string,
  { slug, cites, role }: { readonly slug: string; readonly cites: string; readonly role: string },
): Rule<EventSubject> =>
  rule({
    id: `${group}/${slug}-description`,
    severity: 'gap',
    cites,
    summary: `The location description of ${role} is complete: name, phone, street or coordinates, city, state, postal code, country of a place abroad.`,
    ...descriptionRemedy,
    needs: ['masterLocations', 'exemptPlaces'],
    says: {
      missing: (code: string, parts: readonly Missing[]) =>
        `Location ${JSON.stringify(code)} has ${missingWords(parts)}.`,
      missingOfVendor: (code: string, vendor: string, parts: readonly Missing[]) =>
        `Location ${JSON.stringify(code)} of vendor ${JSON.stringify(vendor)} has ${missingWords(parts)}.`,
    },
    check(event, context, report) {
      const code = textIn(event, field)
      const entry = isGiven(code) ? context.locationByCode.get(code) : undefined
      if (!isGiven(code) || entry === undefined) return
      const { dataProviderVendorId: vendor = '' } = event
      const missing = missingParts(entry.value, vendorKey(vendor, code), context).filter(isWantedPart(event, context))
      if (missing.length === 0) return
      // Master data of one vendor may describe a place that another vendor's does not.
      if (context.events.some(({ value }) => value.dataProviderVendorId !== event.dataProviderVendorId))
        report({ pointer: entry.at, says: 'missingOfVendor', values: [code, vendor, missing] })
      else report({ pointer: entry.at, says: 'missing', values: [code, missing] })
    },
  })

/** 21 CFR 1.1305(j), (k) and (l) want name and address of a source, and no phone number. */
const isWantedPart = (event: LooseEvent, { exemptionOf }: Pick<Context<never>, 'exemptionOf'>) => {
  const exemption = exemptionOf(event)
  const isPhoneWanted = exemption === undefined || !isRetailReason(exemption.reason)
  return (part: Missing) => isPhoneWanted || (typeof part === 'string' ? part : part[0]) !== 'phone number'
}

/** The form is valid, but dates at which calendars of programs begin are no dates of events. */
export const dateGap = (words: {
  readonly id: string
  readonly cites: string
  readonly summary: string
  readonly remedy: string
  readonly onScreen: string
}) =>
  rule({
    ...words,
    severity: 'gap',
    says: {
      placeholder: (eventDateTime: string) =>
        `eventDateTime is ${JSON.stringify(eventDateTime)}, which is a placeholder and not a date.`,
    },
    check({ eventDateTime }, { at }, report) {
      if (isGiven(eventDateTime) && isPlaceholderDate(ownDateOf(eventDateTime)))
        report({ pointer: `${at}/eventDateTime`, says: 'placeholder', values: [eventDateTime] })
    },
  })

/**
 * A time in UTC gives the date in UTC, which may differ from the local one: an evening in Ohio is
 * the next day in UTC. `fields` gives the place whose date counts, `date` its name.
 */
export function localDateRule(
  fields: LocationFields,
  date: string,
  words: {
    readonly id: string
    readonly cites: string
    readonly summary: string
    readonly remedy: string
    readonly onScreen: string
  },
) {
  const fieldsOf = readFields(fields)
  return rule({
    ...words,
    severity: 'warning',
    needs: ['timeZones'],
    says: {
      inUtc: (eventDateTime: string, code: string) =>
        `eventDateTime is ${JSON.stringify(eventDateTime)}, a time in UTC, and no time zone is set for ${typeof fields === 'string' ? fields : 'location'} ${JSON.stringify(code)}: the ${date} is taken to be ${ownDateOf(eventDateTime)}, the date in UTC.`,
    },
    check(event, context, report) {
      const { eventDateTime, dataProviderVendorId = '' } = event
      if (!isGiven(eventDateTime) || !isInUtc(eventDateTime)) return
      const { at, facts } = context
      const [field = ''] = fieldsOf(context)
      const code = textIn(event, field) ?? ''
      if (timeZoneOf(facts.timeZones, dataProviderVendorId, code) === undefined)
        report({ pointer: `${at}/eventDateTime`, says: 'inUtc', values: [eventDateTime, code] })
    },
  })
}

export const referenceDocumentGap = (group: EventGroup, cites: string) =>
  rule({
    id: `${group}/reference-document`,
    severity: 'gap',
    cites,
    summary: 'The event names a reference document: a purchase order, bill of lading or advance ship notice.',
    remedy: 'Send purchaseOrderNumber, billOfLadingNumber or asnNumber.',
    says: {
      none: () => 'The event names no reference document.',
      placeholders: (written: readonly Written[]) => `The event names no reference document: ${writtenWords(written)}.`,
    },
    check(event, { at }, report) {
      if (documentFields.some((field) => isStatedCode(event[field]))) return
      const written = writtenIn(event, ['purchaseOrderNumber', 'billOfLadingNumber', 'asnNumber'])
      const [first] = written
      if (first === undefined) report({ pointer: `${at}/billOfLadingNumber`, says: 'none', values: [] })
      else report({ pointer: `${at}/${first[0]}`, says: 'placeholders', values: [written] })
    },
  })
