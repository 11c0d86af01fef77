// Interchanges, functional groups and transaction sets of segments, and the control numbers and
// counts of their envelopes. Each transaction set is handed on when it ends. Source: ASC X12.5,
// X12.6.
import { errorAt, quoted, warningAt, type X12Finding } from './finding.ts'
import { placeOfSegment, type Segment, type Separators } from './segments.ts'

/** Most segments of one transaction set: 5,000 lines of twelve segments, and room. */
const setSegmentsMax = 100_000

/** Most characters of one transaction set. */
const setLengthMax = 10_000_000

export interface Interchange {
  readonly senderQualifier: string
  readonly senderId: string
  readonly receiverQualifier: string
  readonly receiverId: string
  readonly version: string
  readonly controlNumber: string
  /** `T` is a test, `P` production. */
  readonly usage: string
  readonly separators: Separators
  /** The ISA segment. */
  readonly header: Segment
}

export interface FunctionalGroup {
  /** `SH` for ship notices. */
  readonly code: string
  readonly senderCode: string
  readonly receiverCode: string
  readonly controlNumber: string
  readonly version: string
  /** The GS segment. */
  readonly header: Segment
}

export interface TransactionSet {
  readonly interchange: Interchange
  readonly group: FunctionalGroup
  /** `856` for a ship notice. */
  readonly id: string
  readonly controlNumber: string
  /** From ST to SE, both included. */
  readonly segments: readonly Segment[]
  readonly findings: readonly X12Finding[]
}

interface Read {
  readonly set?: TransactionSet
  readonly findings: readonly X12Finding[]
}

interface OpenSet {
  readonly segments: Segment[]
  length: number
}

/** Puts segments together to transaction sets, in the order of the file. */
export class InterchangeReader {
  #interchange: Interchange | undefined
  #group: FunctionalGroup | undefined
  #set: OpenSet | undefined
  #setsOfGroup = 0
  #groupsOfInterchange = 0
  /** Segments outside of an envelope, until the next one, were reported. */
  #isSkipping = false

