// Shared records of a partner, in sentences, and the grants of a form. Pure.
import type {
  Grant,
  Partner,
  Place,
  SharingPreview,
  SuggestedPlace,
  UncoveredPlace,
} from '../../client/generated/shapes.ts'
import { dayAfter, isCalendarDate } from '../../contract/shape/date-and-time.ts'
import { type WithholdableField, withheldByDefault, withholdable, withholdableFields } from '../../contract/sharing.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import { dateTimeWords, labelOf } from '../words/labels.ts'
import { dateWords } from './pasted-dates.ts'

/** A part of a sentence: words, or an emphasized value. */
export type Phrase = string | { readonly value: string }

const listed = new Intl.ListFormat('en')

/** Up to this many values are named; more are counted. */
const namedMax = 3

/** `vendor V-1`, `vendors V-1 and V-2`, `12 vendors`. */
const valuesWords = (values: readonly string[], noun: string): string =>
  values.length > namedMax
    ? pluralize(values.length, noun)
    : `${noun}${values.length === 1 ? '' : 's'} ${listed.format(values)}`

/** The label of a field within a sentence: "freight payment", "GLN". */
const fieldWords = (field: string): string => {
  const label = labelOf(field)
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
}

export interface WithheldGroup {
  readonly words: string
  readonly fields: readonly WithholdableField[]
}

const groupWords: Readonly<Record<(typeof withholdable)[WithholdableField], string>> = {
  commercial: 'Commercial fields',
  internal: 'Internal fields',
  identifier: 'Other identifiers',
  'reference document': 'Other documents',
  carriage: 'Carriage',
  quantity: 'Weights and pallets',
}

/** Fields that can be withheld, in groups of a kind. */
export const withheldGroups: readonly WithheldGroup[] = Object.entries(groupWords).map(([kind, words]) => ({
  words,
  fields: withholdableFields.filter((field) => withholdable[field] === kind),
}))

/** "freight payment, internal fields and 2 of carriage": a group by its name where it is whole. */
const withheldWords = (withheld: readonly string[]): string =>
  listed.format(
    withheldGroups.flatMap(({ words, fields }) => {
      const within = fields.filter((field) => withheld.includes(field))
      const group = words.charAt(0).toLowerCase() + words.slice(1)
      if (within.length === fields.length && fields.length > 1) return [group]
      return within.length > namedMax ? [`${within.length} of ${group}`] : within.map(fieldWords)
    }),
  )

/** The last day of a grant, in UTC; blank without an end. */
export const lastDayOfGrant = ({ endDateTime }: Pick<Grant, 'endDateTime'>): string =>
  endDateTime ? new Date(Date.parse(endDateTime) - 1).toISOString().slice(0, 10) : ''

/** The end of a grant whose last day, in UTC, is this one. */
export const endAfterDay = (lastDay: string): string | undefined =>
  isCalendarDate(lastDay) ? `${dayAfter(lastDay, 1)}T00:00:00Z` : undefined

/** "to the end of March 31, 2026 (UTC)", or to the minute where it does not end with a day. */
function endWords(endDateTime: string): string {
  const { time, isMidnight } = {
    time: endDateTime.replace(/:\d{2}(\.\d+)?Z$/, ':00Z'),
    isMidnight: /T00:00:00(\.0+)?Z$/.test(endDateTime),
  }
  return isMidnight
    ? `to the end of ${dateWords(lastDayOfGrant({ endDateTime }))} (UTC)`
    : `until ${dateTimeWords(time)}`
}

/** One grant as a sentence: "Walmart sees the events that are shipped to its 14 places, …" */
export function grantPhrases(name: string, places: number, grant: Grant): readonly Phrase[] {
  const { lotCode, direction, dataProviderVendorIds = [], itemCodes = [], endDateTime } = grant
  const { firstEventDate, withHistory = false, withheld = withheldByDefault } = grant
  const its = `its ${places === 1 ? 'place' : pluralize(places, 'place')}`
  const who = { value: name === '' ? 'The partner' : name }
  const end: readonly Phrase[] = endDateTime ? [', ', { value: endWords(endDateTime) }] : [', without an end']
  const fields: readonly Phrase[] =
    withheld.length === 0 ? ['. No field is withheld.'] : [', without ', { value: withheldWords(withheld) }, '.']
  const history = withHistory ? ['. Earlier versions are included'] : []
  if (lotCode)
    return [
      who,
      ' sees the events with lot ',
      { value: lotCode },
      ' that are shipped to or from ',
      { value: its },
      ...end,
      ...history,
      ...fields,
    ]
  return [
    who,
    ` sees the events that are shipped ${direction === 'shipFrom' ? 'from' : 'to'} `,
    { value: its },
    ', from ',
    { value: dataProviderVendorIds.length === 0 ? 'all vendors' : valuesWords(dataProviderVendorIds, 'vendor') },
    ...(itemCodes.length === 0 ? [] : [', only lines with ', { value: valuesWords(itemCodes, 'item') }]),
    ', ',
    ...(firstEventDate ? ['received from ', { value: dateWords(firstEventDate) }, ' on'] : ['of any date']),
    ...end,
    ...history,
    ...fields,
  ]
}

