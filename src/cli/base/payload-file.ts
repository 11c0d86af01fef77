// Payloads in files, read without loss, with places in the form of editors.
import { createReadStream } from 'node:fs'
import { linesOf, placesIn } from '../../contract/json/json-place.ts'
import { type JsonObjectText, readJsonObject } from '../../contract/json/json-text.ts'
import { type DocumentEncoding, decodeText, encodingIn } from '../../contract/text/document-text.ts'

/** Text of a payload and its place. */
interface PayloadText {
  /** `FILE`, or `<stdin>`. */
  readonly file: string
  /** The line on which it begins, 1-based. */
  readonly line: number
  readonly text: string
}

export interface PayloadFile extends PayloadText {
  readonly body: JsonObjectText
}

export interface UnreadablePayload {
  /** `FILE:line:column`, as far as it is known. */
  readonly place: string
  readonly problem: string
}

/**
 * Payloads in a file, or on stdin for `-`: one, or one on each line of a `.ndjson` or `.jsonl`
 * file.
 */
export async function* payloadsIn(
  file: string,
  { byLine = false } = {},
): AsyncGenerator<PayloadFile | UnreadablePayload> {
  const named = file === '-' ? '<stdin>' : file
  const texts =
    byLine || /\.(ndjson|jsonl)$/i.test(file) ? linesIn(named, chunksIn(file)) : wholeOf(named, chunksIn(file))
  try {
    for await (const one of texts) yield payloadOf(one)
  } catch (error) {
    yield unreadable(named, error)
  }
}

/** The only payload of a file. */
export async function payloadIn(file: string): Promise<PayloadFile | UnreadablePayload> {
  for await (const one of payloadsIn(file)) return one
  return { place: file, problem: 'The file is empty.' }
}

/** The text of a file of another program, in its own encoding. */
export async function documentIn(
  file: string,
  otherEncoding: DocumentEncoding = 'utf-8',
): Promise<PayloadText | UnreadablePayload> {
  const named = file === '-' ? '<stdin>' : file
  try {
    const parts: Buffer[] = []
    for await (const part of bytesIn(file)) parts.push(part)
    const bytes = Buffer.concat(parts)
    const text = decodeText(bytes, encodingIn(bytes) ?? 'utf-8') ?? decodeText(bytes, otherEncoding)
    if (text !== undefined) return { file: named, line: 1, text }
    return { place: named, problem: fileFaults.ERR_ENCODING_INVALID_ENCODED_DATA ?? '' }
  } catch (error) {
    return unreadable(named, error)
  }
}

const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file.',
  EISDIR: 'This is a folder. Name a file in it.',
  EACCES: 'This file is not readable: permission denied.',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'This is not UTF-8. Save it as UTF-8.',
}

function unreadable(place: string, error: unknown): UnreadablePayload {
  const { code, message } = error as NodeJS.ErrnoException
  return { place, problem: fileFaults[code ?? ''] ?? message }
}

const bytesIn = (file: string): AsyncIterable<Buffer> => (file === '-' ? process.stdin : createReadStream(file))

async function* chunksIn(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  for await (const chunk of bytesIn(file)) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

async function* wholeOf(file: string, chunks: AsyncIterable<string>): AsyncGenerator<PayloadText> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  yield { file, line: 1, text }
}

async function* linesIn(file: string, chunks: AsyncIterable<string>): AsyncGenerator<PayloadText> {
  let line = 1
  let begun = ''
  for await (const chunk of chunks) {
    const parts = chunk.split('\n')
    parts[0] = begun + parts[0]
    begun = parts.pop() ?? ''
    for (const text of parts) {
      if (text.trim() !== '') yield { file, line, text }
      line++
    }
  }
  if (begun.trim() !== '') yield { file, line, text: begun }
}

export function payloadOf(found: PayloadText): PayloadFile | UnreadablePayload {
  const body = readJsonObject(found.text)
  if ('defect' in body) return { place: placeText(found, body), problem: body.defect }
  return { ...found, body }
}

const placeText = ({ file, line }: PayloadText, at: { readonly line: number; readonly column: number }): string =>
  `${file}:${line + at.line - 1}:${at.column}`

/** The place of each pointer, as `FILE:line:column`. */
export function placesOf(payload: PayloadText, pointers: readonly string[]): ReadonlyMap<string, string> {
  const places = placesIn(payload.text, pointers)
  const placeAt = linesOf(payload.text)
  return new Map([...places].map(([pointer, { at }]) => [pointer, placeText(payload, placeAt(at))]))
}
