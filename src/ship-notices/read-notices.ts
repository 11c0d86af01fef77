// Reads ship notices out of pieces of an X12 file, one transaction set at a time.

import { errorAt, quoted, warningAt, type X12Finding } from 'lotkeeper-x12/finding'
import { InterchangeReader, type TransactionSet } from 'lotkeeper-x12/interchange'
import { placeOfSegment, type ReleaseCharacterOf, type Segment, SegmentReader } from 'lotkeeper-x12/segments'

/** A notice as it was sent, or findings about the file around the notices. */
export type NoticeRead =
  | { readonly set: TransactionSet; readonly findings?: never }
  | { readonly set?: never; readonly findings: readonly X12Finding[] }

/** Reads pieces of text as they arrive. Its results hold one notice at a time. */
export class NoticeReader {
  readonly #segments: SegmentReader
  readonly #interchanges = new InterchangeReader()
  #last: Segment | undefined
  #notices = 0
  #hasError = false

  constructor(releaseOf?: ReleaseCharacterOf) {
    this.#segments = new SegmentReader(releaseOf)
  }

  *read(piece: string, isLast = false): Generator<NoticeRead> {
    let rest = piece
    let isMore = true
    while (isMore) {
      const { segments, findings } = this.#segments.read(rest, isLast)
      rest = ''
      // Findings of the reader are about text after its segments, but for ISA16, which is before.
      if (findings.length > 0 && findings.every(({ severity }) => severity === 'warning')) yield { findings }
      for (const segment of segments) yield* this.#take(segment)
      if (findings.some(({ severity }) => severity === 'error')) yield this.#report(findings)
      isMore = segments.length > 0 && this.#segments.hasMore
    }
    if (isLast) yield* this.#end()
  }

  *#take(segment: Segment): Generator<NoticeRead> {
    this.#last = segment
    const { separators } = this.#segments
    if (separators === undefined) return
    const { set, findings } = this.#interchanges.read(segment, separators)
    if (findings.length > 0) yield this.#report(findings)
    if (set === undefined) return
    this.#notices++
    if (set.id === '856') yield { set }
    else yield { findings: [notShipNotice(set)] }
  }

  *#end(): Generator<NoticeRead> {
    const findings = this.#hasError ? [] : this.#interchanges.end(this.#last)
    if (findings.length > 0) yield this.#report(findings)
    if (this.#notices > 0 || this.#hasError) return
    const place = this.#last === undefined ? { segment: 1, segmentId: 'ISA' } : placeOfSegment(this.#last)
    yield this.#report([
      errorAt(place, {
        message: 'The file has no transaction set.',
        remedy: 'Send an X12 interchange with at least one 856 in it.',
        code: '3',
      }),
    ])
  }

  #report(findings: readonly X12Finding[]): NoticeRead {
    this.#hasError ||= findings.some(({ severity }) => severity === 'error')
    return { findings }
  }
}

const notShipNotice = ({ id, segments: [st] }: TransactionSet): X12Finding =>
  warningAt(st === undefined ? { segment: 1, segmentId: 'ST' } : placeOfSegment(st, 1), {
    message: `The transaction set is ${quoted(id)}, not an 856. It was not read.`,
    remedy: 'Send ship notices here, and other documents elsewhere.',
    code: '7',
  })
