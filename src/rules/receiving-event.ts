// Rules about a receiving event. Source: §2.4; 21 CFR 1.1345(a).
import { instantOf, isInUtc, ownDateOf } from '../contract/date-and-time.ts'
import { isGiven } from '../contract/field.ts'
import { isPlaceholderCode, isPlaceholderDate, isStatedCode } from '../contract/placeholder.ts'
import { isRefused, type Loose } from '../contract/read-shape.ts'
import type { ReceivingEvent } from '../contract/receiving-event.ts'
import { quote } from '../contract/shape-words.ts'
import { visibleTextRule } from './hidden-characters.ts'
import { alikeCode, alikeWords, codesNamedMax, knownWords } from './known-codes.ts'
import { mergeLocation, missingDescription } from './location.ts'
import type { PayloadSubject } from './payload.ts'
import { type Rule, rulesAbout, timeZoneOf, vendorKey } from './rule.ts'
import { repeatedSays, reportRepeated } from './unique-identifiers.ts'
import { type Missing, missingWords, type Written, writtenIn, writtenWords } from './written.ts'

type EventSubject = Loose<ReceivingEvent>
type LocationReference = 'shipFromLocationCode' | 'shipToLocationCode'

const rule = rulesAbout<EventSubject>()
const payloadRule = rulesAbout<PayloadSubject>()

const listedRule = (field: LocationReference, slug: string): Rule<EventSubject> =>
  rule({
    id: `receiving-event/${slug}-listed`,
    severity: 'error',
    cites: `§2.4 ${field}`,
    summary: `\`${field}\` is the code of a location in \`locationMasterList\`.`,
    remedy: 'Add the location to locationMasterList, or correct the code; upper and lower case count.',
    onScreen: 'Choose a stored location, or describe the new one. Upper and lower case count.',
    says: {
      unlisted: (code: string) => unlistedWords(field, code),
      alike: (code: string, alike: string) => `${unlistedWords(field, code)} ${alikeWords(code, alike)}`,
      known: (code: string, named: readonly string[], count: number) =>
        `${unlistedWords(field, code)} ${knownWords(named, count)}`,
    },
    check(event, { at, locationByCode }, report) {
      const code = event[field]
      if (!isGiven(code) || locationByCode.has(code)) return
      const pointer = `${at}/${field}`
      const alike = alikeCode(code, locationByCode)
      if (alike !== undefined) report({ pointer, says: 'alike', values: [code, alike] })
      else if (locationByCode.size === 0) report({ pointer, says: 'unlisted', values: [code] })
      else {
        const named = [...locationByCode.keys()].slice(0, codesNamedMax)
        report({ pointer, says: 'known', values: [code, named, locationByCode.size] })
      }
    },
  })

const unlistedWords = (field: string, code: string): string => `${field} ${quote(code)} is not in locationMasterList.`

export const shipFromListed = listedRule('shipFromLocationCode', 'ship-from')
export const shipToListed = listedRule('shipToLocationCode', 'ship-to')

export const textVisible = visibleTextRule<EventSubject>('receiving-event', '2.4', (event) => event, 'productList')

const keyFields = ['dataProviderVendorId', 'shipToLocationCode', 'eventDateTime'] as const

/**
 * Compared within vendor and ship-to location, as instants (decision 0007). Only within one
 * payload: a unique index covers stored events, because a check before the write would let two
 * concurrent writers through.
 */
export const onePayloadPerEventDateTime = payloadRule({
  id: 'receiving-event/one-payload-per-event-date-time',
  severity: 'error',
  cites: '§2.4 rules 1 and 2',
  summary: 'One payload holds everything a vendor delivered to a ship-to location at one event date time.',
  remedy: 'Put all product lines of that delivery into one event, and replace that event to change it.',
  onScreen: 'Put all product lines of that delivery into one event. To change it, edit that event.',
  says: {
    repeated: (firstAt: string) => `The event at ${firstAt} has the same vendor, ship-to location and event date time.`,
  },
  check(_payload, { events }, report) {
    const firsts = new Map<string, string>()
    for (const { at, value } of events) {
      if (keyFields.some((field) => isRefused(value, field))) continue
      const { dataProviderVendorId, shipToLocationCode, eventDateTime } = value
      if (!isGiven(dataProviderVendorId) || !isGiven(shipToLocationCode) || !isGiven(eventDateTime)) continue
      const key = `${vendorKey(dataProviderVendorId, shipToLocationCode)}\u0000${instantOf(eventDateTime)}`
      const first = firsts.get(key)
      if (first === undefined) firsts.set(key, at)
      else report({ pointer: `${at}/eventDateTime`, says: 'repeated', values: [first] })
    }
  },
})

