// Calls of one handler by another, for the same caller.
import { type JsonObjectText, readJsonObject } from '../../contract/json/json-text.ts'
import type { OperationCall } from './handler.ts'

/** The body of a call with content that this service made. */
export function bodyWith(content: object): JsonObjectText {
  const body = readJsonObject(JSON.stringify(content))
  if ('defect' in body) throw new Error(`What the service made cannot be read: ${body.defect}`)
  return body
}

/** The call of another operation by the same caller: without conditions, and answered in full. */
export const callWith = (call: OperationCall, content: object): OperationCall => callWithBody(call, bodyWith(content))

export const callWithBody = (call: OperationCall, body: JsonObjectText): OperationCall => ({
  ...call,
  body,
  representation: true,
  idempotencyKey: undefined,
  reason: undefined,
  ifMatch: undefined,
  ifNoneMatch: [],
})
