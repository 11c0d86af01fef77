// Values of a ship notice that no field of its events has: each kind once, with its first place, so
// that nothing of a notice is dropped without a warning. notice-elements.ts has the elements with a
// field.

import { nameOf, quoted, warningAt, type X12Finding } from 'lotkeeper-x12/finding'
import { pairsOf, textOf } from 'lotkeeper-x12/segment-values'
import type { Segment } from 'lotkeeper-x12/segments'
import type { TakenElements } from './collected.ts'
import { type NoticeElement, noticeElements } from './notice-elements.ts'

/** Most findings about such values, so that a hostile file has a short answer. */
const findingsMax = 100

/** Most other values that a finding quotes. */
const othersMax = 8

/** Remedy for a value without a field. */
export const keepIfNeeded = 'No action is needed. If you need the value, keep the notice.'

/** Segments of the envelope and of the tree. */
const structure = new Set(['ST', 'SE', 'HL'])

/** Elements that qualify the element behind them. */
const qualifiers: Readonly<Record<string, readonly number[]>> = {
  REF: [1],
  DTM: [1],
  MAN: [1, 4],
  N1: [1, 3],
  PER: [3, 5, 7],
  MEA: [1, 2],
  PKG: [1, 2, 3],
}

/** Segments that a notice has once. */
const occursOnce = new Set(['BSN', 'CTT'])

const partySegments = new Set(['N2', 'N3', 'N4', 'PER'])

/** Elements by segment that are used, or whose meaning is known. */
const declared = new Map<string, { readonly isUsed: boolean; readonly meaning: string }>()
for (const { segment, elements, meaning, field, use } of noticeElements)
  for (const element of elements === 'pairs' ? ['pairs'] : elements) {
    const key = `${segment} ${element}`
    if (use !== undefined) declared.set(key, { isUsed: true, meaning })
    else if (field === undefined && !declared.has(key)) declared.set(key, { isUsed: false, meaning })
  }

interface Value {
  readonly segment: Segment
  readonly element: number
  readonly text: string
  /** `REF*IA`, `TD505`: values that are reported once. */
  readonly kind: string
  readonly meaning: string | undefined
  /** Fields that may have it. */
  readonly fields: readonly string[]
  /** Of the party that it is about. */
  readonly role: string | undefined
}

interface Left {
  readonly first: Value
  /** Some of the values after the first one. */
  readonly others: Map<string, Value>
  count: number
}

/** Findings about values that are in none of the events. */
export function leftValues(segments: readonly Segment[], taken: TakenElements): readonly X12Finding[] {
  const values = [...valuesOf(segments)]
  const known = new StoredValues(values.filter(({ segment, element }) => taken.has(segment.number, element)))
  const left = new Map<string, Left>()
  for (const value of values) {
    if (taken.has(value.segment.number, value.element) || known.says(value)) continue
    const rival = known.rivalOf(value)
    const key = rival === undefined || value.role === undefined ? value.kind : elementKey(value)
    const one = left.get(key)
    if (one === undefined) left.set(key, { first: value, others: new Map(), count: 1 })
    else {
      one.count++
      const own = elementText(value)
      if (own !== elementText(one.first) && one.others.size < othersMax) one.others.set(own, value)
    }
  }
  const all = [...left.values()]
  const named = all.length > findingsMax ? all.slice(0, findingsMax - 1) : all
  const [unnamed] = all.slice(named.length)
  return [
    ...named.map((one) => findingOf(one, known.rivalOf(one.first))),
    ...(unnamed === undefined ? [] : [manyKinds(unnamed.first, all.length - named.length)]),
  ]
}

/** Stored values of a notice, by other elements that would repeat them. */
class StoredValues {
  readonly #texts = new Set<string>()
  readonly #byKey = new Map<string, Value[]>()

  constructor(values: readonly Value[]) {
    for (const value of values) {
      const { text, segment } = value
      if (identifiers.has(segment.id) && text.length >= codeLengthMin) this.#texts.add(text)
      for (const key of factsOf(value)) {
        this.#texts.add(`${key} ${text}`)
        const same = this.#byKey.get(key)
        if (same === undefined) this.#byKey.set(key, [value])
        else same.push(value)
      }
    }
  }