export const carrierCodeLetters = rule({
  id: 'receiving-event/carrier-code-letters',
  severity: 'error',
  cites: '§2.4 standardCarrierAlphaCode',
  summary: '`standardCarrierAlphaCode` is four letters.',
  remedy: 'Send the SCAC of the carrier, for example GVTL, or leave the field out.',
  says: {
    letters: (code: string) => `standardCarrierAlphaCode is ${JSON.stringify(code)}; a carrier code has four letters.`,
  },
  check({ standardCarrierAlphaCode: code }, { at }, report) {
    if (isGiven(code) && !/^[A-Za-z]{4}$/.test(code))
      report({ pointer: `${at}/standardCarrierAlphaCode`, says: 'letters', values: [code] })
  },
})

export const eventIdUnique = rule({
  id: 'receiving-event/event-id-unique',
  severity: 'warning',
  cites: '§2.4 eventId',
  summary: 'No other receiving event has the same `eventId`.',
  remedy: 'Give every event its own id. To correct an event, replace the record named here.',
  onScreen: 'Give every event its own id. To correct an event, edit the one named here.',
  needs: ['heldBy'],
  says: repeatedSays('eventId'),
  check({ eventId }, context, report) {
    if (!isGiven(eventId)) return
    const { at, events } = context
    const holders = () => events.map((event) => ({ at: event.at, value: event.value.eventId ?? '', sameAs: event.at }))
    reportRepeated('eventId', eventId, { at }, events, holders, context, report)
  },
})

/** The clock of a sender may be fast. */
const clockErrorMs = 15 * 60_000

export const receivedInPast = rule({
  id: 'receiving-event/received-in-past',
  severity: 'warning',
  cites: '§2.4 eventDateTime',
  summary: 'The order was received in the past.',
  remedy: 'Send when the order was received. A local time has its own offset, and only a time in UTC ends in Z.',
  onScreen: 'Choose when the order was received, with the time zone of the place.',
  says: {
    future: (eventDateTime: string) => `eventDateTime is ${JSON.stringify(eventDateTime)}, which lies in the future.`,
  },
  check({ eventDateTime }, { at, facts: { now } }, report) {
    if (now === undefined || !isGiven(eventDateTime) || isPlaceholderDate(ownDateOf(eventDateTime))) return
    if (instantOf(eventDateTime) > now + clockErrorMs)
      report({ pointer: `${at}/eventDateTime`, says: 'future', values: [eventDateTime] })
  },
})

