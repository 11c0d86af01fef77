// Rules about events of the kinds that declare their key data elements. Each holds for all of them:
// what differs is in the declaration. Source: 21 CFR 1.1325 to 1.1350; decision 0090.
import { mergeProduct } from '../contract/completion.ts'
import { documentPairNames } from '../contract/events/event-fields.ts'
import { readLotCode } from '../contract/lots/lot-code.ts'
import { allPlaceFieldsOf, type EventKind, elementsOf, placeFieldsOf } from '../contract/record-kinds.ts'
import { instantOf } from '../contract/shape/date-and-time.ts'
import { isGiven } from '../contract/shape/field.ts'
import { isStated, isStatedCode } from '../contract/shape/placeholder.ts'
import { isRefused } from '../contract/shape/read-shape.ts'
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
import { isSeafood, statesCommodity } from './product.ts'
import { isOffList } from './product-line.ts'
import { type Context, type LineSubject, type LooseEvent, linesIn, rulesAbout, textIn, vendorKey } from './rule.ts'
import { type Missing, missingWords, type Written, writtenIn, writtenWords } from './written.ts'

const rule = rulesAbout<EventSubject>()
const lineRule = rulesAbout<LineSubject>()
const payloadRule = rulesAbout<PayloadSubject>()

/** Defines the elements; a finding cites the paragraph of its kind that names it. */
const anyParagraph = '21 CFR 1.1310'

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

const listsWith = ({ lists }: EventKind, lots: string): readonly string[] =>
  Object.keys(lists).filter((list) => lists[list]?.lots === lots)

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
  needs: ['masterLocations'],
  says: {
    missing: (field: string, code: string, parts: readonly Missing[]) =>
      `Location ${JSON.stringify(code)} (${field}) has ${missingWords(parts)}.`,
  },
  check(event, context, report) {
    for (const { field } of elementsOf(context.eventKind, 'location')) {
      const code = textIn(event, field)
      const entry = isGiven(code) ? context.locationByCode.get(code) : undefined
      if (!isGiven(code) || entry === undefined) continue
      const missing = missingParts(entry.value, vendorKey(event.dataProviderVendorId ?? '', code), context)
      if (missing.length > 0) report({ pointer: entry.at, says: 'missing', values: [field, code, missing] })
    }
  },
})

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

const isStatedValue = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isStatedValue) : isStated(value as string | undefined)

const missingValue = (name: string) => `The event lacks ${name}.`

/** Of the event itself; the next rule is about its lines. */
export const elementStated = rule({
  id: 'event/element-stated',
  severity: 'gap',
  cites: anyParagraph,
  summary: 'The event has the further key data elements of its kind.',
  remedy: 'Send the field that the finding points to.',
  onScreen: 'Fill in the field.',
  says: { missing: missingValue },
  check(event, { at, eventKind }, report) {
    for (const { list, fields, name } of elementsOf(eventKind, 'value')) {
      if (list !== undefined || fields.some((field) => isStatedValue(event[field]))) continue
      report({ pointer: `${at}/${fields[0]}`, says: 'missing', values: [name] })
    }
  },
})

/**
 * A line of produce and one of seafood have other elements. Food that does not say counts as
 * produce.
 */
export const lineElementStated = lineRule({
  id: 'event/line-element-stated',
  severity: 'gap',
  cites: anyParagraph,
  summary: 'A line has the further key data elements of its kind of event, such as the growing area.',
  remedy: 'Send the field that the finding points to.',
  onScreen: 'Fill in the field.',
  needs: ['masterProducts'],
  says: { missing: (name: string) => `The line lacks ${name}.` },
  check(subject, context, report) {
    const values = subject.line as Readonly<Record<string, unknown>>
    for (const { list, fields, name, food } of elementsOf(context.eventKind, 'value')) {
      if (list !== subject.list || fields.some((field) => isStatedValue(values[field]))) continue
      if (food !== undefined && (food === 'seafood') !== isSeafood(productOf(subject, context))) continue
      if (!isOffList(subject, context))
        report({ pointer: `${context.at}/${fields[0]}`, says: 'missing', values: [name] })
    }
  },
})

export const commodityStated = lineRule({
  id: 'event/commodity-stated',
  severity: 'gap',
  cites: anyParagraph,
  summary: 'The commodity of food that is not packed yet is known from its product.',
  remedy:
    'Send productCommodity, and productVariety where there is one, with the product; or set them up once in the master product of the item. Seafood has acceptableSpeciesName instead.',
  onScreen:
    'Enter commodity, and variety where there is one, under Descriptions of the products. Or complete the master product.',
  needs: ['masterProducts'],
  says: { missing: (code: string) => `The product of item ${JSON.stringify(code)} states no commodity.` },
  check(subject, context, report) {
    const { vendorItemCode: code } = subject.line
    if (!isGiven(code) || elementsOf(context.eventKind, 'commodity').every(({ list }) => list !== subject.list)) return
    if (statesCommodity(productOf(subject, context)) || isOffList(subject, context)) return
    report({ pointer: `${context.at}/vendorItemCode`, says: 'missing', values: [code] })
  },
})

/** The product of a line, completed with the master product. */
function productOf(
  { line, event }: LineSubject,
  { productByCode, facts }: Pick<Context<'masterProducts'>, 'productByCode' | 'facts'>,
) {
  const code = line.vendorItemCode ?? ''
  return mergeProduct(
    productByCode.get(code)?.value,
    facts.masterProducts.get(vendorKey(event.dataProviderVendorId ?? '', code)),
  )
}
