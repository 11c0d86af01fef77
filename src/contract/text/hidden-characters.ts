// Invisible characters that change a text: they turn its reading direction, or hide between its
// letters, so that two different codes look equal. Source: Bidi_Control and
// Default_Ignorable_Code_Point of Unicode, less the uses that writing needs; decision 0085.

/** A hidden character and where it begins, in code units. */
interface HiddenCharacter {
  readonly at: number
  readonly codePoint: number
}

/** True for nearly every text: printable ASCII, tabs and line breaks hide nothing. */
export const isPlainText = (text: string): boolean => plain.test(text)

const plain = /^[\t\n\r -~]*$/

const suspect = /[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu

/**
 * White space, and the separators of fields of a scanned label (GS1, ISO/IEC 15434): EOT, FS, GS,
 * RS, US.
 */
const separators: ReadonlySet<number> = new Set([0x04, 0x09, 0x0a, 0x0d, 0x1c, 0x1d, 0x1e, 0x1f])

/**
 * Characters without a shape of their own where writing needs them: joiners in scripts that join
 * (Persian, Hindi), breaks in scripts without blanks (Khmer, Thai), forms of ideographs and
 * Mongolian letters, and the parts of emoji.
 */
const needed: readonly RegExp[] = [
  /(?<=[\p{L}\p{M}])(?<![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\u200c\u200d]/gu,
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})/gu,
  /(?<=(?![ -~])[\p{Extended_Pictographic}\p{Lo}\p{S}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu,
  /(?<=[0-9#*])\ufe0f(?=\u20e3)/gu,
  /(?<=\u{1f3f4})[\u{e0020}-\u{e007e}]{1,8}\u{e007f}/gu,
  /(?<=\p{Script=Mongolian})[\u180b-\u180f]/gu,
  /(?<=[\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Thai}\p{Script=Tibetan}])\u200b/gu,
  /(?<=\p{M})\u034f/gu,
]

/** A letter that is written from right to left. */
const rightToLeft = /(?=\p{L})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** The hidden characters of a text; none for nearly every text. */
export function hiddenCharacters(text: string): readonly HiddenCharacter[] {
  if (isPlainText(text)) return none
  const rest = needed.reduce((left, use) => left.replace(use, (used) => ' '.repeat(used.length)), text)
  const found = [...rest.matchAll(suspect)].filter(([character]) => !separators.has(character.charCodeAt(0)))
  if (found.length === 0) return none
  const fair = rightToLeft.test(text) ? pairedControls(text) : undefined
  return found.flatMap(({ 0: character, index: at }) =>
    fair?.has(at) ? [] : [{ at, codePoint: character.codePointAt(0) ?? 0 }],
  )
}

const none: readonly HiddenCharacter[] = []

const [popFormatting, popIsolate] = ['\u202c', '\u2069']
/** Embeddings, overrides and isolates, with their ends. */
const ends: Readonly<Record<string, string>> = {
  '\u202a': popFormatting,
  '\u202b': popFormatting,
  '\u202d': popFormatting,
  '\u202e': popFormatting,
  '\u2066': popIsolate,
  '\u2067': popIsolate,
  '\u2068': popIsolate,
}
const marks = '\u061c\u200e\u200f'
const overrides = '\u202d\u202e'

/**
 * Places of the controls that right-to-left writing uses: marks, and embeddings and isolates that
 * end. Overrides reverse letters that have a direction of their own; no writing needs them.
 */
function pairedControls(text: string): ReadonlySet<number> {
  const fair = new Set<number>()
  const open: number[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (marks.includes(character)) fair.add(at)
    else if (character in ends) open.push(at)
    else if (character === popFormatting || character === popIsolate) {
      const begin = open.at(-1)
      if (begin === undefined || ends[text.charAt(begin)] !== character) continue
      open.pop()
      if (!overrides.includes(text.charAt(begin))) fair.add(begin).add(at)
    }
  }
  return fair
}

/** Names of Unicode, of the characters that are met. */
const names: Readonly<Record<number, string>> = {
  173: 'SOFT HYPHEN',
  847: 'COMBINING GRAPHEME JOINER',
  1564: 'ARABIC LETTER MARK',
  4447: 'HANGUL CHOSEONG FILLER',
  4448: 'HANGUL JUNGSEONG FILLER',
  6158: 'MONGOLIAN VOWEL SEPARATOR',
  8203: 'ZERO WIDTH SPACE',
  8204: 'ZERO WIDTH NON-JOINER',
  8205: 'ZERO WIDTH JOINER',
  8206: 'LEFT-TO-RIGHT MARK',
  8207: 'RIGHT-TO-LEFT MARK',
  8234: 'LEFT-TO-RIGHT EMBEDDING',
  8235: 'RIGHT-TO-LEFT EMBEDDING',
  8236: 'POP DIRECTIONAL FORMATTING',
  8237: 'LEFT-TO-RIGHT OVERRIDE',
  8238: 'RIGHT-TO-LEFT OVERRIDE',
  8288: 'WORD JOINER',
  8289: 'FUNCTION APPLICATION',
  8290: 'INVISIBLE TIMES',
  8291: 'INVISIBLE SEPARATOR',
  8292: 'INVISIBLE PLUS',
  8294: 'LEFT-TO-RIGHT ISOLATE',
  8295: 'RIGHT-TO-LEFT ISOLATE',
  8296: 'FIRST STRONG ISOLATE',
  8297: 'POP DIRECTIONAL ISOLATE',
  12644: 'HANGUL FILLER',
  65279: 'ZERO WIDTH NO-BREAK SPACE',
  65440: 'HALFWIDTH HANGUL FILLER',
}

/** `U+202E` */
export const codePointWords = (codePoint: number): string =>
  `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`

/** `U+202E RIGHT-TO-LEFT OVERRIDE` */
export const characterWords = (codePoint: number): string =>
  `${codePointWords(codePoint)} ${names[codePoint] ?? groupOf(String.fromCodePoint(codePoint))}`

/** The category of a character that the table does not name. */
function groupOf(character: string): string {
  if (/\p{Cc}/u.test(character)) return '(a control character)'
  return /\p{Variation_Selector}/u.test(character) ? '(a variation selector)' : '(an invisible character)'
}
