// The text of a file of another program: UTF-8, UTF-16 with its byte order mark, or as its XML
// declaration says.

const encodings = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
} as const
export type DocumentEncoding = keyof typeof encodings

/** As people call it. */
export const encodingName = (encoding: DocumentEncoding): string => encodings[encoding]

/** Names of encodings in an XML declaration. ISO-8859-1 is read as browsers read it. */
const declaredNames: ReadonlyMap<string, DocumentEncoding> = new Map([
  ['iso-8859-1', 'windows-1252'],
  ['latin1', 'windows-1252'],
  ['us-ascii', 'utf-8'],
  ['utf-8', 'utf-8'],
  ['windows-1252', 'windows-1252'],
])

/** The encoding of that name; undefined for one that is not read. */
export const encodingNamed = (name: string): DocumentEncoding | undefined => declaredNames.get(name.toLowerCase())

/** How far into a file an XML declaration may reach. */
const beginningLength = 200

/** The encoding that the beginning of a file states; undefined without one. */
export function encodingIn(bytes: Uint8Array): DocumentEncoding | undefined {
  const begins = (...mark: number[]) => mark.every((byte, i) => bytes[i] === byte)
  if (begins(0xff, 0xfe)) return 'utf-16le'
  if (begins(0xfe, 0xff)) return 'utf-16be'
  if (begins(0xef, 0xbb, 0xbf)) return 'utf-8'
  const beginning = String.fromCharCode(...bytes.subarray(0, beginningLength))
  const [, declaration = ''] = /^\s*<\?xml([^>]*)/.exec(beginning) ?? []
  const [, inDouble, inSingle] = /\sencoding\s*=\s*(?:"([\w-]+)"|'([\w-]+)')/.exec(declaration) ?? []
  const name = inDouble ?? inSingle
  return name === undefined ? undefined : encodingNamed(name)
}

/** Of Windows-1252 the bytes 80 to 9F; blanks stand where it has none. */
const windowsSigns = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'

/** Node 20 decodes these bytes as ISO-8859-1, which has no signs there. */
export const withWindowsSigns = (text: string): string =>
  text.replaceAll(/[\u0080-\u009f]/g, (sign) => {
    const meant = windowsSigns[sign.charCodeAt(0) - 0x80]
    return meant === undefined || meant === ' ' ? sign : meant
  })

/** The text without its byte order mark; undefined where the bytes are not of the encoding. */
export function decodeText(bytes: Uint8Array, encoding: DocumentEncoding): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return encoding === 'windows-1252' ? withWindowsSigns(text) : text
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
