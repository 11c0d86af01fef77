// The XML of spreadsheets, from text that arrives in pieces: elements, attributes, text. Document
// types that declare or fetch anything are rejected, so there are no entities but the five of XML:
// nothing expands.
import { UnreadableFile } from './unreadable-file.ts'

/** Longest text between two tags, and longest tag. A cell has at most 32,767 characters. */
const tokenLengthMax = 4_000_000

export interface XmlEvents {
  /** `attributes` is the text after the name: see `attribute`; `prefix` that of the name. */
  readonly open: (name: string, attributes: string, prefix: string) => void
  readonly text: (text: string) => void
  readonly close: (name: string) => void
}

export class XmlReader {
  #rest = ''
  #position = 0
  readonly #events: XmlEvents
  constructor(events: XmlEvents) {
    this.#events = events
  }

  /** Position of the part being read, in characters from the beginning. */
  get position(): number {
    return this.#position
  }

  /** The text after the last tag, or a tag whose end has not arrived. */
  get rest(): string {
    return this.#rest
  }

  push(piece: string): void {
    const text = this.#rest + piece
    const before = this.#position
    let at = 0
    for (;;) {
      const tagStart = text.indexOf('<', at)
      if (tagStart === -1) break
      const tagEnd = endOfTag(text, tagStart)
      if (tagEnd === -1) break
      if (tagStart > at) this.#events.text(unescapeXml(text.slice(at, tagStart)))
      this.#position = before + tagStart
      this.#tag(text, tagStart, tagEnd)
      at = tagEnd
      this.#position = before + at
    }
    this.#rest = text.slice(at)
    if (this.#rest.length > tokenLengthMax)
      throw new UnreadableFile(`The XML has a text or a tag of more than ${tokenLengthMax} characters. It is not read.`)
  }

  #tag(text: string, start: number, end: number): void {
    const second = text[start + 1]
    if (second === '?') return
    if (second === '!') {
      if (text.startsWith('<![CDATA[', start)) this.#events.text(text.slice(start + 9, end - 3))
      else if (!text.startsWith('<!--', start) && !isEmptyDocumentType(text.slice(start, end)))
        throw new UnreadableFile('The XML declares a document type. It is not read.')
      return
    }
    if (second === '/') {
      this.#events.close(localName(text.slice(start + 2, end - 1).trimEnd()))
      return
    }
    const closed = text[end - 2] === '/'
    const inner = text.slice(start + 1, closed ? end - 2 : end - 1)
    const nameEnd = inner.search(/\s|$/)
    const qualified = inner.slice(0, nameEnd)
    const name = localName(qualified)
    this.#events.open(name, inner.slice(nameEnd), qualified.slice(0, -name.length - 1))
    if (closed) this.#events.close(name)
  }
}

/** A document type that only names the root: it declares nothing, and fetches nothing. */
const isEmptyDocumentType = (tag: string): boolean =>
  tag.length <= documentTypeLengthMax && /^<!DOCTYPE\s+[\w:.-]+\s*>$/.test(tag)

const documentTypeLengthMax = 100

/** The position after the markup that begins with `<` here, or -1 when its end has not arrived. */
function endOfTag(text: string, start: number): number {
  const after = (end: string, from: number) => {
    const at = text.indexOf(end, from)
    return at === -1 ? -1 : at + end.length
  }
  if (text[start + 1] === '?') return after('?>', start + 2)
  if (text.startsWith('<!--', start)) return after('-->', start + 4)
  if (text.startsWith('<![CDATA[', start)) return after(']]>', start + 9)
  // A `>` in quotation marks is part of the value of an attribute.
  for (let at = start, quote = ''; at < text.length; at++) {
    const character = text[at] ?? ''
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '>') return at + 1
    else if (character === '"' || character === "'") quote = character
  }
  return -1
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The value of an attribute, with any prefix of its name, or undefined. */
export function attribute(attributes: string, name: string): string | undefined {
  const at = attributes.indexOf(` ${name}="`)
  if (at !== -1) {
    const start = at + name.length + 3
    return unescapeXml(attributes.slice(start, attributes.indexOf('"', start)))
  }
  if (!attributes.includes(name)) return undefined
  // A name without a value is consumed completely too, so that it is read once.
  for (const [, found = '', double, single] of attributes.matchAll(/([\w.:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?/g)) {
    const value = double ?? single
    if (value !== undefined && localName(found) === name) return unescapeXml(value)
  }
  return undefined
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescapeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w+));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[name as string] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
