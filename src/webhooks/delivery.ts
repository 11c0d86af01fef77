// Sends one message to one address, and reports the result. Bounded in time and bytes, on its own
// connection to a checked address. Source: decision 0072.
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction, type TcpNetConnectOpts } from 'node:net'
import { declareLimit } from '../limits.ts'
import type { Spans } from '../spans.ts'
import { version } from '../version.ts'
import { allowedAddresses, type ResolveHost } from './address-guard.ts'
import { readRetryAfter } from './retries.ts'
import type { SignedHeaders } from './signature.ts'

/** Longest delivery, from resolving the name to the status, in milliseconds. */
const deliveryMsMax = declareLimit('webhookDelivery', 15_000, 'ms', 'Time in which a receiver answers a message.')
/** How much of an answer is read, in bytes, and for how long after its status, in milliseconds. */
const answerBytesMax = 2_000
const answerMsMax = 1_000
/**
 * How long one of several addresses may take to connect before the next is tried, in milliseconds.
 */
const connectMsMax = 2_500

interface SentMessage {
  readonly url: string
  readonly headers: SignedHeaders
  readonly body: string
  /** Ids of the requests that made the changes in it. */
  readonly causes?: readonly string[]
}

/** The result of sending a message once. */
export interface Delivery {
  /** `gone`: the receiver answered 410, and accepts no further messages. */
  readonly outcome: 'delivered' | 'failed' | 'gone'
  readonly status: number | undefined
  /** Why it failed, as sentences. */
  readonly error: string | undefined
  /** The beginning of the answer, as text. */
  readonly answer: string | undefined
  readonly ms: number
  readonly retryAfterMs: number | undefined
}

/** Sends messages, and checks addresses. */
export interface Deliverer {
  /** Why an address is refused; undefined when it is allowed. */
  readonly faultOf: (url: string) => Promise<string | undefined>
  /** `signal` aborts it, which is a failure. Never throws. */
  readonly deliver: (message: SentMessage, signal?: AbortSignal) => Promise<Delivery>
}

interface DeliverySettings {
  readonly allowPrivate: boolean
  readonly resolve: ResolveHost
  /** Longest delivery, in milliseconds. */
  readonly msMax?: number
  /** Undefined when the operator asks for no spans. */
  readonly spans?: Pick<Spans, 'delivery'> | undefined
}

export const delivererOf = (settings: DeliverySettings): Deliverer => ({
  async faultOf(url) {
    const allowed = await allowedAddresses(url, settings.allowPrivate, settings.resolve)
    return 'fault' in allowed ? allowed.fault : undefined
  },
  deliver(message, signal) {
    const { spans } = settings
    if (spans === undefined) return deliver(message, settings, signal)
    const { causes = [], headers } = message
    return spans.delivery({ messageId: headers['webhook-id'], causes }, (traceHeaders) =>
      deliver({ ...message, headers: { ...headers, ...traceHeaders } }, settings, signal),
    )
  },
})

async function deliver(
  message: SentMessage,
  { allowPrivate, resolve, msMax = deliveryMsMax }: DeliverySettings,
  signal: AbortSignal | undefined,
): Promise<Delivery> {
  const began = performance.now()
  // Not AbortSignal.any: on Node 20 a signal that lives for days keeps one entry for each delivery.
  const ending = new AbortController()
  const stop = () => ending.abort()
  let isLate = false
  const deadline = setTimeout(() => {
    isLate = true
    stop()
  }, msMax)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  const failed = (error: string): Delivery => ({
    outcome: 'failed',
    status: undefined,
    error,
    answer: undefined,
    ms: performance.now() - began,
    retryAfterMs: undefined,
  })
  try {
    const allowed = await orAborted(allowedAddresses(message.url, allowPrivate, resolve), ending.signal)
    if ('fault' in allowed) return failed(allowed.fault)
    const reply = await send(message, allowed.addresses, ending.signal)
    const ms = performance.now() - began
    const answer = await beginningOf(reply)
    const { statusCode: status = 0, headers } = reply
    const error = faultOfStatus(status)
    return {
      outcome: error === undefined ? 'delivered' : status === 410 ? 'gone' : 'failed',
      status,
      error,
      answer,
      ms,
      retryAfterMs: error === undefined ? undefined : readRetryAfter(headers['retry-after'], new Date()),
    }
  } catch (error) {
    if (isLate) return failed(`No answer within ${msMax / 1_000} seconds.`)
    if (signal?.aborted) return failed('The service stopped before there was an answer.')
    return failed(faultOfConnection(error))
  } finally {
    clearTimeout(deadline)
    signal?.removeEventListener('abort', stop)
  }
}

/** The result, unless the signal aborts first. The work itself continues. */
const orAborted = <Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })

/**
 * Each message has its own connection without an agent. So none is reused whose address the name no
 * longer has, and no proxy from the environment is used.
 */
function send({ url, headers, body }: SentMessage, addresses: readonly string[], signal: AbortSignal) {
  const target = new URL(url)
  const bytes = Buffer.from(body)
  const request = target.protocol === 'http:' ? httpRequest : httpsRequest
  return new Promise<IncomingMessage>((resolve, reject) => {
    const sending = request(target, {
      method: 'POST',
      agent: false,
      lookup: pinnedTo(addresses),
      ...oneOfSeveral,
      signal,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': bytes.length,
        'user-agent': `lotkeeper/${version}`,
        connection: 'close',
      },
    })
    sending.once('response', resolve)
    // Stays attached after the answer: an unhandled error would end the process.
    sending.on('error', reject)
    sending.end(bytes)
  })
}

/** Tries one address after another, with more time for each than Node's default of 250 ms. */
const oneOfSeveral: Pick<TcpNetConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'> = {
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: connectMsMax,
}

/** Resolves every name to the addresses that were checked. */
const pinnedTo =
  (addresses: readonly string[]): LookupFunction =>
  (_host, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    const [first = { address: '', family: 0 }] = found
    if (all) callback(null, found)
    else callback(null, first.address, first.family)
  }

/** Reads the beginning of an answer for people to see, and ends the connection. */
function beginningOf(reply: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    let bytes = 0
    const end = () => {
      clearTimeout(patience)
      reply.destroy()
      resolve(shown(Buffer.concat(parts).subarray(0, answerBytesMax)))
    }
    const patience = setTimeout(end, answerMsMax)
    reply.on('data', (part: Buffer) => {
      parts.push(part)
      bytes += part.length
      if (bytes >= answerBytesMax) end()
    })
    reply.on('error', end)
    reply.once('close', end)
  })
}

/** As text that can be stored and displayed; undefined for an empty answer. */
function shown(bytes: Buffer): string | undefined {
  const text = bytes
    .toString('utf8')
    .replaceAll(/[^\P{Cc}\n\t]/gu, ' ')
    .trim()
  return text === '' ? undefined : text
}

function faultOfStatus(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400)
    return `The receiver redirects (${status}), and redirects are not followed. Change the address of the webhook.`
  if (status === 410) return 'The receiver wants no more messages (410).'
  return `The receiver answered with ${status}.`
}

/** Codes of TLS errors about an invalid certificate. */
const certificateFault = /CERT|SIGNATURE|ERR_TLS|UNABLE_TO/

function faultOfConnection(error: unknown): string {
  const { code = 'no cause given' } = error as { code?: string }
  if (code === 'ECONNREFUSED') return 'The receiver does not accept connections.'
  if (certificateFault.test(code)) return `The certificate of the receiver is not valid (${code}).`
  return `The connection to the receiver failed (${code}).`
}
