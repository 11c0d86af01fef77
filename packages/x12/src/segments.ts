// X12 text as segments: separators from the ISA segment, each segment with its number in the file.
// In bounded memory, since input may be hostile. Source: ASC X12.5, X12.6.
import { errorAt, nameOf, type Place, quoted, warningAt, type X12Finding } from './finding.ts'

/** Most characters of one segment; the longest of a usual 856 has about 300. */
const segmentLengthMax = 10_000

/** Most elements of one segment; LIN, the longest, has 31. */
const segmentElementsMax = 100

/** The characters that separate, as the ISA segment declares them by using them. */
export interface Separators {
  readonly element: string
  readonly component: string | undefined
  /** From version 00402 on; before it ISA11 names a standards body, and nothing repeats. */
  readonly repetition: string | undefined
  readonly segment: string
}

export interface Segment {
  /** Counted from 1 through the file. */
  readonly number: number
  readonly id: string
  /** As sent, without its terminator. */
  readonly text: string
  /** Texts of the elements; the element that X12 calls 01 is at 0. */
  readonly elements: readonly string[]
}

export const placeOfSegment = ({ number, id }: Segment, element?: number): Place => ({
  segment: number,
  segmentId: id,
  ...(element !== undefined && { element }),
})

/** The segments of a piece, and its errors. After an error nothing is read. */
export interface Reading {
  readonly segments: readonly Segment[]
  readonly findings: readonly X12Finding[]
}

/** ISA05 and ISA06. */
export interface InterchangeSender {
  readonly senderQualifier: string
  readonly senderId: string
}

/**
 * Which character of a sender means that the next one does not separate. X12 has none, but some
 * senders use one.
 */
export type ReleaseCharacterOf = (sender: InterchangeSender) => string | undefined

/**
 * Reads segments from pieces of text, as they come. Each interchange of a file brings its own
 * separators.
 */
export class SegmentReader {
  readonly #releaseOf: ReleaseCharacterOf
  #text = ''
  #number = 0
  #separators: Separators | undefined
  #release: string | undefined
  #ended = false

  constructor(releaseOf: ReleaseCharacterOf = () => undefined) {
    this.#releaseOf = releaseOf
  }

  /** Separators of the interchange that is being read. */
  get separators(): Separators | undefined {
    return this.#separators
  }

