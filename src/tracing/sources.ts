// Who assigned the lot code. Lines that share an identifier, or name and address, have the same
// source (decision 0028).

import type { Location } from '../contract/location.ts'
import { readLotCode } from '../contract/lots/lot-code.ts'
import type { ProductLine } from '../contract/product-line.ts'
import { givenOf, isGiven } from '../contract/shape/field.ts'
import { isPlaceholder, isPlaceholderCode } from '../contract/shape/placeholder.ts'
import type { Loose } from '../contract/shape/read-shape.ts'
import { groupsOf } from '../groups.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import { DisjointSets } from './disjoint-sets.ts'
import type { TracedSource } from './lot-trace.ts'
import { inOneLine, listSome, sameAs } from './wording.ts'

/** Lists of a source, filled from its lines. */
type SourceFact = 'names' | 'addresses' | 'phoneNumbers' | Identifier
type Identifier = 'glns' | 'duns' | 'ffrns' | 'feis' | 'urls' | 'others'

const identifierFields = {
  glns: 'tlcSourceReferenceGln',
  duns: 'tlcSourceReferenceDuns',
  ffrns: 'tlcSourceReferenceFfrn',
  feis: 'tlcSourceReferenceFei',
  urls: 'tlcSourceReferenceUrl',
  others: 'tlcSourceReferenceOther',
} as const satisfies Record<Identifier, keyof ProductLine>

export const identifierNames = {
  glns: 'GLN',
  duns: 'DUNS',
  ffrns: 'FFRN',
  feis: 'FEI',
  urls: 'URL',
  others: 'other',
} as const satisfies Record<Identifier, string>
const identifiers = Object.keys(identifierFields) as readonly Identifier[]

/** The source that a line states. A placeholder counts as absent, so it joins nothing. */
const toldCode = (value: string | undefined): string | undefined =>
  isGiven(value) && !isPlaceholderCode(value) && sameAs(value) !== 'other' ? value : undefined
const toldText = (value: string | undefined): string | undefined =>
  isGiven(value) && !isPlaceholder(value) ? value : undefined

/** Address of the source on one line. Empty if the line does not have it. */
const sourceAddressOf = (line: ProductLine): string =>
  inOneLine(
    [
      line.tlcSourceAddress1,
      line.tlcSourceAddress2,
      line.tlcSourceCity,
      line.tlcSourceState,
      line.tlcSourcePostalCode,
      line.tlcSourceCountry,
    ].map(toldText),
  )

/**
 * True when a line has the complete location description of its source, as 21 CFR 1.1310 defines
 * it.
 */
export const hasSourcePlace = (line: ProductLine): boolean =>
  [
    line.tlcSourceName,
    line.tlcSourceAddress1,
    line.tlcSourceCity,
    line.tlcSourceState,
    line.tlcSourcePostalCode,
    line.tlcSourceCountry,
    line.tlcSourcePhoneNumber,
  ].every(isGiven)

/**
 * A line of a lot that was made at a place: where it does not say who assigned its lot code, that
 * place did. Source: 21 CFR 1.1310, 1.1320.
 */
export function madeAt(line: ProductLine, { gln, locationName, phoneNumber, address }: Loose<Location>): ProductLine {
  if (readStatement(line).keys.length > 0) return line
  const source = {
    tlcSourceReferenceGln: gln,
    tlcSourceName: locationName,
    tlcSourcePhoneNumber: phoneNumber,
    tlcSourceAddress1: address?.streetAddress1,
    tlcSourceAddress2: address?.streetAddress2,
    tlcSourceCity: address?.city,
    tlcSourceState: address?.state,
    tlcSourcePostalCode: address?.postalCode,
    tlcSourceCountry: address?.country,
  }
  return { ...line, ...givenOf(source) }
}

