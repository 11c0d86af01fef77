// Writes X12: segments with the usual separators, inside their envelopes.

/** The separators that are written. None of them may stand in a text. */
const separators = { element: '*', component: '>', repetition: '^', segment: '~' } as const

export interface Envelope {
  readonly senderQualifier: string
  readonly senderId: string
  readonly receiverQualifier: string
  readonly receiverId: string
  /** GS01: `SH` for ship notices, `FA` for acknowledgments. */
  readonly group: string
  /** GS08, e.g. `004010`. */
  readonly version: string
  /** `T` is a test, `P` production. */
  readonly usage: string
  readonly controlNumber: number
  /** `yyyy-MM-ddTHH:mm:ssZ`. */
  readonly writtenAt: string
}

/** A segment by its id and texts; trailing ones that are empty are left out. */
export type WrittenSegment = readonly [id: string, ...elements: (string | number | undefined)[]]

/** One interchange with one group. Each set has its segments between ST and SE. */
export function writeInterchange(
  envelope: Envelope,
  sets: readonly { readonly id: string; readonly segments: readonly WrittenSegment[] }[],
): string {
  const { controlNumber, version, usage, group } = envelope
  const date = envelope.writtenAt.slice(0, 10).replaceAll('-', '')
  const time = envelope.writtenAt.slice(11, 16).replace(':', '')
  const number = String(controlNumber).padStart(9, '0')
  const repetition = version >= '004020' ? separators.repetition : 'U'
  const lines: string[] = [
    [
      'ISA',
      '00',
      ' '.repeat(10),
      '00',
      ' '.repeat(10),
      plain(envelope.senderQualifier).padEnd(2).slice(0, 2),
      plain(envelope.senderId).padEnd(15).slice(0, 15),
      plain(envelope.receiverQualifier).padEnd(2).slice(0, 2),
      plain(envelope.receiverId).padEnd(15).slice(0, 15),
      date.slice(2),
      time,
      repetition,
      version.slice(0, 5),
      number,
      '0',
      usage === 'T' ? 'T' : 'P',
      separators.component,
    ].join(separators.element),
    lineOf(['GS', group, envelope.senderId, envelope.receiverId, date, time, controlNumber, 'X', version]),
  ]
  for (const [i, { id, segments }] of sets.entries()) {
    const setNumber = String(i + 1).padStart(4, '0')
    lines.push(lineOf(['ST', id, setNumber]))
    for (const segment of segments) lines.push(lineOf(segment))
    lines.push(lineOf(['SE', segments.length + 2, setNumber]))
  }
  lines.push(lineOf(['GE', sets.length, controlNumber]), lineOf(['IEA', 1, number]))
  return lines.map((line) => `${line}${separators.segment}\n`).join('')
}

function lineOf([id, ...elements]: WrittenSegment): string {
  const texts = elements.map((element) => (element === undefined ? '' : plain(String(element))))
  while (texts.at(-1) === '') texts.pop()
  return [id, ...texts].join(separators.element)
}

const separating = /[*>^~\p{Cc}]/gu

/** X12 has no way to write its separators: a blank takes their place. */
const plain = (text: string): string => text.replaceAll(separating, ' ').trim()