  /**
   * The segments that end within the text so far. Stops before a second interchange, so that
   * `separators` are those of all segments it returns.
   */
  read(piece: string, { isLast = false }: PieceOptions = {}): Reading {
    if (this.#ended) return { segments: [], findings: [] }
    this.#text += piece
    const segments: Segment[] = []
    const findings: X12Finding[] = []
    let at = 0
    while (!this.#ended) {
      at = skipBlanks(this.#text, at)
      if (at === this.#text.length) break
      if (this.#text.startsWith('ISA', at)) {
        if (segments.length > 0) break
        const declared = readSeparators(this.#text, at, { isLast })
        if (declared === 'more') break
        if ('separators' in declared) {
          this.#separators = declared.separators
          this.#release = this.#releaseOf(declared.sender)
          if (declared.separators.component === undefined) findings.push(this.#missingComponent())
        } else {
          findings.push(this.#refuse('ISA', declared))
          break
        }
      }
      const separators = this.#separators
      if (separators === undefined) {
        if (!isLast && this.#text.length - at < 3) break
        findings.push(
          this.#refuse(this.#text.slice(at, at + 3), {
            message: `The file begins with ${quoted(this.#text.slice(at, at + 20))}, not with an ISA segment.`,
            remedy: 'Send a whole X12 interchange, from ISA to IEA.',
          }),
        )
        break
      }
      const end = this.#endOfSegment(at, separators.segment)
      if (end === undefined && !isLast && this.#text.length - at <= segmentLengthMax) break
      const text = this.#text.slice(at, end ?? this.#text.length)
      const [id = '', ...elements] =
        text.length > segmentLengthMax ? [text.slice(0, 3)] : this.#elementsOf(text, separators.element)
      if (text.length > segmentLengthMax || elements.length > segmentElementsMax) {
        findings.push(
          this.#refuse(id, {
            message: `A segment has more than ${segmentLengthMax.toLocaleString('en')} characters or ${segmentElementsMax} elements.`,
            remedy: 'End each segment with the terminator that ends the ISA segment.',
            code: '5',
          }),
        )
        break
      }
      if (id !== '' || elements.length > 0) segments.push({ number: ++this.#number, id: id.trim(), text, elements })
      at = Math.min((end ?? this.#text.length) + 1, this.#text.length)
    }
    this.#text = this.#ended ? '' : this.#text.slice(at)
    return { segments, findings }
  }

  /** True when text is left that `read('', { isLast })` may turn into segments. */
  get hasMore(): boolean {
    return !this.#ended && this.#text.startsWith('ISA')
  }

  #endOfSegment(at: number, terminator: string): number | undefined {
    for (let end = this.#text.indexOf(terminator, at); end >= 0; end = this.#text.indexOf(terminator, end + 1))
      if (!this.#isReleased(this.#text, at, end)) return end
    return undefined
  }

  /** True when an odd number of release characters stands before the position. */
  #isReleased(text: string, from: number, at: number): boolean {
    if (this.#release === undefined) return false
    let before = at
    while (before > from && text[before - 1] === this.#release) before--
    return (at - before) % 2 === 1
  }

  #elementsOf(text: string, separator: string): string[] {
    // Some programs break lines every 80 characters, wherever that is.
    const joined = text.replaceAll(lineBreaks, '')
    const release = this.#release
    if (release === undefined || !joined.includes(release)) return joined.split(separator)
    const elements: string[] = []
    let element = ''
    for (let i = 0; i < joined.length; i++) {
      const character = joined[i] ?? ''
      if (character === release && i + 1 < joined.length) element += joined[++i]
      else if (character === separator) {
        elements.push(element)
        element = ''
      } else element += character
    }
    return [...elements, element]
  }

  #missingComponent(): X12Finding {
    return warningAt(
      { segment: this.#number + 1, segmentId: 'ISA', element: 16 },
      {
        message: 'ISA16, the component separator, is missing.',
        remedy: 'Have the sender end ISA with a component separator and the segment terminator, e.g. >~.',
        code: '1',
      },
    )
  }

  #refuse(segmentId: string, { element, ...words }: Refusal): X12Finding {
    this.#ended = true
    const place = { segment: this.#number + 1, segmentId: segmentId.trim() }
    return errorAt(element === undefined ? place : { ...place, element }, words)
  }
}

interface Refusal extends Pick<X12Finding, 'message' | 'remedy' | 'code'> {
  readonly element?: number
}

interface Declared {
  readonly separators: Separators
  readonly sender: InterchangeSender
}

const lineBreaks = /[\r\n]+/g

/** Where a piece of a text is in it. */
export interface PieceOptions {
  /** True of the last piece, with which the text ends. */
  readonly isLast?: boolean
}

/** Most characters of each element of ISA. Source: X12.5. */
const isaLengths = [2, 10, 2, 10, 2, 15, 2, 15, 6, 4, 1, 5, 9, 1, 1] as const

const keepIsa = 'Send the interchange as the translator wrote it: ISA has 16 elements, then the segment terminator.'

/**
 * The separators of the ISA segment at `at`, or its mistake; `more` when the text ends before they
 * are known. Elements are counted, not characters: many programs do not pad them.
 */
function readSeparators(text: string, at: number, { isLast }: Required<PieceOptions>): Declared | Refusal | 'more' {
  const element = text[at + 3]
  if (element === undefined)
    return isLast ? { message: 'The file ends within ISA.', remedy: keepIsa, element: 1, code: '1' } : 'more'
  if (/[A-Za-z0-9\s]/.test(element))
    return { message: `ISA is followed by ${quoted(element)}, not by an element separator.`, remedy: keepIsa }
  const elements: string[] = []
  let from = at + 4
  for (const [i, length] of isaLengths.entries()) {
    const to = text.indexOf(element, from)
    // Line breaks within ISA come from programs that break all lines at one length.
    const found = text.slice(from, to < 0 ? from + 40 : to).replaceAll(lineBreaks, '')
    if (to < 0 && !isLast && found.length <= length) return 'more'
    if (to < 0 || found.length > length)
      return {
        message: `${nameOf({ segmentId: 'ISA', element: i + 1 })} is ${quoted(found)}. It has at most ${length} characters, and an element separator follows.`,
        remedy: keepIsa,
        element: i + 1,
        code: '5',
      }
    elements.push(found)
    from = to + 1
  }
  const controls = readControls(text, from, { isLast })
  if (controls === 'more') return 'more'
  if (controls === undefined || controls.segment === element || /[A-Za-z0-9]/.test(controls.segment))
    return {
      message: 'ISA16 is not one component separator with a segment terminator behind it.',
      remedy: keepIsa,
      element: 16,
      code: '7',
    }
  const [, , , , senderQualifier = '', senderId = '', , , , , repetition = '', version = ''] = elements
  return {
    sender: { senderQualifier: senderQualifier.trim(), senderId: senderId.trim() },
    separators: {
      element,
      ...controls,
      repetition: version >= '00402' && /^[^A-Za-z0-9\s]$/.test(repetition) ? repetition : undefined,
    },
  }
}

/** The component separator and the segment terminator behind the last element separator of ISA. */
function readControls(
  text: string,
  from: number,
  { isLast }: { readonly isLast: boolean },
): Pick<Separators, 'component' | 'segment'> | 'more' | undefined {
  let at = from + 1
  // A blank before the terminator is padding.
  while (text[at] === ' ') at++
  const [component, first, second] = [text[from], text[at], text[at + 1]]
  if (component === undefined || first === undefined || (second === undefined && !isLast))
    return isLast ? undefined : 'more'
  // Without ISA16 the usual terminator stands in its place, and a line break or the next segment
  // follows.
  if (component === '~' && /[\sG]/.test(first)) return { component: undefined, segment: '~' }
  // Of CR LF the terminator is LF, and CR is a blank at the end of a segment.
  return { component, segment: first === '\r' && second === '\n' ? '\n' : first }
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && isBlank(text.charCodeAt(at))) at++
  return at
}

const isBlank = (code: number): boolean => code <= 0x20 || code === 0xa0 || code === 0xfeff