export const plainWords = (phrases: readonly Phrase[]): string =>
  phrases.map((phrase) => (typeof phrase === 'string' ? phrase : phrase.value)).join('')

/** The name that distinguishes a place from the others of a partner. */
export const placeKey = ({ gln, locationCode, dataProviderVendorId }: Place): string =>
  gln ? `gln ${gln}` : `code ${dataProviderVendorId ?? ''} ${locationCode}`

/** A place that events are shipped to. */
export type StoredPlace = UncoveredPlace & Partial<Pick<SuggestedPlace, 'partner'>>

/** The name that distinguishes a stored place: one code may be several places. */
export const storedKey = ({ locationCode, gln }: StoredPlace): string => `${locationCode} ${gln ?? ''}`

/** True when the place of a partner covers this stored one for at least one vendor. */
export const covers = (place: Place, { gln, locationCode, dataProviderVendorIds }: StoredPlace): boolean =>
  place.gln
    ? place.gln === gln
    : place.locationCode === locationCode &&
      (!place.dataProviderVendorId || dataProviderVendorIds.includes(place.dataProviderVendorId))

/**
 * The places that cover a stored one: by GLN where it has one, since it stands for all codes with
 * it. A code that is more than one place is named with its vendors.
 */
export function placesOf(stored: StoredPlace, all: readonly StoredPlace[]): readonly Place[] {
  const { gln, locationCode, dataProviderVendorIds } = stored
  if (gln) return [{ gln }]
  const isOne = all.every((other) => other.locationCode !== locationCode || storedKey(other) === storedKey(stored))
  return isOne
    ? [{ locationCode }]
    : dataProviderVendorIds.map((dataProviderVendorId) => ({ locationCode, dataProviderVendorId }))
}

const wordsIn = (text: string): readonly string[] =>
  text
    .toLocaleLowerCase('en')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2)

/** Stored places that contain each word of the text, those that look like the partner's first. */
export function placesFor(stored: readonly StoredPlace[], text: string, name: string): readonly StoredPlace[] {
  const words = text.toLocaleLowerCase('en').split(/\s+/).filter(Boolean)
  const named = wordsIn(name)
  const whole = ({ locationName, locationCode, gln, dataProviderVendorIds }: StoredPlace) =>
    [locationName, locationCode, gln, ...dataProviderVendorIds].join(' ').toLocaleLowerCase('en')
  const looksLike = (place: StoredPlace) => named.some((word) => whole(place).includes(word))
  return stored
    .filter((place) => words.every((word) => whole(place).includes(word)))
    .sort((a, b) => Number(looksLike(b)) - Number(looksLike(a)) || b.events - a.events)
}

/** A place as it was typed: thirteen digits are a GLN. */
export const typedPlace = (text: string): Place =>
  /^\d{13}$/.test(text.trim()) ? { gln: text.trim() } : { locationCode: text.trim() }

/** The state of an account, and the tag that it has. */
export const stateWords: Readonly<Record<Partner['state'], { readonly words: string; readonly tag: string }>> = {
  open: { words: 'open', tag: 'added' },
  updating: { words: 'updating', tag: 'replaced' },
  closed: { words: 'closed', tag: 'removed' },
}

/** When a key of the partner was last used. */
export const lastUseOf = ({ keys }: Pick<Partner, 'keys'>): string | undefined =>
  keys
    .flatMap(({ lastUsedDateTime }) => lastUsedDateTime ?? [])
    .sort()
    .at(-1)

/** "GLN 0614141000012", "Code DC-07 of vendor V-1001". */
export const placeWords = ({ gln, locationCode, dataProviderVendorId }: Place): string =>
  gln ? `GLN ${gln}` : `Code ${locationCode}${dataProviderVendorId ? ` of vendor ${dataProviderVendorId}` : ''}`

/** "1,204 events", "more than 10,000 events". */
export const countedEvents = ({ events, orMore }: SharingPreview['opened']): string =>
  `${orMore ? 'more than ' : ''}${pluralize(events, 'event')}`
