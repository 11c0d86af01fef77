// The document around the events of one page. Source: decision 0032.
import { contextOf, type JsonObject } from './extension.ts'

export type DocumentType = 'EPCISQueryDocument' | 'EPCISDocument'

/**
 * Most bytes of a document with more than one event. Capture interfaces take little at once:
 * 100,000 bytes is the smallest limit found.
 */
export const documentBytesMax: Readonly<Record<DocumentType, number>> = {
  EPCISQueryDocument: 8 * 1024 * 1024,
  EPCISDocument: 100_000,
}

/** The text before and after the events of a document; commas separate the events. */
function documentAround(type: DocumentType, base: string, createdAt: Date) {
  const about = JSON.stringify({
    '@context': contextOf(base),
    type,
    schemaVersion: '2.0',
    creationDate: createdAt.toISOString(),
  })
  const [body, end] =
    type === 'EPCISDocument'
      ? ['{"eventList":[', ']}}']
      : ['{"queryResults":{"queryName":"SimpleEventQuery","resultsBody":{"eventList":[', ']}}}}']
  return { before: `${about.slice(0, -1)},"epcisBody":${body}`, after: end }
}

const encoder = new TextEncoder()
const bytesOf = (text: string): number => encoder.encode(text).length

/**
 * Collects a page of events, at least one, until it has `eventsMax` or its document would be too
 * long.
 */
export class Page {
  readonly #around: { readonly before: string; readonly after: string }
  readonly #eventsMax: number
  readonly #bytesMax: number
  readonly #events: string[] = []
  #bytes: number

  constructor(type: DocumentType, base: string, createdAt: Date, eventsMax: number) {
    this.#around = documentAround(type, base, createdAt)
    this.#eventsMax = eventsMax
    this.#bytesMax = documentBytesMax[type]
    this.#bytes = bytesOf(this.#around.before + this.#around.after)
  }

  /** Adds the event, or returns false when the page is full. */
  add(event: JsonObject): boolean {
    const text = JSON.stringify(event)
    const bytes = bytesOf(text) + 1
    const isFull = this.#events.length >= this.#eventsMax || this.#bytes + bytes > this.#bytesMax
    if (isFull && this.#events.length > 0) return false
    this.#events.push(text)
    this.#bytes += bytes
    return true
  }

  /** The document, in parts. */
  *parts(): Generator<string> {
    yield this.#around.before
    for (const [i, event] of this.#events.entries()) yield i === 0 ? event : `,${event}`
    yield this.#around.after
  }
}
