// The text of a body. JSON of this API is UTF-8; a document of another program may begin with a
// byte order mark, be UTF-16, or be in the encoding that its operation allows.
import { isUtf8 } from 'node:buffer'
import {
  type DocumentEncoding,
  decodeText,
  encodingIn,
  encodingName,
  encodingNamed,
} from '../contract/text/document-text.ts'
import type { Operation } from '../operations/base/operation.ts'

export interface BodyText {
  readonly text: string
  /** The encoding, where only the bytes show it. */
  readonly assumedEncoding?: string
}

/** Undefined for bytes in another encoding. `file` is a body that is the file itself. */
export function readBodyText(
  body: Buffer,
  { fileField, otherEncoding }: Pick<Operation, 'fileField' | 'otherEncoding'>,
  file: { readonly charset: string | undefined } | undefined,
): BodyText | undefined {
  if (fileField === undefined) return isUtf8(body) ? { text: body.toString() } : undefined
  const declared = encodingIn(body) ?? encodingNamed(file?.charset ?? '')
  const text = decodeText(body, declared ?? 'utf-8')
  if (text !== undefined) return { text }
  return otherEncoding === undefined || file === undefined ? undefined : assumed(body, otherEncoding)
}

function assumed(body: Buffer, encoding: DocumentEncoding): BodyText | undefined {
  const text = decodeText(body, encoding)
  return text === undefined ? undefined : { text, assumedEncoding: encodingName(encoding) }
}
