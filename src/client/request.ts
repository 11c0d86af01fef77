// Turns the options of a call into the request that is sent.
import { writeChangeReason } from '../contract/change-reason.ts'
import { hexOf } from '../contract/text/hex.ts'
import type { Operation, RequestHeader } from '../operations/base/operation.ts'

/** The address of a call, and which of its options are query parameters and headers. */
export interface Address extends Pick<Operation, 'method' | 'path' | 'headers'> {
  readonly query: readonly string[]
  readonly body: boolean
}

export interface ClientRequest {
  readonly method: Operation['method']
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

type Options = Readonly<Record<string, unknown>>

/** The value of each header; undefined when the call does not set it. */
const headerValues: Readonly<Record<RequestHeader, (options: Options) => string | undefined>> = {
  'If-Match': ({ ifMatch }) => (ifMatch === undefined ? undefined : `"${ifMatch}"`),
  // A tag is sent as it came, a version as the tag of a record.
  'If-None-Match': ({ ifNoneMatch }) =>
    typeof ifNoneMatch === 'number' ? `"${ifNoneMatch}"` : (ifNoneMatch as string | undefined),
  Prefer: ({ strict, representation }) =>
    [strict && 'handling=strict', representation && 'return=representation'].filter(Boolean).join(', ') || undefined,
  'Change-Reason': ({ reason }) => (reason === undefined ? undefined : writeChangeReason(String(reason))),
  // Only browsers send it. A call has `after`.
  'Last-Event-ID': () => undefined,
  'Idempotency-Key': ({ idempotencyKey }) => String(idempotencyKey ?? randomKey()),
}

/** Not `randomUUID`, which browsers offer only to pages from HTTPS or localhost. */
const randomKey = (): string => hexOf(crypto.getRandomValues(new Uint8Array(16)))

export function requestOf(address: Address, options: Options): ClientRequest {
  const path = address.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(options[name])))
  const query = new URLSearchParams()
  for (const name of address.query) for (const value of [options[name] ?? []].flat()) query.append(name, String(value))
  const headers: Record<string, string> = {}
  for (const name of address.headers) {
    const value = headerValues[name](options)
    if (value !== undefined) headers[name.toLowerCase()] = value
  }
  if (address.body) headers['content-type'] = 'application/json'
  return {
    method: address.method,
    path: query.size > 0 ? `${path}?${query}` : path,
    headers,
    body: address.body ? JSON.stringify(options.body) : undefined,
  }
}
