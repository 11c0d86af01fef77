// The functional acknowledgment (X12 997) and implementation acknowledgment (999) of a file: per
// transaction set whether it was accepted, and each finding at its segment and element. Source: X12
// 997 004010, 999 005010X231A1; elements 715 to 723.
import type { X12Finding } from './finding.ts'
import type { TransactionSet } from './interchange.ts'
import { type Envelope, type WrittenSegment, writeInterchange } from './write-segments.ts'

export type AcknowledgmentKind = '997' | '999'

/** A transaction set, whether it was accepted, and its findings. */
export interface AcknowledgedSet {
  readonly set: Pick<TransactionSet, 'id' | 'controlNumber' | 'interchange' | 'group'>
  /** Number of the ST segment in the file. */
  readonly firstSegment: number
  readonly isTaken: boolean
  readonly findings: readonly X12Finding[]
}

/** Most findings that an acknowledgment lists for each transaction set. */
const listedMax = 100

/** The acknowledgments of these sets: an interchange for each that they came in. */
export function writeAcknowledgments(
  kind: AcknowledgmentKind,
  sets: readonly AcknowledgedSet[],
  writtenAt: string,
): string {
  const interchanges = new Map<number, AcknowledgedSet[]>()
  for (const one of sets) {
    const { number } = one.set.interchange.header
    interchanges.set(number, [...(interchanges.get(number) ?? []), one])
  }
  return [...interchanges.values()].map((ofInterchange) => writeOne(kind, ofInterchange, writtenAt)).join('')
}

function writeOne(kind: AcknowledgmentKind, sets: readonly AcknowledgedSet[], writtenAt: string): string {
  const [first] = sets
  if (first === undefined) return ''
  const { interchange } = first.set
  const envelope: Envelope = {
    // The answer goes the other way.
    senderQualifier: interchange.receiverQualifier,
    senderId: interchange.receiverId,
    receiverQualifier: interchange.senderQualifier,
    receiverId: interchange.senderId,
    group: 'FA',
    version: kind === '999' ? '005010X231A1' : interchange.version >= '00501' ? '005010' : '004010',
    usage: interchange.usage,
    controlNumber: controlNumberOf(interchange.controlNumber),
    writtenAt,
  }
  const groups = new Map<string, AcknowledgedSet[]>()
  for (const one of sets) {
    const { controlNumber } = one.set.group
    groups.set(controlNumber, [...(groups.get(controlNumber) ?? []), one])
  }
  return writeInterchange(
    envelope,
    [...groups.values()].map((ofGroup) => ({ id: kind, segments: segmentsOf(kind, ofGroup) })),
  )
}

/** Derived from the acknowledged file, so that an answer sent again has the same number. */
const controlNumberOf = (written: string): number => (/^\d{1,9}$/.test(written) ? Number(written) : 1)

function segmentsOf(kind: AcknowledgmentKind, sets: readonly AcknowledgedSet[]): WrittenSegment[] {
  const names = kind === '999' ? (['IK3', 'IK4', 'IK5'] as const) : (['AK3', 'AK4', 'AK5'] as const)
  const group = sets[0]?.set.group
  const segments: WrittenSegment[] = [['AK1', group?.code, group?.controlNumber]]
  for (const one of sets) {
    segments.push(['AK2', one.set.id, one.set.controlNumber])
    for (const finding of one.findings.slice(0, listedMax)) segments.push(...faultSegments(names, one, finding))
    segments.push([names[2], verdictOf(one), one.isTaken ? undefined : '5'])
  }
  const taken = sets.filter(({ isTaken }) => isTaken).length
  const whole = taken === sets.length ? 'A' : taken === 0 ? 'R' : 'P'
  return [...segments, ['AK9', whole, sets.length, sets.length, taken]]
}

/** Accepted, accepted with errors, rejected. */
const verdictOf = ({ isTaken, findings }: AcknowledgedSet): string =>
  isTaken ? (findings.length > 0 ? 'E' : 'A') : 'R'

function faultSegments(
  [segmentName, elementName]: readonly [string, string, string],
  { firstSegment }: AcknowledgedSet,
  { segment, segmentId, element, code }: X12Finding,
): WrittenSegment[] {
  const position = Math.max(1, segment - firstSegment + 1)
  if (element === undefined) return [[segmentName, segmentId, position, undefined, code ?? '2']]
  return [
    [segmentName, segmentId, position, undefined, '8'],
    [elementName, element, undefined, code ?? '7'],
  ]
}
