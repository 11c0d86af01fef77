// Rules about events of the kinds that declare their key data elements. Each holds for all of them:
// what differs is in the declaration. Source: 21 CFR 1.1325 to 1.1350; decision 0090.
import { documentPairNames } from '../contract/events/event-fields.ts'
import { readLotCode } from '../contract/lots/lot-code.ts'
import { allPlaceFieldsOf, type EventKind, elementsOf, placeFieldsOf } from '../contract/record-kinds.ts'
import { instantOf } from '../contract/shape/date-and-time.ts'
import { isGiven } from '../contract/shape/field.ts'
import { isStated, isStatedCode } from '../contract/shape/placeholder.ts'
import { isRefused } from '../contract/shape/read-shape.ts'
import { pluralize } from '../contract/text/pluralize.ts'
import { anyParagraph, isStatedValue, productOf } from './event-line.ts'
import {
  dateGap,
  descriptionRemedy,
  type EventSubject,
  eventIdRule,
  inPastRule,
  listedRule,
  localDateRule,
  missingParts,
  yearsRule,
} from './event-rules.ts'
import { visibleTextRule } from './hidden-characters.ts'
import type { PayloadSubject } from './payload.ts'
import { isSprouts } from './product.ts'
import { isOffList } from './product-line.ts'
import { type Context, type LooseEvent, linesIn, rulesAbout, textIn, vendorKey } from './rule.ts'
import { type Missing, missingWords, type Written, writtenIn, writtenWords } from './written.ts'

const rule = rulesAbout<EventSubject>()
const payloadRule = rulesAbout<PayloadSubject>()

export const locationListed = listedRule('event', allPlaceFieldsOf, 'location')

/** A unique index covers stored events. */
export const oneEventPerIdentity = payloadRule({
  id: 'event/one-event-per-identity',
  severity: 'error',
  cites: '§2.4 rules 1 and 2; decision 0090',
  summary: 'One event holds all that happened at one place and moment under the same reference documents.',
  remedy: 'Put all lines into one event. Or send the reference document that tells them apart.',
  onScreen: 'Put all lines into one event. Or enter the reference document that differs.',
  says: { repeated: (firstAt: string, alike: string) => `The event at ${firstAt} has the same ${alike}.` },
  check(_payload, { events, eventKind }, report) {
    if (events.length < 2 || eventKind === undefined) return
    const fields = [...placeFieldsOf(eventKind), ...eventKind.identity]
    const firsts = new Map<string, string>()
    for (const { at, value } of events) {
      const { eventDateTime, dataProviderVendorId } = value
      if (!isGiven(eventDateTime) || !isGiven(dataProviderVendorId)) continue
      if (['eventDateTime', ...fields].some((field) => isRefused(value, field))) continue
      const key = JSON.stringify([instantOf(eventDateTime), ...fields.map((field) => value[field] ?? '')])
      const first = firsts.get(key)
      if (first === undefined) firsts.set(key, at)
      else report({ pointer: `${at}/eventDateTime`, says: 'repeated', values: [first, eventKind.alike] })
    }
  },
})

export const eventInPast = inPastRule({
  id: 'event/event-in-past',
  summary: 'The event lies in the past.',
  remedy: 'Send when it happened. A local time has its own offset, and only a time in UTC ends in Z.',
  onScreen: 'Choose when it happened, with the time zone of the place.',
})
export const yearsPlausible = yearsRule('event')
export const eventIdUnique = eventIdRule('event')

const listsWith = (kind: EventKind | undefined, lots: string): readonly string[] =>
  Object.entries(kind?.lists ?? {}).flatMap(([list, declared]) => (declared.lots === lots ? [list] : []))

/** The lot codes of the lists of a kind that use or make lots, and where each is. */
function* lotsIn(event: LooseEvent, kind: EventKind, lots: 'used' | 'made') {
  for (const list of listsWith(kind, lots))
    for (const [i, line] of linesIn(event, list).entries()) {
      const text = line?.caseLotNumber
      if (isStatedCode(text)) yield { text, lotCode: readLotCode(text).lotCode, place: `${list}/${i}` }
    }
}

