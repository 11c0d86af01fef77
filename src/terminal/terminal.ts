// Output of a command: results on stdout, everything else on stderr. On a terminal with colours,
// and lines of its width.
import { once } from 'node:events'
import { styleText } from 'node:util'
import { cutTo, widthOf } from './text-width.ts'

type Style = Parameters<typeof styleText>[0]

export interface Terminal {
  /** Characters in a line; undefined without a limit, in a file or a pipe. */
  readonly width: number | undefined
  /** Resolves when the reader can take more, so that a long list waits for a slow one. */
  write(text: string | Uint8Array): Promise<void>
  /** One line, wrapped at blanks to the width of the terminal. */
  say(line: string): Promise<void>
  /** The text in a style, where colours are on. */
  styled(style: Style, text: string): string
  /** A line that the next one overwrites; nothing without a terminal. */
  passing(line: string): void
}

function terminalOf(stream: NodeJS.WriteStream): Terminal {
  // False when NO_COLOR is set, and for a terminal without colours.
  const coloured = stream.isTTY === true && stream.hasColors()
  const width = stream.isTTY ? stream.columns : undefined
  const write = async (text: string | Uint8Array) => {
    if (!stream.write(text)) await once(stream, 'drain')
  }
  return {
    width,
    write,
    say: (line) => write(wrapText(line, '', width)),
    styled: (style, text) => (coloured ? styleText(style, text, { validateStream: false }) : text),
    passing(line) {
      if (stream.isTTY) stream.write(`\r\u001b[K${cutTo(line, stream.columns - 1)}`)
    },
  }
}

export const results = terminalOf(process.stdout)
export const remarks = terminalOf(process.stderr)

/** The reader of the results may stop early, as `head` does: that is no failure. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
}

/**
 * Stored text without control characters and changes of direction, so that it steers neither the
 * terminal nor the text beside it.
 */
export const plain = (text: string): string => text.replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '�')

/**
 * Wraps a text at blanks, each line after an indent, the first one after its own where given.
 * Without a width it is one line.
 */
export function wrapText(text: string, indent: string, width: number | undefined, first = indent): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' '))
    if (line !== '' && width !== undefined && indent.length + widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  return [...lines, line].map((one, i) => `${i === 0 ? first : indent}${one}\n`).join('')
}