/** A list with no other location has an error of its own. */
export const endsDiffer = rule({
  id: 'receiving-event/ends-differ',
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

export const ladingQuantityPositive = rule({
  id: 'receiving-event/lading-quantity-positive',
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

/** The location an event refers to, completed with current master data, as in FDA's spreadsheet. */
const descriptionGap = (field: LocationReference, slug: string, paragraph: string, role: string): Rule<EventSubject> =>
  rule({
    id: `receiving-event/${slug}-description`,
    severity: 'gap',
    cites: `21 CFR 1.1345(a)(${paragraph})`,
    summary: `The location description of ${role} is complete: name, phone, street or coordinates, city, state, postal code, country of a place abroad.`,
    remedy:
      'Send the missing parts with the location, or set them up once in location master data. A GLN or DUNS number alone does not describe a place.',
    onScreen:
      'Enter the missing parts with the location. Or complete it once under Locations, for all its events. A GLN or DUNS number alone does not describe a place.',
    needs: ['masterLocations'],
    says: {
      missing: (code: string, parts: readonly Missing[]) =>
        `Location ${JSON.stringify(code)} has ${missingWords(parts)}.`,
      missingOfVendor: (code: string, vendor: string, parts: readonly Missing[]) =>
        `Location ${JSON.stringify(code)} of vendor ${JSON.stringify(vendor)} has ${missingWords(parts)}.`,
    },
    check(event, context, report) {
      const code = event[field]
      const entry = isGiven(code) ? context.locationByCode.get(code) : undefined
      if (!isGiven(code) || entry === undefined) return
      // The usual case, which saves the expensive part below: master data can only add to the
      // entry.
      if (context.describedLocations.has(entry.value)) return
      const { dataProviderVendorId: vendor = '' } = event
      const missing = missingDescription(
        mergeLocation(entry.value, context.facts.masterLocations.get(vendorKey(vendor, code))),
      )
      if (missing.length === 0) return
      // Master data of one vendor may describe a place that another vendor's does not.
      if (context.events.some(({ value }) => value.dataProviderVendorId !== event.dataProviderVendorId))
        report({ pointer: entry.at, says: 'missingOfVendor', values: [code, vendor, missing] })
      else report({ pointer: entry.at, says: 'missing', values: [code, missing] })
    },
  })

export const shipFromDescription = descriptionGap(
  'shipFromLocationCode',
  'ship-from',
  '4',
  'the immediate previous source',
)
export const shipToDescription = descriptionGap(
  'shipToLocationCode',
  'ship-to',
  '5',
  'the place where the food was received',
)

/** The form is valid, but dates at which calendars of programs begin are not receipts. */
export const dateReceived = rule({
  id: 'receiving-event/date-received',
  severity: 'gap',
  cites: '21 CFR 1.1345(a)(6)',
  summary: 'The event says the date on which the food was received.',
  remedy: 'Send the date and time of the receipt in eventDateTime. Programs write this date when they have none.',
  onScreen: 'Choose the date and time of the receipt. Programs write this date when they have none.',
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
 * the next day in UTC.
 */
export const dateReceivedLocal = rule({
  id: 'receiving-event/date-received-local',
  severity: 'warning',
  cites: '§2.4',
  summary: 'The date received is known: eventDateTime has the offset of the receiver, or the location has a time zone.',
  remedy:
    'Send eventDateTime with the offset at the ship-to location, e.g. 2026-03-04T21:30:00-05:00, or set the time zone of the location once with PUT /location-time-zones.',
  onScreen:
    'Choose the time zone of the receiving location. Or let an administrator set it once for the location, under Time zones.',
  needs: ['timeZones'],
  says: {
    inUtc: (eventDateTime: string, code: string) =>
      `eventDateTime is ${JSON.stringify(eventDateTime)}, a time in UTC, and no time zone is set for shipToLocationCode ${JSON.stringify(code)}: the date received is taken to be ${ownDateOf(eventDateTime)}, the date in UTC.`,
  },
  check({ eventDateTime, dataProviderVendorId = '', shipToLocationCode: code = '' }, { at, facts }, report) {
    if (!isGiven(eventDateTime) || !isInUtc(eventDateTime)) return
    if (timeZoneOf(facts.timeZones, dataProviderVendorId, code) === undefined)
      report({ pointer: `${at}/eventDateTime`, says: 'inUtc', values: [eventDateTime, code] })
  },
})

const documentFields = ['purchaseOrderNumber', 'billOfLadingNumber', 'asnNumber'] as const

export const referenceDocument = rule({
  id: 'receiving-event/reference-document',
  severity: 'gap',
  cites: '21 CFR 1.1345(a)(8)',
  summary: 'The event names a reference document: a purchase order, bill of lading or advance ship notice.',
  remedy: 'Send purchaseOrderNumber, billOfLadingNumber or asnNumber.',
  says: {
    none: () => 'The event names no reference document.',
    placeholders: (written: readonly Written[]) => `The event names no reference document: ${writtenWords(written)}.`,
  },
  check(event, { at }, report) {
    if (documentFields.some((field) => isStatedCode(event[field]))) return
    const written = writtenIn(event, documentFields)
    const [first] = written
    if (first === undefined) report({ pointer: `${at}/billOfLadingNumber`, says: 'none', values: [] })
    else report({ pointer: `${at}/${first[0]}`, says: 'placeholders', values: [written] })
  },
})
