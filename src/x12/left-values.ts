// Values of a ship notice that no field of its events has: each kind once, with its first place, so
// that nothing of a notice is dropped without a word. What has a field is in notice-elements.ts.
import type { TakenElements } from './collected.ts'
import { noticeElements } from './notice-elements.ts'
import { pairsOf, textOf } from './segment-values.ts'
import type { Segment } from './segments.ts'
import { nameOf, quoted, warningAt, type X12Finding } from './x12-finding.ts'

/** Most kinds of values that are named, so that a hostile file has a short answer. */
const kindsMax = 100

/** Segments of the envelope and of the tree. */
const structure = new Set(['ST', 'SE', 'HL'])

/** Elements that say what the element behind them is. */
const qualifiers: Readonly<Record<string, readonly number[]>> = {
  REF: [1],
  DTM: [1],
  MAN: [1, 4],
  N1: [1, 3],
  PER: [3, 5, 7],
  MEA: [1, 2],
  PKG: [1, 2, 3],
}

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
  /** `REF*IA`, `TD505`: what is named once. */
  readonly kind: string
  readonly meaning: string | undefined
}

interface Left {
  readonly first: Value
  count: number
}

/** Findings about what is in none of the events. */
export function leftValues(segments: readonly Segment[], taken: TakenElements): readonly X12Finding[] {
  const values = [...valuesOf(segments)]
  const isTaken = ({ segment, element }: Value) => taken.has(segment.number, element)
  const stored = new Set(values.filter(isTaken).flatMap((value) => [value.text, `${value.kind} ${value.text}`]))
  const storedOf = new Map(values.filter(isTaken).map((value) => [value.kind, value]))
  const left = new Map<string, Left>()
  for (const value of values) {
    if (isTaken(value) || stored.has(`${value.kind} ${value.text}`)) continue
    if (identifiers.has(value.segment.id) && stored.has(value.text)) continue
    const one = left.get(value.kind)
    if (one !== undefined) one.count++
    else if (left.size < kindsMax) left.set(value.kind, { first: value, count: 1 })
  }
  return [...left.values()].map((one) => findingOf(one, storedOf.get(one.first.kind)))
}

/** Segments of codes, which say the same under another qualifier. */
const identifiers = new Set(['REF', 'LIN', 'SLN', 'MAN', 'PRF', 'SN1'])

function* valuesOf(segments: readonly Segment[]): Generator<Value> {
  let role: string | undefined
  for (const segment of segments) {
    const { id } = segment
    if (id === 'N1') role = textOf(segment, 1)
    else if (!partySegments.has(id)) role = undefined
    if (structure.has(id)) continue
    const pairs = id === 'LIN' || id === 'SLN' ? pairsOf(segment) : []
    for (const { element, text, qualifier } of pairs)
      yield { segment, element, text, kind: `LIN*${qualifier}`, meaning: declared.get(`${id} pairs`)?.meaning }
    const end = pairs.length > 0 ? (pairs[0]?.element ?? 2) - 2 : segment.elements.length
    for (let element = 1; element <= end; element++) {
      const text = textOf(segment, element)
      const { isUsed = false, meaning } = declared.get(`${id} ${element}`) ?? {}
      if (text === '' || isUsed || qualifiers[id]?.includes(element)) continue
      yield { segment, element, text, kind: kindOf(segment, element, role), meaning }
    }
  }
}

/** Parties are named by their role, and other values by the qualifier before them. */
function kindOf(segment: Segment, element: number, role: string | undefined): string {
  const { id } = segment
  if (role !== undefined) return `N1*${role}`
  const qualifier = qualifiers[id]?.findLast((at) => at < element)
  const name = nameOf({ segment: segment.number, segmentId: id, element })
  if (qualifier === undefined) return name
  const code = [...(qualifiers[id] ?? [])].filter((at) => at <= qualifier && textOf(segment, at) !== '')
  return `${id}*${code.map((at) => textOf(segment, at)).join('*')}${element === qualifier + 1 ? '' : ` (${name})`}`
}

function findingOf({ first, count }: Left, stored: Value | undefined): X12Finding {
  const { segment, element, text, kind, meaning } = first
  const place = { segment: segment.number, segmentId: segment.id, element }
  const others = count === 1 ? '' : ` The notice has ${(count - 1).toLocaleString('en')} more.`
  const isParty = kind.startsWith('N1*')
  if (stored !== undefined && !isParty)
    return warningAt(place, {
      message: `${kind} is ${quoted(text)} here and ${quoted(stored.text)} in segment ${stored.segment.number}, which is stored.${others}`,
      remedy: 'Ask the sender which is right, and have one sent.',
    })
  const what = meaning === undefined ? '' : ` (${meaning})`
  return warningAt(place, {
    message: `${kind} is ${quoted(text)}${isParty && stored !== undefined ? ', which is not stored' : `${what}. A shipping event has no field for it`}.${others}`,
    remedy: remedyOf(segment.id, kind),
  })
}

function remedyOf(id: string, kind: string): string {
  if (kind.startsWith('N1*') && kind !== 'N1*SF' && kind !== 'N1*ST')
    return 'If the party assigned the lot codes, enter its role in the settings of the sender (tlcSourceRole). Else nothing is to be done.'
  if (id === 'DTM')
    return 'If it is a date of a line, enter its code in the settings of the sender (dates). Else nothing is to be done.'
  if (kind.startsWith('LIN*'))
    return 'If it names the item, enter it in the settings of the sender (items). Else nothing is to be done.'
  return 'Nothing is to be done, unless you need it: then keep the notice.'
}
