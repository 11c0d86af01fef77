// Transaction sets out of pieces of an X12 file, one at a time.
import { errorAt, type X12Finding } from './finding.ts'
import { InterchangeReader, type TransactionSet } from './interchange.ts'
import { type PieceOptions, placeOfSegment, type ReleaseCharacterOf, type Segment, SegmentReader } from './segments.ts'

/** A transaction set as it was sent, or findings about the file around the sets. */
export type SetRead =
  | { readonly set: TransactionSet; readonly findings?: never }
  | { readonly set?: never; readonly findings: readonly X12Finding[] }

/** Reads pieces of text as they arrive. It holds one transaction set at a time. */
export class TransactionSetReader {
  readonly #segments: SegmentReader
  readonly #interchanges = new InterchangeReader()
  #last: Segment | undefined
  #hasSet = false
  #hasError = false

  constructor(releaseOf?: ReleaseCharacterOf) {
    this.#segments = new SegmentReader(releaseOf)
  }

  *read(piece: string, { isLast = false }: PieceOptions = {}): Generator<SetRead> {
    let rest = piece
    let isMore = true
    while (isMore) {
      const { segments, findings } = this.#segments.read(rest, { isLast })
      rest = ''
      // Findings of the reader are about text after its segments, but for ISA16, which is before.
      if (findings.length > 0 && findings.every(({ severity }) => severity === 'warning')) yield { findings }
      for (const segment of segments) yield* this.#take(segment)
      if (findings.some(({ severity }) => severity === 'error')) yield this.#report(findings)
      isMore = segments.length > 0 && this.#segments.hasMore
    }
    if (isLast) yield* this.#end()
  }

  *#take(segment: Segment): Generator<SetRead> {
    this.#last = segment
    const { separators } = this.#segments
    if (separators === undefined) return
    const { set, findings } = this.#interchanges.read(segment, separators)
    if (findings.length > 0) yield this.#report(findings)
    if (set === undefined) return
    this.#hasSet = true
    yield { set }
  }

  *#end(): Generator<SetRead> {
    const findings = this.#hasError ? [] : this.#interchanges.end(this.#last)
    if (findings.length > 0) yield this.#report(findings)
    if (this.#hasSet || this.#hasError) return
    const place = this.#last === undefined ? { segment: 1, segmentId: 'ISA' } : placeOfSegment(this.#last)
    yield this.#report([
      errorAt(place, {
        message: 'The file has no transaction set.',
        remedy: 'Send an X12 interchange with at least one transaction set in it.',
        code: '3',
      }),
    ])
  }

  #report(findings: readonly X12Finding[]): SetRead {
    this.#hasError ||= findings.some(({ severity }) => severity === 'error')
    return { findings }
  }
}