/** The source that a line states. */
interface SourceStatement {
  /**
   * Keys that lines of one source share; none where a line does not state who assigned its lot
   * code.
   */
  readonly keys: readonly string[]
  /** The item in the lot code. */
  readonly item: string | undefined
  readonly texts: readonly (readonly [kind: SourceFact, text: string | undefined])[]
}

/** The fields of a statement. */
const statementFields = [
  'caseLotNumber',
  ...Object.values(identifierFields),
  'tlcSourceName',
  'tlcSourceAddress1',
  'tlcSourceAddress2',
  'tlcSourceCity',
  'tlcSourceState',
  'tlcSourcePostalCode',
  'tlcSourceCountry',
  'tlcSourcePhoneNumber',
] as const satisfies readonly (keyof ProductLine)[]

function readStatement(line: ProductLine): SourceStatement {
  const codes = identifiers.map((kind) => [kind, toldCode(line[identifierFields[kind]])] as const)
  const name = toldText(line.tlcSourceName)
  const address = sourceAddressOf(line)
  const keys = codes.flatMap(([kind, value]) => (value === undefined ? [] : [`${kind}\u0000${sameAs(value)}`]))
  const place = [name ?? '', address].map(sameAs)
  if (place.some((text) => text !== '')) keys.push(`place\u0000${place.join('\u0000')}`)
  return {
    keys,
    item: readLotCode(line.caseLotNumber ?? '').gtin,
    texts: [...codes, ['names', name], ['addresses', address], ['phoneNumbers', toldCode(line.tlcSourcePhoneNumber)]],
  }
}

/**
 * Reads the statements of lines. Most lines of a lot have the same, and reading takes 10 µs, so
 * each distinct one is read once.
 */
class StatementReader {
  readonly #known = new Map<string, SourceStatement>()

  read(line: ProductLine): SourceStatement {
    const key = statementFields.map((field) => line[field] ?? '').join('\u0000')
    const statement = this.#known.get(key) ?? readStatement(line)
    this.#known.set(key, statement)
    return statement
  }
}

/** A line and its event. */
interface SourcedLine {
  readonly line: ProductLine
  readonly eventId: string
}

export interface Sources {
  readonly list: readonly TracedSource[]
  /** Places in the list, line by line. */
  readonly ofLines: readonly number[]
}

/**
 * The sources of lines, in the order of their first line. Lines without a source are one group,
 * except that lot codes which name different items stay apart: they are not of one lot.
 */
export function* sourcesOf(lines: readonly SourcedLine[]): Steps<Sources> {
  const reader = new StatementReader()
  const statements = yield* mapInSteps(lines, ({ line }) => reader.read(line))
  const sets = new DisjointSets()
  const firstWith = new Map<string, number>()
  const items = new Set(statements.flatMap(({ keys, item }) => (keys.length === 0 ? (item ?? []) : [])))
  yield* mapInSteps(statements, ({ keys, item }) => {
    const number = sets.add()
    const unknown = `unknown\u0000${items.size > 1 ? (item ?? '') : ''}`
    for (const key of keys.length > 0 ? keys : [unknown]) {
      const known = firstWith.get(key)
      if (known === undefined) firstWith.set(key, number)
      else sets.join(known, number)
    }
  })
  const numbers = new Map<number, number>()
  const ofLines = yield* mapInSteps(lines, (_, i) => {
    const root = sets.rootOf(i)
    const number = numbers.get(root) ?? numbers.size
    numbers.set(root, number)
    return number
  })
  const collected = [...numbers.values()].map(() => new SourceFacts())
  yield* mapInSteps(statements, (statement, i) => collected[ofLines[i] ?? 0]?.add(statement, lines[i]?.eventId ?? ''))
  return { list: yield* mapInSteps(collected, (said, i) => said.source(`S${i + 1}`)), ofLines }
}

/** The statements about one source, each text once, as first written. */
class SourceFacts {
  #known = false
  readonly #items = new Set<string>()
  readonly #statements = new Set<SourceStatement>()
  readonly #texts = new Map<SourceFact, Map<string, string>>()
  readonly #events = new Set<string>()
  #lines = 0

