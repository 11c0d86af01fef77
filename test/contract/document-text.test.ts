// Files of other programs in the encodings that are in use.
import { describe, expect, test } from 'vitest'
import { decodeText, encodingIn } from '../../src/contract/text/document-text.ts'

const read = (bytes: Uint8Array) => decodeText(bytes, encodingIn(bytes) ?? 'utf-8')
const utf16 = (text: string, isBigEndian = false) => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le')
  return isBigEndian ? bytes.swap16() : bytes
}

describe('a text', () => {
  test.each([
    ['UTF-8', Buffer.from('Café')],
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFCafé')],
    ['UTF-16, low byte first', utf16('Café')],
    ['UTF-16, high byte first', utf16('Café', true)],
  ])('in %s is read without its mark', (_, bytes) => {
    expect(read(bytes)).toBe('Café')
  })

  test.each(['ISO-8859-1', 'windows-1252', 'latin1'])('of XML is read as it declares: %s', (name) => {
    const xml = `<?xml version="1.0" encoding='${name}'?><a>Café</a>`
    expect(read(Buffer.from(xml, 'latin1'))).toBe(xml)
  })

  test('that is neither UTF-8 nor says what it is, is not read', () => {
    expect(read(Buffer.from('Café', 'latin1'))).toBeUndefined()
    expect(read(Buffer.from('<?xml version="1.0" encoding="EBCDIC-US"?><a>Café</a>', 'latin1'))).toBeUndefined()
  })
})
