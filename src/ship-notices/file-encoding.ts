// A file that is not UTF-8: how it was read instead, with a text that shows whether that is right.
import { quoted, warningAt, type X12Finding } from 'lotkeeper-x12/finding'

/** A letter beyond ASCII, and the letters beside it. */
const letterBeyondAscii = /[^*|~\r\n\u0080-\uffff]{0,20}[^\0-\u007f][^*|~\r\n]{0,15}/

/** Undefined for a text that is ASCII. */
export function encodingFinding(text: string, encoding: string): X12Finding | undefined {
  const [sample] = letterBeyondAscii.exec(text) ?? []
  if (sample === undefined) return undefined
  return warningAt(
    { segment: 1, segmentId: 'ISA' },
    {
      message: `The file is not UTF-8. It was read as ${encoding}: ${quoted(sample)}.`,
      remedy: 'If that text is wrong, have the sender send UTF-8 or plain ASCII, and send the file again.',
    },
  )
}