  /** True of a value that repeats a stored one. */
  says(value: Value): boolean {
    const { text, segment } = value
    return (
      factsOf(value).some((key) => this.#texts.has(`${key} ${text}`)) ||
      (identifiers.has(segment.id) && text.length >= codeLengthMin && this.#texts.has(text))
    )
  }

  /** The stored value of the same fact that stands nearest. */
  rivalOf(value: Value): Value | undefined {
    const distance = (one: Value) => Math.abs(one.segment.number - value.segment.number)
    for (const key of factsOf(value)) {
      const all = this.#byKey.get(key) ?? []
      const [first] = all
      if (first !== undefined) return all.reduce((best, one) => (distance(one) < distance(best) ? one : best), first)
    }
    return undefined
  }
}

/** The names under which two values are one fact. */
const factsOf = (value: Value): readonly string[] =>
  value.role === undefined ? [value.kind, ...value.fields] : [elementKey(value)]

const elementName = ({ segment, element }: Value): string => nameOf({ segmentId: segment.id, element })
const elementKey = (value: Value): string => `${value.kind} (${elementName(value)})`
const elementText = (value: Value): string => `${value.role === undefined ? '' : elementName(value)} ${value.text}`

/** Segments of codes, which say the same under another qualifier. */
const identifiers = new Set(['BSN', 'REF', 'LIN', 'SLN', 'MAN', 'PRF'])

/** A shorter code may be another one under another qualifier. */
const codeLengthMin = 6

function* valuesOf(segments: readonly Segment[]): Generator<Value> {
  let role: string | undefined
  const firsts = new Map<string, Segment>()
  for (const segment of segments) {
    const { id } = segment
    const first = (occursOnce.has(id) && firsts.get(id)) || segment
    firsts.set(id, first)
    if (id === 'N1') role = textOf(segment, 1)
    else if (!partySegments.has(id)) role = undefined
    if (structure.has(id)) continue
    const pairs = id === 'LIN' || id === 'SLN' ? pairsOf(segment) : []
    for (const { element, text, qualifier } of pairs) {
      const fields = fieldsOf(id, 'pairs', qualifier)
      const meaning = declared.get(`${id} pairs`)?.meaning
      yield { segment, element, text, kind: `LIN*${qualifier}`, meaning, fields, role: undefined }
    }
    const end = pairs.length > 0 ? (pairs[0]?.element ?? 2) - 2 : segment.elements.length
    for (let element = 1; element <= end; element++) {
      const text = textOf(segment, element)
      const { isUsed = false, meaning } = declared.get(`${id} ${element}`) ?? {}
      // Nothing uses a second beginning or end, unless it says the same.
      const isDropped = isUsed && textOf(first, element) !== text
      if (text === '' || (isUsed && !isDropped) || qualifiers[id]?.includes(element)) continue
      const fields = fieldsOf(id, element, textOf(segment, qualifiers[id]?.[0] ?? 0))
      yield { segment, element, text, kind: kindOf(segment, element, role), meaning, fields, role }
    }
  }
}

/** The elements with a field, by segment and element. */
const fieldRows = new Map<string, NoticeElement[]>()
for (const one of noticeElements)
  for (const element of one.elements === 'pairs' ? ['pairs'] : one.elements)
    if (one.field !== undefined)
      fieldRows.set(`${one.segment} ${element}`, [...(fieldRows.get(`${one.segment} ${element}`) ?? []), one])

const fieldsOf = (id: string, element: number | 'pairs', qualifier: string): readonly string[] =>
  (fieldRows.get(`${id} ${element}`) ?? [])
    .filter(({ codes }) => codes === undefined || codes.includes(qualifier))
    .flatMap(({ field = [] }) => field)

/** Parties are named by their role, and other values by the qualifier before them. */
function kindOf(segment: Segment, element: number, role: string | undefined): string {
  const { id } = segment
  if (role !== undefined) return `N1*${role}`
  const qualifier = qualifiers[id]?.findLast((at) => at < element)
  const name = nameOf({ segmentId: id, element })
  if (qualifier === undefined) return name
  const code = [...(qualifiers[id] ?? [])].filter((at) => at <= qualifier && textOf(segment, at) !== '')
  if (code.length === 0) return name
  return `${id}*${code.map((at) => textOf(segment, at)).join('*')}${element === qualifier + 1 ? '' : ` (${name})`}`
}

function findingOf({ first, others, count }: Left, stored: Value | undefined): X12Finding {
  const { segment, element, text, kind, meaning, fields, role } = first
  const place = { segment: segment.number, segmentId: segment.id, element }
  const more = moreOf([...others.values()], count - 1)
  if (stored !== undefined) {
    const name = role === undefined ? kind : elementKey(first)
    const [from, there] = [role === undefined ? stored.kind : name, `in segment ${stored.segment.number}`]
    return warningAt(place, {
      message: `${name} is ${quoted(text)} here and ${quoted(stored.text)} ${from === name ? there : `${there} (${from})`}, which is stored.${more}`,
      remedy: 'Ask the sender which is right, and have one sent.',
    })
  }
  const what = meaning === undefined ? '' : ` (${meaning})`
  return warningAt(place, {
    message: `${kind} is ${quoted(text)}${role === undefined && fields.length === 0 ? `${what}. A shipping event has no field for it` : ', which is not stored'}.${more}`,
    remedy: remedyOf(segment.id, kind),
  })
}

function moreOf(others: readonly Value[], count: number): string {
  if (count === 0) return ''
  const texts = others.map(
    (value) => `${value.role === undefined ? '' : `${elementName(value)} `}${quoted(value.text)}`,
  )
  return ` The notice has ${count.toLocaleString('en')} more${texts.length === 0 ? '' : `: ${texts.join(', ')}${count > texts.length ? ' and others' : ''}`}.`
}

const manyKinds = ({ segment, element }: Value, count: number): X12Finding =>
  warningAt(
    { segment: segment.number, segmentId: segment.id, element },
    {
      message: `${count.toLocaleString('en')} more kinds of values from this one on have no field in a shipping event.`,
      remedy: 'No action is needed. If you need the values, keep the notice.',
    },
  )

function remedyOf(id: string, kind: string): string {
  if (kind.startsWith('N1*') && kind !== 'N1*SF' && kind !== 'N1*ST')
    return 'If the party assigned the lot codes, enter its role in the settings of the sender (tlcSourceRole). Otherwise no action is needed.'
  if (id === 'DTM')
    return 'If it is a date of a line, enter its code in the settings of the sender (dates). Otherwise no action is needed.'
  if (kind.startsWith('LIN*'))
    return 'If it names the item, enter it in the settings of the sender (items). Otherwise no action is needed.'
  return keepIfNeeded
}
