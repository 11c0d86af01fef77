// Rules about a receiving event. Source: §2.4; 21 CFR 1.1345(a).
import { instantOf, isInUtc, ownDateOf } from '../contract/date-and-time.ts'
import { given } from '../contract/field.ts'
import { isPlaceholderCode, isPlaceholderDate, isStatedCode } from '../contract/placeholder.ts'
import { isRefused, type Loose } from '../contract/read-shape.ts'
import type { ReceivingEvent } from '../contract/receiving-event.ts'
import { quoted } from '../contract/shape-words.ts'
import { knownCodes } from './known-codes.ts'
import { completedBy, isDescribed, missingDescription } from './location.ts'
import type { PayloadSubject } from './payload.ts'
import { type Breach, type Context, type Rule, timeZoneOf, vendorKey } from './rule.ts'
import { reportRepeated } from './unique-identifiers.ts'

type EventSubject = Loose<ReceivingEvent>
type LocationReference = 'shipFromLocationCode' | 'shipToLocationCode'

const listedRule = (field: LocationReference, slug: string): Rule<EventSubject> => ({
  id: `receiving-event/${slug}-listed`,
  severity: 'error',
  cites: `§2.4 ${field}`,
  summary: `\`${field}\` is the code of a location in \`locationMasterList\`.`,
  remedy: 'Add the location to locationMasterList, or correct the code; upper and lower case count.',
  check(event, { at, locationByCode }, report) {
    const code = event[field]
    if (given(code) && !locationByCode.has(code))
      report({
        pointer: `${at}/${field}`,
        message: `${field} ${quoted(code)} is not in locationMasterList.${knownCodes(code, locationByCode)}`,
      })
  },
})

export const shipFromListed = listedRule('shipFromLocationCode', 'ship-from')
export const shipToListed = listedRule('shipToLocationCode', 'ship-to')

const keyFields = ['dataProviderVendorId', 'shipToLocationCode', 'eventDateTime'] as const

/**
 * Compared within vendor and ship-to location, as instants (decision 0007). Here within one payload;
 * against stored events a unique index guards it, because a look before the write would let two writers through.
 */
export const onePayloadPerEventDateTime: Rule<PayloadSubject> = {
  id: 'receiving-event/one-payload-per-event-date-time',
  severity: 'error',
  cites: '§2.4 rules 1 and 2',
  summary: 'One payload holds everything a vendor delivered to a ship-to location at one event date time.',
  remedy: 'Put all product lines of that delivery into one event, and replace that event to change it.',
  check(_payload, { events }, report) {
    const firsts = new Map<string, string>()
    for (const { at, value } of events) {
      if (keyFields.some((field) => isRefused(value, field))) continue
      const { dataProviderVendorId, shipToLocationCode, eventDateTime } = value
      if (!given(dataProviderVendorId) || !given(shipToLocationCode) || !given(eventDateTime)) continue
      const key = `${vendorKey(dataProviderVendorId, shipToLocationCode)}\u0000${instantOf(eventDateTime)}`
      const first = firsts.get(key)
      if (first === undefined) firsts.set(key, at)
      else
        report({
          pointer: `${at}/eventDateTime`,
          message: `The event at ${first} has the same vendor, ship-to location and event date time.`,
        })
    }
  },
}

export const carrierCodeLetters: Rule<EventSubject> = {
  id: 'receiving-event/carrier-code-letters',
  severity: 'error',
  cites: '§2.4 standardCarrierAlphaCode',
  summary: '`standardCarrierAlphaCode` is four letters.',
  remedy: 'Send the SCAC of the carrier, for example GVTL, or leave the field out.',
  check({ standardCarrierAlphaCode: code }, { at }, report) {
    if (given(code) && !/^[A-Za-z]{4}$/.test(code))
      report({
        pointer: `${at}/standardCarrierAlphaCode`,
        message: `standardCarrierAlphaCode is ${JSON.stringify(code)}; a carrier code has four letters.`,
      })
  },
}

