// Lines of a text that arrives in pieces, each of bounded length.
import { UnreadableFile } from 'lotkeeper-sheets/unreadable-file'

/** The default limit of the service for one body, in characters. */
const lineLengthMax = 10 * 1024 * 1024

export interface Line {
  readonly number: number
  readonly text: string
}

/** Longest length of a line, and the remedy for a longer one. */
interface LongestLine {
  readonly characters: number
  readonly remedy: string
}

const longestPayload: LongestLine = {
  characters: lineLengthMax,
  remedy: 'the service does not accept a body of this length. Write one payload per line.',
}

/** Lines that are not blank, in batches. */
export async function* linesOf(
  pieces: AsyncIterable<string>,
  { characters, remedy }: LongestLine = longestPayload,
): AsyncGenerator<readonly Line[]> {
  let rest: string[] = []
  let restLength = 0
  let number = 0
  for await (const piece of pieces) {
    const parts = piece.split('\n')
    const batch: Line[] = []
    for (const [i, part] of parts.entries()) {
      rest.push(part)
      restLength += part.length
      if (restLength > characters)
        throw new UnreadableFile(`Line ${number + 1} has more than ${characters} characters; ${remedy}`)
      if (i === parts.length - 1) break
      number++
      const text = rest.join('')
      if (text.trim() !== '') batch.push({ number, text })
      rest = []
      restLength = 0
    }
    if (batch.length > 0) yield batch
  }
  const text = rest.join('')
  if (text.trim() !== '') yield [{ number: number + 1, text }]
}
