// A mistake at a place of an X12 file: a segment and an element.

/** Codes of X12 elements 720 and 723, which an acknowledgment repeats. */
type SyntaxCode = '1' | '2' | '3' | '4' | '5' | '7' | '8' | '9'

export interface X12Finding {
  /** Number of the segment in the file, from 1. */
  readonly segment: number
  readonly segmentId: string
  /** Number of the element in the segment, from 1; absent for the segment as a whole. */
  readonly element?: number
  /** `error`: the transaction set is refused. `warning`: it is read, and this is reported. */
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly remedy: string
  /** Of the element when there is one, else of the segment. */
  readonly code?: SyntaxCode
}

/** Something that stands in a segment. */
export interface Place {
  readonly segment: number
  readonly segmentId: string
  readonly element?: number
}

type Words = Pick<X12Finding, 'message' | 'remedy' | 'code'>

export const errorAt = (place: Place, words: Words): X12Finding => ({ ...placeOf(place), severity: 'error', ...words })

export const warningAt = (place: Place, words: Words): X12Finding => ({
  ...placeOf(place),
  severity: 'warning',
  ...words,
})

/** Ids have two or three characters; where separators are lost, a segment has no other text. */
const shownIdLength = 10

const placeOf = ({ segment, segmentId, element }: Place): Place => ({
  segment,
  segmentId: segmentId.slice(0, shownIdLength),
  ...(element !== undefined && { element }),
})

/** A text as it is quoted in a message: files may hold anything. */
export const quoted = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)

/** `SN102`: an element as people write it. */
export const nameOf = ({ segmentId, element = 0 }: Omit<Place, 'segment'>): string =>
  `${segmentId}${String(element).padStart(2, '0')}`