  add(statement: SourceStatement, eventId: string): void {
    this.#lines++
    this.#events.add(eventId)
    if (this.#statements.has(statement)) return
    this.#statements.add(statement)
    const { keys, item, texts } = statement
    if (keys.length > 0) this.#known = true
    if (item !== undefined) this.#items.add(item)
    for (const [kind, text] of texts) this.#say(kind, text)
  }

  #say(kind: SourceFact, text: string | undefined): void {
    if (!isGiven(text)) return
    const texts = this.#texts.get(kind) ?? new Map<string, string>()
    this.#texts.set(kind, texts)
    if (!texts.has(sameAs(text))) texts.set(sameAs(text), text.trim())
  }

  source(id: string): TracedSource {
    const all = (kind: SourceFact) => [...(this.#texts.get(kind)?.values() ?? [])]
    return {
      id,
      known: this.#known,
      gtins: [...this.#items],
      names: all('names'),
      addresses: all('addresses'),
      phoneNumbers: all('phoneNumbers'),
      glns: all('glns'),
      duns: all('duns'),
      ffrns: all('ffrns'),
      feis: all('feis'),
      urls: all('urls'),
      others: all('others'),
      lines: this.#lines,
      events: this.#events.size,
    }
  }
}

/** All texts that can name a source. */
const namesOf = (source: TracedSource): readonly string[] => [
  ...source.names,
  ...identifiers.flatMap((kind) => source[kind]),
]

/** True when the text is an identifier or a name of the source. */
export const isNamed = (source: TracedSource, text: string): boolean =>
  namesOf(source).some((name) => sameAs(name) === sameAs(text))

/** False where both are known and share no identifier, name or address. */
export function mayBeOneSource(one: TracedSource, other: TracedSource): boolean {
  if (!one.known || !other.known) return true
  const known = new Set([...namesOf(one), ...one.addresses].map(sameAs))
  return [...namesOf(other), ...other.addresses].some((text) => known.has(sameAs(text)))
}

/** What names a source in a query: its first identifier, else its name. */
export const tlcSourceOf = ({ known, names, ...source }: TracedSource): string | undefined =>
  known ? [...identifiers.flatMap((kind) => source[kind]), ...names][0] : undefined

/** A source in a sentence: its name, else its first identifier with its kind. */
export function sourceLabel(source: TracedSource): string {
  const [name] = source.names
  if (name !== undefined) return name
  for (const kind of identifiers) {
    const [value] = source[kind]
    if (value !== undefined) return kind === 'others' ? value : `${identifierNames[kind]} ${value}`
  }
  if (source.known) return source.addresses[0] ?? 'a source without a name'
  const [gtin] = source.gtins
  return gtin === undefined ? 'an unknown source' : `an unknown source of GTIN ${gtin}`
}

/** A source with its identifiers, for a list to choose from. */
export const sourceChoice = (source: TracedSource): string => {
  const { glns, duns, ffrns, feis, urls, others } = source
  const ids = [...glns, ...duns, ...ffrns, ...feis, ...urls, ...others].filter((id) => id !== sourceLabel(source))
  return ids.length > 0 ? `${sourceLabel(source)} (${listSome(ids)})` : sourceLabel(source)
}

/** A source identified by a GLN also has the names of the place with that GLN. */
export function* withNamesOfPlaces(
  sources: readonly TracedSource[],
  places: readonly { readonly gln: string | undefined; readonly name: string }[],
): Steps<TracedSource[]> {
  const numbersOf = groupsOf(places.keys(), (number) => places[number]?.gln)
  return yield* mapInSteps(sources, (source) => {
    const numbers = source.glns.flatMap((gln) => numbersOf.get(gln) ?? []).sort((a, b) => a - b)
    const names = numbers.map((number) => places[number]?.name ?? '')
    return { ...source, names: [...new Set([...source.names, ...names])] }
  })
}
