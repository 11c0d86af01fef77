// The HL tree, as of an 856: shipment, orders, tares, packs, items, in any order of the sender
// (S-O-T-P-I, S-O-P-I, S-O-I, S-O-I-P, S-P-I and others). Source: X12 856, loop HL; GS1 US
// guideline for EDI, Ship Notice/Manifest.
import { errorAt, quoted, warningAt, type X12Finding } from './finding.ts'
import { placeOfSegment, type Segment } from './segments.ts'

/** Most levels one below another; five are usual. */
const depthMax = 12

/** Most segments of one level, so that the values inherited by lower levels are bounded. */
const levelSegmentsMax = 1_000

/** One HL loop. */
export interface Level {
  /** HL03: `S` shipment, `O` order, `T` tare (pallet), `P` pack, `I` item; others as they are. */
  readonly code: string
  readonly hl: Segment
  readonly parent: Level | undefined
  /** Segments of the loop itself, without HL and without those of its children. */
  readonly segments: Segment[]
}

export interface Hierarchy {
  /** Segments before the first HL: ST, BSN, and dates and references of the whole set. */
  readonly heading: readonly Segment[]
  /** In the order of the file, each after its parent. */
  readonly levels: readonly Level[]
  readonly findings: readonly X12Finding[]
}

/** Segments behind the last level. */
const summary = new Set(['CTT', 'SE'])

const numberLevels = 'Number the HL segments from 1, and let HL02 name the HL01 of the level above.'

/** A level that is not yet part of another. */
type Loose = Omit<Level, 'parent'>

/**
 * Reads the tree; at the first error in it the rest is not read, since levels would be misplaced.
 */
export function readHierarchy(segments: readonly Segment[]): Hierarchy {
  const { heading, loose, finding } = levelsIn(segments)
  const { parents, fault, isOfNumbers, empty } = parentsByNumber(loose)
  const idle = fault === undefined && empty === undefined ? levelWithoutItem(loose, parents) : undefined
  const isMisnumbered = fault === undefined ? (empty ?? idle) !== undefined : isOfNumbers
  const ordered = isMisnumbered ? parentsByOrder(loose) : undefined
  const used = ordered ?? parents
  const said =
    fault !== undefined
      ? ((ordered && inOrder(fault)) ?? fault)
      : empty !== undefined
        ? emptyParent(loose, used[empty], empty)
        : ordered && inOrder(withoutItem(loose[idle ?? 0] as Loose))
  const findings = [said, finding].filter((one) => one !== undefined)
  return { heading, levels: linked(loose, used), findings }
}

/** Levels with the indices of those above them; behind the last index nothing is read. */
function linked(loose: readonly Loose[], parents: readonly (number | undefined)[]): readonly Level[] {
  const levels: Level[] = []
  for (const [i, parent] of parents.entries())
    levels.push({ ...(loose[i] as Loose), parent: parent === undefined ? undefined : levels[parent] })
  return levels
}

interface Parts {
  readonly heading: readonly Segment[]
  readonly loose: readonly Loose[]
  readonly finding: X12Finding | undefined
}

function levelsIn(segments: readonly Segment[]): Parts {
  const heading: Segment[] = []
  const loose: Loose[] = []
  let current: Segment[] = heading
  for (const segment of segments) {
    if (segment.id === 'HL') {
      current = []
      loose.push({ code: segment.elements[2]?.trim() ?? '', hl: segment, segments: current })
    } else if (!summary.has(segment.id)) {
      if (current.length === levelSegmentsMax) {
        const finding = errorAt(placeOfSegment(segment), {
          message: `A level has more than ${levelSegmentsMax.toLocaleString('en')} segments.`,
          remedy: 'Put each item into a level of its own.',
          code: '5',
        })
        return { heading, loose, finding }
      }
      current.push(segment)
    }
  }
  return { heading, loose, finding: undefined }
}

const numberOf = ({ hl }: Loose): string => hl.elements[0]?.trim() ?? ''

interface Numbered {
  /** Of each level up to the first fault. */
  readonly parents: readonly (number | undefined)[]
  readonly fault: X12Finding | undefined
  /** True of a fault in HL01 or HL02. */
  readonly isOfNumbers: boolean
  /** The first level below the shipment that does not name its parent. */
  readonly empty: number | undefined
}

/** The numbers in HL01 and HL02. */
function parentsByNumber(loose: readonly Loose[]): Numbered {
  const known = new Map<string, { readonly index: number; readonly depth: number }>()
  const parents: (number | undefined)[] = []
  let empty: number | undefined
  for (const [index, level] of loose.entries()) {
    const [id, parentId] = [numberOf(level), level.hl.elements[1]?.trim() ?? '']
    const before = parentId === '' ? indexAbove(loose, index) : undefined
    if (before !== undefined) empty ??= index
    const above = known.get(before === undefined ? parentId : numberOf(loose[before] as Loose))
    const depth = (above?.depth ?? 0) + 1
    const [isKnown, hasParent] = [known.has(id), above !== undefined]
    const fault = findingOf(level.hl, { id, parentId, code: level.code, depth, isKnown, hasParent })
    const isOfNumbers = level.code !== '' && depth <= depthMax
    if (fault !== undefined) return { parents, fault, isOfNumbers, empty }
    known.set(id, { index, depth })
    parents.push(above?.index)
  }
  return { parents, fault: undefined, isOfNumbers: false, empty }
}

