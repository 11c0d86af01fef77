// A file of ship notices in parts that are small enough for one request: whole notices, in the
// envelopes in which they were.

import type { Place, X12Finding } from 'lotkeeper-x12/finding'
import type { TransactionSet } from 'lotkeeper-x12/interchange'
import type { PieceOptions, ReleaseCharacterOf, Segment, Separators } from 'lotkeeper-x12/segments'
import { NoticeReader } from './read-notices.ts'

/** Most characters of one part; a larger notice goes alone. */
const partLength = 1024 * 1024

export interface NoticePart {
  readonly text: string
  readonly notices: readonly {
    readonly set: TransactionSet
    /** The number that a segment has in the file, of a place in this part. */
    readonly inFile: (place: Place) => number
  }[]
}

/** Some notices, or findings about the file around the notices. */
export type NoticePartRead =
  | { readonly part: NoticePart; readonly findings?: never }
  | { readonly part?: never; readonly findings: readonly X12Finding[] }

interface WaitingSet {
  readonly set: TransactionSet
  readonly text: string
}

/** Reads pieces of text as they come. */
export class NoticeParts {
  readonly #noticesMax: number
  readonly #reader: NoticeReader
  #waiting: WaitingSet[] = []
  #characters = 0

  constructor(noticesMax: number, releaseOf?: ReleaseCharacterOf) {
    this.#noticesMax = noticesMax
    this.#reader = new NoticeReader(releaseOf)
  }

  *read(piece: string, { isLast = false }: PieceOptions = {}): Generator<NoticePartRead> {
    for (const { set, findings } of this.#reader.read(piece, { isLast })) {
      if (set === undefined) {
        yield { findings }
        continue
      }
      const text = setText(set)
      if (this.#characters + text.length > partLength || this.#waiting.length >= this.#noticesMax) yield* this.#part()
      this.#waiting.push({ set, text })
      this.#characters += text.length
    }
    if (isLast) yield* this.#part()
  }

  *#part(): Generator<NoticePartRead> {
    const sets = this.#waiting
    this.#waiting = []
    this.#characters = 0
    if (sets.length > 0) yield { part: partOf(sets) }
  }
}

/** As it was sent: release characters stay where they are. */
const lineOf = ({ text }: Segment, { segment }: Separators): string => text + segment

const setText = ({ segments, interchange: { separators } }: TransactionSet): string =>
  segments.map((segment) => lineOf(segment, separators)).join('')

function partOf(sets: readonly WaitingSet[]): NoticePart {
  const texts: string[] = []
  const notices: NoticePart['notices'][number][] = []
  let number = 0
  let open: { readonly set: TransactionSet; count: number } | undefined
  const end = () => {
    if (open === undefined) return
    const { interchange, group } = open.set
    const { element, segment } = interchange.separators
    texts.push(`GE${element}${open.count}${element}${group.controlNumber}${segment}`)
    texts.push(`IEA${element}1${element}${interchange.controlNumber}${segment}`)
    number += 2
    open = undefined
  }
  for (const { set, text } of sets) {
    const { interchange, group } = set
    if (open?.set.group !== group) {
      end()
      texts.push(lineOf(interchange.header, interchange.separators), lineOf(group.header, interchange.separators))
      number += 2
      open = { set, count: 0 }
    }
    const moved = (set.segments[0]?.number ?? 1) - (number + 1)
    notices.push({
      set,
      inFile: ({ segment, segmentId }) => (segmentId === 'ISA' ? interchange.header.number : segment + moved),
    })
    texts.push(text)
    number += set.segments.length
    if (open !== undefined) open.count++
  }
  end()
  return { text: texts.join(''), notices }
}
