// Who assigned the lot code: lines that share an identifier, or name and address, speak of one source (decision 0028).
import { given } from '../../contract/field.ts'
import type { TracedSource } from '../../contract/lot-trace.ts'
import type { ProductLine } from '../../contract/product-line.ts'
import { JoinedSets } from './joined-sets.ts'
import { inOneLine, named, sameAs } from './spoken.ts'

/** The lists of a source that hold what its lines say of it. */
type Said = 'names' | 'addresses' | 'phoneNumbers' | Identifier
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

/** Texts that stand for nothing, and so do not make two sources one. */
const placeholders: ReadonlySet<string> = new Set([
  '-',
  '--',
  '.',
  '0',
  'n/a',
  'na',
  'none',
  'null',
  'unknown',
  'tbd',
  'other',
])

/** Where the source is, in one line; empty where the line does not say it. */
const sourceAddressOf = (line: ProductLine): string =>
  inOneLine([
    line.tlcSourceAddress1,
    line.tlcSourceAddress2,
    line.tlcSourceCity,
    line.tlcSourceState,
    line.tlcSourcePostalCode,
    line.tlcSourceCountry,
  ])

/** True when a line says all that 21 CFR 1.1310 calls the location description of its source. */
export const hasSourcePlace = (line: ProductLine): boolean =>
  [
    line.tlcSourceName,
    line.tlcSourceAddress1,
    line.tlcSourceCity,
    line.tlcSourceState,
    line.tlcSourcePostalCode,
    line.tlcSourceCountry,
    line.tlcSourcePhoneNumber,
  ].every(given)

function keysOf(line: ProductLine): readonly string[] {
  const all = identifiers.flatMap((kind) => {
    const value = line[identifierFields[kind]]
    return given(value) ? [[kind, sameAs(value)] as const] : []
  })
  const telling = all.filter(([, value]) => !placeholders.has(value))
  const place = [line.tlcSourceName, sourceAddressOf(line)].map((text) => sameAs(text ?? ''))
  if (place.some((text) => text !== '')) telling.push(['place' as Identifier, place.join('\u0000')])
  return (telling.length > 0 ? telling : all).map(([kind, value]) => `${kind}\u0000${value}`)
}

/** A line, and the event it is of. */
interface SourcedLine {
  readonly line: ProductLine
  readonly eventId: string
}

export interface Sources {
  readonly list: readonly TracedSource[]
  /** Places in the list, line by line. */
  readonly ofLines: readonly number[]
}

/** The sources of lines, in the order of their first line. */
export function sourcesOf(lines: readonly SourcedLine[]): Sources {
  const sets = new JoinedSets()
  const firstWith = new Map<string, number>()
  for (const { line } of lines) {
    const number = sets.add()
    for (const key of keysOf(line)) {
      const known = firstWith.get(key)
      if (known === undefined) firstWith.set(key, number)
      else sets.join(known, number)
    }
    // Lines that say nothing of their source are one: nobody knows whose.
    if (keysOf(line).length === 0) {
      const known = firstWith.get('')
      if (known === undefined) firstWith.set('', number)
      else sets.join(known, number)
    }
  }
  const numbers = new Map<number, number>()
  const ofLines = lines.map((_, i) => {
    const root = sets.rootOf(i)
    const number = numbers.get(root) ?? numbers.size
    numbers.set(root, number)
    return number
  })
  const collected = [...numbers.values()].map(() => new SaidOfSource())
  for (const [i, number] of ofLines.entries()) collected[number]?.add(lines[i] as SourcedLine)
  return { list: collected.map((said, i) => said.source(`S${i + 1}`)), ofLines }
}

/** What lines say of one source; each text once, as first written. */
class SaidOfSource {
  readonly #texts = new Map<Said, Map<string, string>>()
  readonly #events = new Set<string>()
  #lines = 0

  add({ line, eventId }: SourcedLine): void {
    this.#lines++
    this.#events.add(eventId)
    for (const kind of identifiers) this.#say(kind, line[identifierFields[kind]])
    this.#say('names', line.tlcSourceName)
    this.#say('addresses', sourceAddressOf(line))
    this.#say('phoneNumbers', line.tlcSourcePhoneNumber)
  }

  #say(kind: Said, text: string | undefined): void {
    if (!given(text)) return
    const said = this.#texts.get(kind) ?? new Map<string, string>()
    this.#texts.set(kind, said)
    if (!said.has(sameAs(text))) said.set(sameAs(text), text.trim())
  }

  source(id: string): TracedSource {
    const all = (kind: Said) => [...(this.#texts.get(kind)?.values() ?? [])]
    return {
      id,
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

/** All texts a source can be named by. */
const namesOf = (source: TracedSource): readonly string[] => [
  ...source.names,
  ...identifiers.flatMap((kind) => source[kind]),
]

/** True when the text is an identifier or a name of the source. */
export const isNamed = (source: TracedSource, text: string): boolean =>
  namesOf(source).some((name) => sameAs(name) === sameAs(text))

/** A source as it stands in a sentence: its name, else its first identifier with its kind. */
export function sourceLabel(source: TracedSource): string {
  const [name] = source.names
  if (name !== undefined) return name
  for (const kind of identifiers) {
    const [value] = source[kind]
    if (value !== undefined) return kind === 'others' ? value : `${identifierNames[kind]} ${value}`
  }
  return 'a source nobody names'
}

/** A source with its identifiers, for choosing one. */
export const sourceChoice = (source: TracedSource): string => {
  const { glns, duns, ffrns, feis, urls, others } = source
  const ids = [...glns, ...duns, ...ffrns, ...feis, ...urls, ...others].filter((id) => id !== sourceLabel(source))
  return ids.length > 0 ? `${sourceLabel(source)} (${named(ids)})` : sourceLabel(source)
}

/** A source that is referred to by GLN is also called what a place with that GLN is called. */
export const withNamesOfPlaces = (
  sources: readonly TracedSource[],
  places: readonly { readonly gln: string | undefined; readonly name: string }[],
): TracedSource[] =>
  sources.map((source) => {
    const names = places.flatMap(({ gln, name }) => (gln !== undefined && source.glns.includes(gln) ? [name] : []))
    return { ...source, names: [...new Set([...source.names, ...names])] }
  })