export const eventIdUnique: Rule<EventSubject> = {
  id: 'receiving-event/event-id-unique',
  severity: 'warning',
  cites: '§2.4 eventId',
  summary: 'No other receiving event has the same `eventId`.',
  remedy: 'Give every event an id of its own; to correct an event, replace the record named here.',
  check({ eventId }, context, report) {
    const { at, events } = context
    const holders = () => events.map((event) => ({ at: event.at, value: event.value.eventId ?? '', sameAs: event.at }))
    reportRepeated('eventId', eventId, { at }, events, holders, context, report)
  },
}

/** A clock of a sender may be ahead of ours. */
const clockErrorMs = 15 * 60_000

export const receivedInPast: Rule<EventSubject> = {
  id: 'receiving-event/received-in-past',
  severity: 'warning',
  cites: '§2.4 eventDateTime',
  summary: 'The order was received in the past.',
  remedy: 'Send when the order was received. A local time has its own offset, and only a time in UTC ends in Z.',
  check({ eventDateTime }, { at, facts: { now } }, report) {
    if (now === undefined || !given(eventDateTime) || isPlaceholderDate(ownDateOf(eventDateTime))) return
    if (instantOf(eventDateTime) > now + clockErrorMs)
      report({
        pointer: `${at}/eventDateTime`,
        message: `eventDateTime is ${JSON.stringify(eventDateTime)}, which lies in the future.`,
      })
  },
}

/** Where no other location is in the list, that is an error of its own. */
export const endsDiffer: Rule<EventSubject> = {
  id: 'receiving-event/ends-differ',
  severity: 'warning',
  cites: '§2.3, §2.4 shipFromLocationCode, shipToLocationCode',
  summary: 'The ship-from and the ship-to location are two locations, by code and by GLN.',
  remedy: 'Correct the code or the GLN of the one that is wrong.',
  check({ shipFromLocationCode: from, shipToLocationCode: to }, { at, locationByCode }, report) {
    if (!given(from) || !given(to)) return
    if (from === to) {
      if (locationByCode.size > 1)
        report({
          pointer: `${at}/shipToLocationCode`,
          message: `shipFromLocationCode and shipToLocationCode are both ${JSON.stringify(to)}.`,
        })
      return
    }
    const [fromGln, entry] = [locationByCode.get(from)?.value.gln, locationByCode.get(to)]
    if (given(fromGln) && entry !== undefined && entry.value.gln === fromGln && !isPlaceholderCode(fromGln))
      report({
        pointer: `${entry.at}/gln`,
        message: `Locations ${JSON.stringify(from)} and ${JSON.stringify(to)} have one GLN, ${fromGln}.`,
      })
  },
}

export const ladingQuantityPositive: Rule<EventSubject> = {
  id: 'receiving-event/lading-quantity-positive',
  severity: 'warning',
  cites: '§2.4 shipmentLadingQuantity',
  summary: 'The lading quantity is more than 0.',
  remedy: 'Send the quantity that was loaded, or leave the field out.',
  check({ shipmentLadingQuantity: quantity }, { at }, report) {
    if (quantity !== undefined && quantity <= 0)
      report({
        pointer: `${at}/shipmentLadingQuantity`,
        message: `shipmentLadingQuantity is ${quantity}; what was loaded is more than 0.`,
      })
  },
}

/** The location an event refers to, completed with the master data in force, as the FDA sheet will be. */
function describedAt(
  event: EventSubject,
  field: LocationReference,
  context: Context,
  report: (breach: Breach) => void,
): void {
  const code = event[field]
  const entry = given(code) ? context.locationByCode.get(code) : undefined
  if (!given(code) || entry === undefined) return
  // The usual case, and the costly part below not needed: master data can only add to the entry.
  if (isDescribed(entry.value)) return
  const master = context.facts.masterLocations.get(vendorKey(event.dataProviderVendorId ?? '', code))
  const missing = missingDescription(completedBy(entry.value, master))
  if (missing.length === 0) return
  // Master data of one vendor may describe a place that another vendor has not described.
  const { dataProviderVendorId: vendor } = event
  const ofSeveral = context.events.some(({ value }) => value.dataProviderVendorId !== vendor)
  report({
    pointer: entry.at,
    message: `Location ${JSON.stringify(code)}${ofSeveral ? ` of vendor ${JSON.stringify(vendor)}` : ''} has no ${missing.join(', no ')}.`,
  })
}