  /** The transaction set that the segment ends, and mistakes of an envelope there. */
  read(segment: Segment, separators: Separators): Read {
    switch (segment.id) {
      case 'ISA':
        return { findings: [...this.#endEarly(segment, 'ISA'), ...this.#beginInterchange(segment, separators)] }
      case 'IEA':
        return { findings: [...this.#endEarly(segment, 'IEA'), ...this.#endInterchange(segment)] }
      case 'GS':
        return { findings: [...this.#endEarly(segment, 'GS'), ...this.#beginGroup(segment)] }
      case 'GE':
        return { findings: [...this.#endEarly(segment, 'GE'), ...this.#endGroup(segment)] }
      case 'ST':
        return { findings: [...this.#endEarly(segment, 'ST'), ...this.#beginSet(segment)] }
      case 'SE':
        return this.#endSet(segment)
      default:
        return { findings: this.#addToSet(segment) }
    }
  }

  /** The missing parts at the end of the file; `last` is its last segment. */
  end(last: Segment | undefined): readonly X12Finding[] {
    if (last === undefined || this.#interchange === undefined) return []
    const missing = this.#set !== undefined ? 'SE' : this.#group !== undefined ? 'GE' : 'IEA'
    return [missingBefore(last, missing, 'The file ends')]
  }

  #beginInterchange(segment: Segment, separators: Separators): X12Finding[] {
    const elements = segment.elements.map((text) => text.trim())
    const [, , , , senderQualifier = '', senderId = '', receiverQualifier = '', receiverId = ''] = elements
    const [version = '', controlNumber = '', , usage = ''] = elements.slice(11)
    const envelope = { senderQualifier, senderId, receiverQualifier, receiverId, version, controlNumber, usage }
    this.#interchange = { ...envelope, separators, header: segment }
    this.#groupsOfInterchange = 0
    return []
  }

  #endInterchange(segment: Segment): X12Finding[] {
    const interchange = this.#interchange
    this.#interchange = undefined
    if (interchange === undefined) return this.#outOfPlace(segment, 'ISA')
    return [
      ...checkCount(segment, this.#groupsOfInterchange, 'functional groups'),
      ...checkControlNumber(segment, interchange.controlNumber, 'ISA13'),
    ]
  }

  #beginGroup(segment: Segment): X12Finding[] {
    if (this.#interchange === undefined) return this.#outOfPlace(segment, 'ISA')
    const [code = '', senderCode = '', receiverCode = '', , , controlNumber = '', , version = ''] =
      segment.elements.map((text) => text.trim())
    this.#group = { code, senderCode, receiverCode, controlNumber, version, header: segment }
    this.#setsOfGroup = 0
    this.#groupsOfInterchange++
    return []
  }

  #endGroup(segment: Segment): X12Finding[] {
    const group = this.#group
    this.#group = undefined
    if (group === undefined) return this.#outOfPlace(segment, 'GS')
    return [
      ...checkCount(segment, this.#setsOfGroup, 'transaction sets'),
      ...checkControlNumber(segment, group.controlNumber, 'GS06'),
    ]
  }

  #beginSet(segment: Segment): X12Finding[] {
    this.#isSkipping = false
    if (this.#group === undefined) return this.#outOfPlace(segment, 'GS')
    this.#set = { segments: [segment], length: 0 }
    this.#setsOfGroup++
    return []
  }

  #addToSet(segment: Segment): X12Finding[] {
    if (this.#isSkipping || (this.#set === undefined && segment.id === 'TA1')) return []
    const open = this.#set
    if (open === undefined) return this.#outOfPlace(segment, 'ST')
    open.segments.push(segment)
    for (const { length } of segment.elements) open.length += length + 1
    if (open.segments.length < setSegmentsMax && open.length <= setLengthMax) return []
    this.#isSkipping = true
    this.#set = undefined
    return [
      errorAt(placeOfSegment(segment), {
        message: `The transaction set has more than ${setSegmentsMax.toLocaleString('en')} segments or ${setLengthMax.toLocaleString('en')} characters.`,
        remedy: 'Send it as several transaction sets.',
        code: '4',
      }),
    ]
  }

  #endSet(segment: Segment): Read {
    const { interchange, group } = { interchange: this.#interchange, group: this.#group }
    const open = this.#set
    this.#set = undefined
    if (open === undefined || interchange === undefined || group === undefined)
      return { findings: this.#outOfPlace(segment, 'ST') }
    const segments = [...open.segments, segment]
    const [id = '', controlNumber = ''] = segments[0]?.elements ?? []
    const findings = [
      ...checkCount(segment, segments.length, 'segments from ST to SE'),
      ...checkControlNumber(segment, controlNumber, 'ST02'),
    ]
    const set = { interchange, group, id: id.trim(), controlNumber: controlNumber.trim(), segments, findings }
    return { set, findings: [] }
  }

  /** Gives up the open parts where the segment begins or ends an envelope around them. */
  #endEarly(segment: Segment, place: 'ISA' | 'IEA' | 'GS' | 'GE' | 'ST'): X12Finding[] {
    const findings: X12Finding[] = []
    const happening = `${segment.id} comes`
    if (this.#set !== undefined) findings.push(missingBefore(segment, 'SE', happening))
    this.#set = undefined
    this.#isSkipping = false
    if (place === 'ST' || place === 'GE') return findings
    if (this.#group !== undefined) findings.push(missingBefore(segment, 'GE', happening))
    this.#group = undefined
    if (place === 'GS' || place === 'IEA') return findings
    if (this.#interchange !== undefined) findings.push(missingBefore(segment, 'IEA', happening))
    this.#interchange = undefined
    return findings
  }

  #outOfPlace(segment: Segment, before: string): X12Finding[] {
    if (this.#isSkipping) return []
    this.#isSkipping = true
    return [
      errorAt(placeOfSegment(segment), {
        message: `${quoted(segment.id)} is outside its envelope: no ${before} comes before it.`,
        remedy: 'Send a whole interchange: ISA, GS, ST, its segments, SE, GE, IEA.',
        code: '2',
      }),
    ]
  }
}

const missingBefore = (segment: Segment, missing: string, happening: string): X12Finding =>
  errorAt(placeOfSegment(segment), {
    message: `${happening} before ${missing}.`,
    remedy: 'Send the whole interchange again: a part of it is missing.',
    code: '3',
  })

/** A wrong count means a missing part, or a program that counts wrongly: the set is read. */
function checkCount(segment: Segment, count: number, what: string): X12Finding[] {
  const written = segment.elements[0]?.trim() ?? ''
  if (/^\d+$/.test(written) && Number(written) === count) return []
  return [
    warningAt(placeOfSegment(segment, 1), {
      message: `${segment.id}01 is ${quoted(written)}, but there are ${count} ${what}.`,
      remedy: 'Check that nothing is missing, and that the sender counts all of them.',
      code: '4',
    }),
  ]
}

function checkControlNumber(segment: Segment, begun: string, where: string): X12Finding[] {
  const written = segment.elements[1]?.trim() ?? ''
  // 0029 and 29 are one number to most programs.
  if (written === begun.trim() || (/^\d+$/.test(written) && Number(written) === Number(begun))) return []
  return [
    warningAt(placeOfSegment(segment, 2), {
      message: `${segment.id}02 is ${quoted(written)}, but ${where} is ${quoted(begun.trim())}.`,
      remedy: 'Check that the interchange was not put together from parts of two.',
      code: '3',
    }),
  ]
}
