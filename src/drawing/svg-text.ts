// Text in a drawing: escaped, with an estimate of how wide it is, and cut where it would not fit.

/**
 * Characters that XML cannot contain even escaped, and those that would change the direction of
 * neighbouring text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters XML 1.0 forbids
const unfit = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it stands in an element or an attribute. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(unfit, '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * The characters as a reader sees them. Plain text is split directly: the segmenter takes a hundred
 * times as long.
 */
function* graphemesOf(text: string): Generator<string> {
  if (/^[ -~·–→]*$/.test(text)) yield* text
  else for (const { segment } of segmenter.segment(text)) yield segment
}

/**
 * Widths relative to the font size: slightly wider than common fonts, so that text ends before its
 * limit.
 */
function widthOf(grapheme: string): number {
  const code = grapheme.codePointAt(0) ?? 0
  return asciiWidths[code] ?? measuredWidth(grapheme, code)
}

function measuredWidth(grapheme: string, code: number): number {
  if (code > 0xffff || (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xffe6 && code !== 0xfffd))
    return 1.25
  if (/[iljI.,:;'|!()[\]{} ft]/.test(grapheme)) return 0.36
  if (/[mwMW@%…]/.test(grapheme)) return 0.98
  return /[A-Z]/.test(grapheme) ? 0.72 : 0.62
}

/** A table, since a drawing measures tens of thousands of characters. */
const asciiWidths = Array.from({ length: 0x80 }, (_, code) => measuredWidth(String.fromCharCode(code), code))

/** Width in pixels, about. */
export function textWidth(text: string, size: number): number {
  let width = 0
  for (const grapheme of graphemesOf(text)) width += widthOf(grapheme) * size
  return width
}

/**
 * The text in lines that fit, broken after blanks and dashes, and within words that are too long.
 * Text beyond the last line is cut.
 */
export function wrap(text: string, size: number, widthMax: number, linesMax: number): readonly string[] {
  if (textWidth(text, size) <= widthMax) return [text]
  const lines: string[] = []
  let rest = text.trim()
  while (rest !== '' && lines.length < linesMax - 1) {
    const end = breakIn(rest, size, widthMax)
    lines.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return rest === '' ? lines : [...lines, cut(rest, size, widthMax)]
}

/** Where a line of that width ends: after its last blank or dash, or within a word. */
function breakIn(text: string, size: number, widthMax: number): number {
  let [end, width, blank] = [0, 0, 0]
  for (const grapheme of graphemesOf(text)) {
    width += widthOf(grapheme) * size
    if (width > widthMax) return blank || Math.max(end, grapheme.length)
    end += grapheme.length
    if (/[\s/-]/.test(grapheme)) blank = end
  }
  return end
}

/** The text, or as much of it as fits, and an ellipsis. */
export function cut(text: string, size: number, widthMax: number): string {
  if (textWidth(text, size) <= widthMax) return text
  let kept = ''
  let width = widthOf('…') * size
  for (const grapheme of graphemesOf(text)) {
    width += widthOf(grapheme) * size
    if (width > widthMax) break
    kept += grapheme
  }
  return `${kept.trimEnd()}…`
}