/** A warning: what is left of a batch may go into the next, under the code of the first. */
export const lotsDiffer = rule({
  id: 'event/lots-differ',
  severity: 'warning',
  cites: '§2.5 caseLotNumber',
  summary: 'A lot that the event makes is not one that it uses.',
  remedy:
    'Send the new lot code in caseLotNumber. Transformed food gets a new traceability lot code. Leave out a lot that was not changed.',
  onScreen: 'Enter the new lot code. Transformed food gets a new one. Leave out a lot that was not changed.',
  says: {
    same: (lotCode: string, usedAt: string) =>
      `caseLotNumber ${JSON.stringify(lotCode)} is also the lot used at ${usedAt}.`,
  },
  check(event, { at, eventKind }, report) {
    if (eventKind === undefined || listsWith(eventKind, 'used').length === 0) return
    const usedAt = new Map<string, string>()
    for (const { lotCode, place } of lotsIn(event, eventKind, 'used'))
      if (!usedAt.has(lotCode)) usedAt.set(lotCode, `${at}/${place}`)
    if (usedAt.size === 0) return
    for (const { text, lotCode, place } of lotsIn(event, eventKind, 'made')) {
      const same = usedAt.get(lotCode)
      if (same !== undefined) report({ pointer: `${at}/${place}/caseLotNumber`, says: 'same', values: [text, same] })
    }
  },
})

/** Lines have a rule of their own. */
export const textVisible = visibleTextRule<EventSubject>('event', '2.4', (event) =>
  Object.fromEntries(Object.entries(event).filter(([, value]) => !Array.isArray(value))),
)

export const dateGiven = dateGap({
  id: 'event/date-given',
  cites: anyParagraph,
  summary: 'The event says the date on which it happened.',
  remedy: 'Send date and time in eventDateTime. Programs write this date when they have none.',
  onScreen: 'Choose date and time. Programs write this date when they have none.',
})

export const dateLocal = localDateRule(({ place }) => [place], 'date of the event', {
  id: 'event/date-local',
  cites: '§2.4',
  summary:
    'The date of the event is known: eventDateTime has the offset of the place, or the location has a time zone.',
  remedy:
    'Send eventDateTime with the offset at the location, e.g. 2026-03-04T15:40:00-08:00, or set the time zone of the location once with PUT /location-time-zones.',
  onScreen:
    'Choose the time zone of the location. Or let an administrator set it once for the location, under Time zones.',
})

export const locationDescription = rule({
  id: 'event/location-description',
  severity: 'gap',
  cites: anyParagraph,
  summary:
    'The location description of each place of the event is complete: name, phone, street or coordinates, city, state, postal code, country of a place abroad.',
  ...descriptionRemedy,
  needs: ['masterLocations', 'masterProducts'],
  says: {
    missing: (field: string, code: string, parts: readonly Missing[]) =>
      `Location ${JSON.stringify(code)} (${field}) has ${missingWords(parts)}.`,
  },
  check(event, context, report) {
    for (const { list, field } of elementsOf(context.eventKind, 'location'))
      for (const code of codesIn(event, list, field)) {
        const entry = isGiven(code) ? context.locationByCode.get(code) : undefined
        if (!isGiven(code) || entry === undefined) continue
        const missing = missingParts(entry.value, vendorKey(event.dataProviderVendorId ?? '', code), context)
        if (missing.length === 0 || !isWantedOf(event, { list, field, code }, context)) continue
        report({ pointer: entry.at, says: 'missing', values: [field, code, missing] })
      }
  },
})

/** The location codes in a field of the event, or of the lines of a list, each once. */
const codesIn = (event: LooseEvent, list: string | undefined, field: string): Iterable<string | undefined> =>
  list === undefined ? [textIn(event, field)] : new Set(linesIn(event, list).map((line) => line && textIn(line, field)))

