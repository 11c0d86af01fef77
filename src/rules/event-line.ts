// Rules about lines of events of the kinds that declare their key data elements. Source: 21 CFR
// 1.1325 to 1.1350; decision 0090.
import { mergeProduct } from '../contract/completion.ts'
import {
  type EventKindName,
  elementsOf,
  eventKinds,
  type KeyDataElement,
  linePlacesOf,
  ofEventKinds,
} from '../contract/record-kinds.ts'
import { ownDateOf } from '../contract/shape/date-and-time.ts'
import { isGiven } from '../contract/shape/field.ts'
import { isPlaceholderDate, isStated } from '../contract/shape/placeholder.ts'
import { isAfter, isAfterEvent, isEventDated, isYearTooEarly, wrongYearRemedy, wrongYearWords } from './dates.ts'
import { reportUnlisted, unlistedSays } from './event-rules.ts'
import { isSeafood, statesCommodity } from './product.ts'
import { isOffList } from './product-line.ts'
import {
  type BreachOf,
  type Context,
  type LineSubject,
  type LooseEvent,
  rulesAbout,
  textIn,
  vendorKey,
} from './rule.ts'

const rule = rulesAbout<LineSubject>()

/** Defines the elements; a finding cites the paragraph of its kind that names it. */
export const anyParagraph = '21 CFR 1.1310'

/** A list is stated by any entry that states something. */
export const isStatedValue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(isStatedValue)
    : typeof value === 'string'
      ? isStated(value) && !isPlaceholderDate(value)
      : value !== undefined && value !== null && value !== false

const valuesOf = ({ line }: LineSubject) => line as Readonly<Record<string, unknown>>

/** What a line of a list must state. */
interface StatedElement extends Pick<Extract<KeyDataElement, { is: 'value' }>, 'list' | 'food' | 'where' | 'unless'> {
  readonly fields: readonly string[]
  readonly name: string
}

/** Values of lines, and locations that have a name in words. In the order declared. */
const statedElements = ofEventKinds((kind) =>
  (eventKinds[kind].elements ?? []).flatMap((one): readonly StatedElement[] => {
    if (one.is === 'value') return one.list === undefined ? [] : [one]
    return one.is === 'location' && one.name !== undefined ? [{ ...one, name: one.name, fields: [one.field] }] : []
  }),
)

/** True if lines of a list must state something. */
export const hasStatedElements = (kind: EventKindName, list: string): boolean =>
  statedElements[kind].some((one) => one.list === list)

/** True if lines of a list come from one of several origins, each with elements of its own. */
export const hasOrigins = (kind: EventKindName, list: string): boolean =>
  statedElements[kind].some((one) => one.list === list && one.unless !== undefined)

/**
 * A line of produce and one of seafood have other elements. Food without a category counts as what
 * its line is about: with a container it is seafood, and else produce.
 */
export const lineElementStated = rule({
  id: 'event/line-element-stated',
  severity: 'gap',
  cites: anyParagraph,
  summary: 'A line has the further key data elements of its kind of event, such as the growing area.',
  remedy: 'Send the field that the finding points to.',
  onScreen: 'Fill in the field.',
  needs: ['masterProducts'],
  says: { missing: (name: string) => `The line lacks ${name}.` },
  check(subject, context, report) {
    if (context.eventKind === undefined) return
    const values = valuesOf(subject)
    const elements = statedElements[context.eventKind.name]
    for (const { list, fields, name, food, where, unless } of elements) {
      if (list !== subject.list || fields.some((field) => isStatedValue(values[field]))) continue
      if (where?.every((field) => !isStatedValue(values[field]))) continue
      if (unless !== undefined && isStatedValue(values[unless])) continue
      if (food !== undefined && food !== foodOf(subject, elements, context)) continue
      if (!isOffList(subject, context))
        report({ pointer: `${context.at}/${fields[0]}`, says: 'missing', values: [name] })
    }
  },
})

function foodOf(
  subject: LineSubject,
  elements: readonly StatedElement[],
  context: Parameters<typeof productOf>[1],
): NonNullable<StatedElement['food']> {
  const product = productOf(subject, context)
  if (isSeafood(product)) return 'seafood'
  const values = valuesOf(subject)
  const isOfContainer = elements.some(
    ({ list, food, fields }) =>
      list === subject.list && food === 'seafood' && fields.some((field) => isStatedValue(values[field])),
  )
  return isOfContainer && !isStated(product.ftlCategory) ? 'seafood' : 'produce'
}