/** How far below the shipment a level usually is. */
const ranks: ReadonlyMap<string, number> = new Map([...'SOTPI'].map((code, rank) => [code, rank]))

/**
 * Some programs leave HL02 empty. The level is then part of the nearest level before it that it can
 * be part of.
 */
function indexAbove(loose: readonly Loose[], index: number): number | undefined {
  const rank = ranks.get(loose[index]?.code ?? '') ?? 0
  for (let i = index - 1; i >= 0; i--) if ((ranks.get(loose[i]?.code ?? '') ?? ranks.size) < rank) return i
  return undefined
}

/**
 * The tree by the order of the levels, if that has one meaning only: each level is below the
 * nearest one of a higher kind, and all ways from the shipment down pass the same kinds. A loose
 * item beside a pack with an item could be either's, and is refused.
 */
function parentsByOrder(loose: readonly Loose[]): readonly (number | undefined)[] | undefined {
  const codes = loose.map(({ code }) => code)
  if (codes[0] !== 'S' || codes.includes('')) return undefined
  const appearing = new Map([...new Set(codes)].map((code, rank) => [code, rank]))
  for (const order of codes.every((code) => ranks.has(code)) ? [ranks, appearing] : [appearing]) {
    const parents: (number | undefined)[] = []
    const path: number[] = []
    const ways = new Set<string>()
    for (const [i, code] of codes.entries()) {
      const rankOf = (at: number | undefined) => order.get(codes[at ?? -1] ?? '') ?? -1
      while (path.length > 0 && rankOf(path.at(-1)) >= rankOf(i)) path.pop()
      parents.push(path.at(-1))
      path.push(i)
      const next = codes[i + 1]
      const isLast = next === undefined || (order.get(next) ?? 0) <= (order.get(code) ?? 0)
      if (isLast) ways.add(path.map((at) => codes[at]).join())
    }
    if (ways.size === 1 && path.length <= depthMax && levelWithoutItem(loose, parents) === undefined) return parents
  }
  return undefined
}

const namesItem = ({ code, segments }: Loose): boolean =>
  code === 'I' || segments.some(({ id }) => id === 'LIN' || id === 'SN1')

/** An order, tare or pack that neither has an item nor is part of one. */
function levelWithoutItem(loose: readonly Loose[], parents: readonly (number | undefined)[]): number | undefined {
  const [holding, inside] = [new Set<number>(), new Set<number>()]
  for (const [i, level] of loose.entries()) {
    if (namesItem(level) || inside.has(parents[i] ?? -1)) inside.add(i)
    if (namesItem(level))
      for (let one = parents[i]; one !== undefined && !holding.has(one); one = parents[one]) holding.add(one)
  }
  const found = loose.findIndex(({ code }, i) => /^[OTP]$/.test(code) && !holding.has(i) && !inside.has(i))
  return found === -1 ? undefined : found
}

const withoutItem = ({ hl, code }: Loose): X12Finding =>
  warningAt(placeOfSegment(hl, 2), {
    message: `By the numbers in HL02, HL ${quoted(hl.elements[0]?.trim() ?? '')} (${code}) has no item.`,
    remedy: numberLevels,
    code: '7',
  })

const inOrder = (fault: X12Finding): X12Finding => ({
  ...fault,
  severity: 'warning',
  message: `${fault.message} The levels are read by their order: each is part of the nearest level before it that can have it.`,
})

function emptyParent(loose: readonly Loose[], parent: number | undefined, index: number): X12Finding {
  const level = loose[index] as Loose
  return warningAt(placeOfSegment(level.hl, 2), {
    message: `HL02 is empty. Such levels are read as parts of the nearest level before them that can have them, here of HL ${quoted(numberOf(loose[parent ?? 0] as Loose))}.`,
    remedy: numberLevels,
    code: '1',
  })
}

interface Named {
  readonly id: string
  readonly parentId: string
  readonly code: string
  readonly depth: number
  readonly isKnown: boolean
  readonly hasParent: boolean
}

function findingOf(hl: Segment, { id, parentId, code, depth, isKnown, hasParent }: Named): X12Finding | undefined {
  const refuse = (element: number, message: string, remedy: string, syntax: '1' | '7') =>
    errorAt(placeOfSegment(hl, element), { message, remedy, code: syntax })
  if (id === '') return refuse(1, 'HL01 is empty.', numberLevels, '1')
  if (isKnown) return refuse(1, `HL01 ${quoted(id)} is used twice.`, numberLevels, '7')
  if (parentId !== '' && !hasParent)
    return refuse(2, `HL02 is ${quoted(parentId)}, but no HL before it has that number.`, numberLevels, '7')
  if (code === '') return refuse(3, 'HL03 is empty.', 'Send the level: S, O, T, P or I.', '1')
  if (depth > depthMax) return refuse(2, `More than ${depthMax} levels are nested.`, numberLevels, '7')
  return undefined
}