/** False of a location that only lines of food name which is not on the Food Traceability List. */
const isWantedOf = (
  event: LooseEvent,
  { list, field, code }: { readonly list: string | undefined; readonly field: string; readonly code: string },
  context: Pick<Context<'masterProducts'>, 'productByCode' | 'facts'>,
): boolean =>
  list === undefined ||
  linesIn(event, list).some(
    (line) => line !== undefined && textIn(line, field) === code && !isOffList({ line, list, event }, context),
  )

export const referenceDocument = rule({
  id: 'event/reference-document',
  severity: 'gap',
  cites: anyParagraph,
  summary: 'The event names a reference document: its type and its number.',
  remedy: 'Send referenceDocumentType and referenceDocumentNumber, such as Work Order and WO-719-2043.',
  onScreen: 'Enter type and number of the reference document, such as Work Order and WO-719-2043.',
  says: {
    none: () => 'The event names no reference document.',
    noType: (number: string) => `The reference document ${JSON.stringify(number)} has no type.`,
    placeholders: (written: readonly Written[]) => `The event names no reference document: ${writtenWords(written)}.`,
  },
  check(event, { at }, report) {
    const stated = documentPairNames.filter(([, number]) => isStatedCode(textIn(event, number)))
    if (stated.some(([type]) => isStated(textIn(event, type)))) return
    const [first] = stated
    if (first !== undefined) {
      report({ pointer: `${at}/${first[0]}`, says: 'noType', values: [textIn(event, first[1]) ?? ''] })
      return
    }
    const numbers = documentPairNames.map(([, number]) => number)
    const written = writtenIn(event as Readonly<Record<string, string | undefined>>, numbers)
    const [field] = written[0] ?? []
    if (field === undefined) report({ pointer: `${at}/${numbers[0]}`, says: 'none', values: [] })
    else report({ pointer: `${at}/${field}`, says: 'placeholders', values: [written] })
  },
})

/** Of the event itself; the next rule is about its lines. */
export const elementStated = rule({
  id: 'event/element-stated',
  severity: 'gap',
  cites: anyParagraph,
  summary: 'The event has the further key data elements of its kind.',
  remedy: 'Send the field that the finding points to.',
  onScreen: 'Fill in the field.',
  says: { missing: (name: string) => `The event lacks ${name}.` },
  check(event, { at, eventKind }, report) {
    for (const { list, fields, name } of elementsOf(eventKind, 'value')) {
      if (list !== undefined || fields.some((field) => isStatedValue(event[field]))) continue
      report({ pointer: `${at}/${fields[0]}`, says: 'missing', values: [name] })
    }
  },
})

export const seedsStated = rule({
  id: 'event/seeds-stated',
  severity: 'gap',
  cites: anyParagraph,
  summary: 'The event says which seeds the sprouts grew from that it makes.',
  remedy:
    'Send seedList. Or send isHarvestedWithoutRoots: true, of sprouts that grew in soil or substrate and were harvested without their roots.',
  onScreen:
    'Add the seeds. Or tick “Harvested without roots”, of sprouts that grew in soil or substrate and were harvested without their roots.',
  needs: ['masterProducts'],
  says: { missing: (lines: number) => `The event makes sprouts (${pluralize(lines, 'line')}) and names no seeds.` },
  check(event, context, report) {
    for (const { list, unless } of elementsOf(context.eventKind, 'seeds')) {
      if (event[unless] === true || linesIn(event, list).length > 0) continue
      const sprouts = listsWith(context.eventKind, 'made').flatMap((made) =>
        linesIn(event, made).filter((line) => {
          const subject = line && { line, list: made, event }
          return subject && isSprouts(productOf(subject, context)) && !isOffList(subject, context)
        }),
      )
      if (sprouts.length > 0) report({ pointer: `${context.at}/${list}`, says: 'missing', values: [sprouts.length] })
    }
  },
})