export const commodityStated = rule({
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
export function productOf(
  { line, event }: LineSubject,
  { productByCode, facts }: Pick<Context<'masterProducts'>, 'productByCode' | 'facts'>,
) {
  const code = line.vendorItemCode ?? ''
  return mergeProduct(
    productByCode.get(code)?.value,
    facts.masterProducts.get(vendorKey(event.dataProviderVendorId ?? '', code)),
  )
}

/** Made once: an event may have 5,000 lines. */
const linePlaces = ofEventKinds((kind) => linePlacesOf(eventKinds[kind]))

export const lineLocationListed = rule({
  id: 'event/line-location-listed',
  severity: 'error',
  cites: '§2.3',
  summary: 'A location of a line is the code of a location in `locationMasterList`.',
  remedy: 'Add the location to locationMasterList, or correct the code; upper and lower case count.',
  onScreen: 'Choose a stored location, or describe the new one. Upper and lower case count.',
  says: unlistedSays,
  check(subject, context, report) {
    if (context.eventKind === undefined) return
    for (const { list, field } of linePlaces[context.eventKind.name]) {
      const code = list === subject.list ? textIn(subject.line, field) : undefined
      if (isGiven(code)) reportUnlisted({ field, code, pointer: `${context.at}/${field}` }, context, report)
    }
  },
})

const datesRemedy = `Compare the dates with the documents: they may be exchanged, or one is mistyped. ${wrongYearRemedy}`

const datesSays = {
  wrong: wrongYearWords,
  late: (field: string, date: string, eventDate: string) => `${field} is ${date}, after the event on ${eventDate}.`,
  future: (field: string, date: string) => `${field} is ${date}, which lies in the future.`,
  after: (field: string, date: string, laterField: string, later: string) =>
    `${field} is ${date}, after ${laterField}, ${later}.`,
}

/**
 * Reports dates of an event or a line that do not come in their order. One mistake has one finding:
 * a date that cannot be right is compared with no other.
 */
function reportDates(
  holder: object,
  orders: readonly (readonly string[])[],
  { at, facts, eventDateTime }: Pick<Context<never>, 'at' | 'facts'> & Pick<LooseEvent, 'eventDateTime'>,
  report: (breach: BreachOf<typeof datesSays>) => void,
): void {
  const sound = new Map<string, string>()
  for (const field of new Set(orders.flat())) {
    const date = textIn(holder, field)
    if (!isGiven(date) || isPlaceholderDate(date)) continue
    const pointer = `${at}/${field}`
    if (isYearTooEarly(date, facts)) report({ pointer, says: 'wrong', values: [field, date] })
    else if (isGiven(eventDateTime) && isAfterEvent(date, eventDateTime) && isEventDated(eventDateTime, facts))
      report({ pointer, says: 'late', values: [field, date, ownDateOf(eventDateTime)] })
    else if (facts.now !== undefined && isAfter(date, facts.now))
      report({ pointer, says: 'future', values: [field, date] })
    else sound.set(field, date)
  }
  const reported = new Set<string>()
  for (const order of orders) {
    const given = order.filter((field) => sound.has(field))
    for (const [i, field] of given.entries()) {
      const [date = '', later = ''] = [sound.get(field), sound.get(given[i + 1] ?? '')]
      if (later === '' || date <= later || reported.has(field)) continue
      reported.add(field)
      report({ pointer: `${at}/${field}`, says: 'after', values: [field, date, given[i + 1] ?? '', later] })
    }
  }
}

export const lineDates = rule({
  id: 'event/line-dates',
  severity: 'warning',
  cites: '§2.5 dates of a line',
  summary: 'The dates of a line come in their order, before the event, and not in the future.',
  remedy: datesRemedy,
  says: datesSays,
  check(subject, { at, facts, eventKind }, report) {
    const { eventDateTime } = subject.event
    reportDates(subject.line, eventKind?.lists[subject.list]?.dates ?? [], { at, facts, eventDateTime }, report)
  },
})

export const eventDates = rulesAbout<LooseEvent>()({
  id: 'event/event-dates',
  severity: 'warning',
  cites: '§2.4 dates of an event',
  summary: 'The further dates of an event come in their order, before the event, and not in the future.',
  remedy: datesRemedy,
  says: datesSays,
  check(event, { at, facts, eventKind }, report) {
    if (eventKind?.dates === undefined) return
    reportDates(event, eventKind.dates, { at, facts, eventDateTime: event.eventDateTime }, report)
  },
})

export const oneOrigin = rule({
  id: 'event/one-origin',
  severity: 'warning',
  cites: '§2.5 exemptSourceLocationCode',
  summary: 'A line of food from an exempt person has no data of the harvest beside it.',
  remedy:
    'If the food came from a person to whom the rule does not apply, leave the data of the harvest out. Otherwise leave out exemptSourceLocationCode.',
  onScreen:
    'If the food came from an exempt person, empty the fields of the harvest. Otherwise empty the exempt source.',
  says: {
    both: (field: string, others: readonly string[]) =>
      `The line has ${field}, and also ${others.join(', ')}. Only what food from an exempt person needs is checked.`,
  },
  check(subject, context, report) {
    if (context.eventKind === undefined) return
    const values = valuesOf(subject)
    const beside = statedElements[context.eventKind.name].filter(
      ({ list, fields, unless }) =>
        list === subject.list &&
        unless !== undefined &&
        isStatedValue(values[unless]) &&
        fields.some((field) => isStatedValue(values[field])),
    )
    const [first] = beside
    if (first?.unless !== undefined)
      report({
        pointer: `${context.at}/${first.unless}`,
        says: 'both',
        values: [first.unless, beside.flatMap(({ fields }) => fields)],
      })
  },
})
