// The HL tree of a ship notice: shipment, orders, tares, packs, items, in whatever order the sender
// nests them (S-O-T-P-I, S-O-P-I, S-O-I, S-O-I-P, S-P-I and others).
// Source: X12 856, loop HL; GS1 US guideline for EDI, Ship Notice/Manifest.
import { placeOfSegment, type Segment } from './segments.ts'
import { errorAt, quoted, warningAt, type X12Finding } from './x12-finding.ts'

/** Most levels one below another; five are usual. */
const depthMax = 12

/** Most segments of one level, so that what the levels below take from it is bounded. */
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
  /** Segments before the first HL: ST, BSN, and dates and references of the notice. */
  readonly heading: readonly Segment[]
  /** In the order of the file, each after its parent. */
  readonly levels: readonly Level[]
  readonly findings: readonly X12Finding[]
}

/** How far below the shipment a level usually is. */
const ranks: ReadonlyMap<string, number> = new Map([...'SOTPI'].map((code, rank) => [code, rank]))

/**
 * Some programs leave HL02 empty. The level is then part of the nearest level before it that it can
 * be part of.
 */
function levelAbove(levels: readonly Level[], code: string): Level | undefined {
  const rank = ranks.get(code) ?? 0
  return levels.findLast((level) => (ranks.get(level.code) ?? ranks.size) < rank)
}

/** Segments behind the last level. */
const summary = new Set(['CTT', 'SE'])

const numberLevels = 'Number the HL segments from 1, and let HL02 name the HL01 of the level above.'

/**
 * Reads the tree; at the first error in it the rest is not read, since levels would be misplaced.
 */
export function readHierarchy(segments: readonly Segment[]): Hierarchy {
  const heading: Segment[] = []
  const known = new Map<string, { readonly level: Level; readonly depth: number }>()
  const levels: Level[] = []
  const findings: X12Finding[] = []
  let current: Segment[] = heading
  for (const segment of segments) {
    if (segment.id === 'HL') {
      const [id = '', parentId = '', code = ''] = segment.elements.map((text) => text.trim())
      const before = parentId === '' ? levelAbove(levels, code) : undefined
      const above = known.get(before === undefined ? parentId : (before.hl.elements[0]?.trim() ?? ''))
      const depth = (above?.depth ?? 0) + 1
      const finding = findingOf(segment, {
        id,
        parentId,
        code,
        depth,
        isKnown: known.has(id),
        hasParent: above !== undefined,
      })
      if (finding !== undefined) return { heading, levels, findings: [...findings, finding] }
      if (before !== undefined && findings.length === 0)
        findings.push(
          warningAt(placeOfSegment(segment, 2), {
            message: `HL02 is empty. Such levels are read as parts of the nearest level before them that can have them, here of HL ${quoted(before.hl.elements[0]?.trim() ?? '')}.`,
            remedy: numberLevels,
            code: '1',
          }),
        )
      const level: Level = { code, hl: segment, parent: above?.level, segments: [] }
      known.set(id, { level, depth })
      levels.push(level)
      current = level.segments
    } else if (!summary.has(segment.id)) {
      if (current.length === levelSegmentsMax) {
        const finding = errorAt(placeOfSegment(segment), {
          message: `A level has more than ${levelSegmentsMax.toLocaleString('en')} segments.`,
          remedy: 'Put each item into a level of its own.',
          code: '5',
        })
        return { heading, levels, findings: [...findings, finding] }
      }
      current.push(segment)
    }
  }
  return { heading, levels, findings }
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
