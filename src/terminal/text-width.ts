// Text in columns of a terminal, where Chinese characters and emoji take two.
import stringWidth from 'string-width'

const isNarrow = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

/** Columns a text takes. */
export const widthOf = (text: string): number => (isNarrow(text) ? text.length : stringWidth(text))

const graphemes = new Intl.Segmenter()

/** The text, cut with a mark if it takes more columns than given. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let cut = ''
  let left = width - 1
  for (const { segment } of graphemes.segment(text)) {
    left -= widthOf(segment)
    if (left < 0) break
    cut += segment
  }
  return `${cut}…`
}

/** The text padded with blanks before or after it to a number of columns. */
export const padTo = (text: string, width: number, { right }: { readonly right: boolean }): string => {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)))
  return right ? blanks + text : text + blanks
}