const descriptionGap = (
  field: LocationReference,
  slug: string,
  paragraph: string,
  role: string,
): Rule<EventSubject> => ({
  id: `receiving-event/${slug}-description`,
  severity: 'gap',
  cites: `21 CFR 1.1345(a)(${paragraph})`,
  summary: `The location description of ${role} is complete: name, phone, street or coordinates, city, state, postal code, country of a place abroad.`,
  remedy:
    'Send the missing parts with the location, or set them up once in location master data. A GLN or DUNS number alone does not describe a place.',
  check: (event, context, report) => describedAt(event, field, context, report),
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

/** The form is the contract's; the days at which calendars of programs begin are no day of a receipt. */
export const dateReceived: Rule<EventSubject> = {
  id: 'receiving-event/date-received',
  severity: 'gap',
  cites: '21 CFR 1.1345(a)(6)',
  summary: 'The event says the date on which the food was received.',
  remedy: 'Send the date and time of the receipt in eventDateTime. A program writes this date where it has none.',
  check({ eventDateTime }, { at }, report) {
    if (given(eventDateTime) && isPlaceholderDate(ownDateOf(eventDateTime)))
      report({
        pointer: `${at}/eventDateTime`,
        message: `eventDateTime is ${JSON.stringify(eventDateTime)}, which stands for no date.`,
      })
  },
}

/** A time in UTC gives the date in UTC, which the local date can differ from: an evening in Ohio is the next day there. */
export const dateReceivedLocal: Rule<EventSubject> = {
  id: 'receiving-event/date-received-local',
  severity: 'warning',
  cites: '§2.4',
  summary:
    'The date received can be told: eventDateTime carries the offset of the receiver, or the time zone of the location is set.',
  remedy:
    'Send eventDateTime with the offset at the ship-to location, e.g. 2026-03-04T21:30:00-05:00, or set the time zone of the location once with PUT /location-time-zones.',
  check({ eventDateTime, dataProviderVendorId, shipToLocationCode }, { at, facts }, report) {
    if (!given(eventDateTime) || !isInUtc(eventDateTime)) return
    if (timeZoneOf(facts.timeZones, dataProviderVendorId ?? '', shipToLocationCode ?? '') !== undefined) return
    report({
      pointer: `${at}/eventDateTime`,
      message: `eventDateTime is ${JSON.stringify(eventDateTime)}, a time in UTC, and no time zone is set for shipToLocationCode ${JSON.stringify(shipToLocationCode ?? '')}: the date received is taken to be ${ownDateOf(eventDateTime)}, the date in UTC.`,
    })
  },
}

const documentFields = ['purchaseOrderNumber', 'billOfLadingNumber', 'asnNumber'] as const

export const referenceDocument: Rule<EventSubject> = {
  id: 'receiving-event/reference-document',
  severity: 'gap',
  cites: '21 CFR 1.1345(a)(8)',
  summary: 'The event names a reference document: a purchase order, bill of lading or advance ship notice.',
  remedy: 'Send purchaseOrderNumber, billOfLadingNumber or asnNumber.',
  check(event, { at }, report) {
    if (documentFields.some((field) => isStatedCode(event[field]))) return
    const written = documentFields.filter((field) => given(event[field]))
    report({
      pointer: `${at}/${written[0] ?? 'billOfLadingNumber'}`,
      message:
        written.length === 0
          ? 'The event names no reference document.'
          : `The event names no reference document: ${written.map((field) => `${field} is ${JSON.stringify(event[field])}`).join(', ')}.`,
    })
  },
}
