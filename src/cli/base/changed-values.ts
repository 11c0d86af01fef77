// Differences between two states of a record, with old and new values. Removed fields come first:
// rule 3 of §1 removes without asking.
import { type Differences, valueAt } from '../../contract/differences.ts'
import { plain, type Terminal } from '../../terminal/terminal.ts'

export const isChange = ({ added, removed, replaced }: Differences): boolean =>
  added.length + removed.length + replaced.length > 0

/** Longest line in a file or a pipe, so that one value cannot fill a screen. */
const lineLengthMax = 400

/** One line for each change if it fits, else one for the place and one for each value. */
export function changesText(
  { removed, replaced, added }: Differences,
  before: unknown,
  after: unknown,
  { styled, width = lineLengthMax }: Terminal,
): string {
  const value = (document: unknown, pointer: string) => plain(JSON.stringify(valueAt(document, pointer)) ?? '')
  const group = (word: string, style: 'red' | 'yellow' | 'green', lines: readonly string[]) =>
    lines.length === 0
      ? ''
      : `${styled('bold', `${word} (${lines.length})`)}\n${lines.map((line) => `${styled(style, line)}\n`).join('')}`
  const line = (sign: string, pointer: string, ...values: readonly string[]): string => {
    const place = `  ${sign} ${plain(pointer)}`
    const whole = `${place}  ${values.join(' → ')}`
    if (whole.length <= width) return whole
    const cut = (text: string) => (text.length > width - 8 ? `${text.slice(0, width - 9)}…` : text)
    return [place, ...values.map((text, i) => `      ${i === 0 ? '' : '→ '}${cut(text)}`)].join('\n')
  }
  return [
    group(
      'Removed',
      'red',
      removed.map((at) => line('-', at, value(before, at))),
    ),
    group(
      'Replaced',
      'yellow',
      replaced.map((at) => line('~', at, value(before, at), value(after, at))),
    ),
    group(
      'Added',
      'green',
      added.map((at) => line('+', at, value(after, at))),
    ),
  ].join('')
}

/** The same for programs: each pointer with its values. */
export const changesValue = ({ removed, replaced, added }: Differences, before: unknown, after: unknown) => ({
  removed: removed.map((pointer) => ({ pointer, before: valueAt(before, pointer) })),
  replaced: replaced.map((pointer) => ({ pointer, before: valueAt(before, pointer), after: valueAt(after, pointer) })),
  added: added.map((pointer) => ({ pointer, after: valueAt(after, pointer) })),
})
