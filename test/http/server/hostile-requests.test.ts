// Requests of every kind, many of them: none makes the service fail, and each answer is one that
// its own OpenAPI document declares. HOSTILE_REQUESTS says how many.
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { operations } from '../../../src/operations/catalogue.ts'
import { type HostileRequest, hostileRequests } from '../../samples/arbitrary-requests.ts'
import { marked } from '../../samples/operation-requests.ts'
import { allowMs } from '../../support/patience.ts'
import { changed, paths } from '../../support/records/payloads.ts'
import { isShortRun, runs } from '../../support/runs.ts'
import { conformanceTo, type WireAnswer } from '../../support/servers/conformance.ts'
import { calling, type Service, startService } from '../../support/servers/service.ts'

const requests = Number(process.env.HOSTILE_REQUESTS ?? (isShortRun ? 150 : runs(1_000)))
/** From so many requests on, each usual status has to be among the answers. */
const sharesFrom = 1_000
const lanes = 16
/** An answer that takes longer is a fault of its own, told with its request. */
const answerMs = 60_000
// A hundred are answered in a second or two.
vi.setConfig({ testTimeout: allowMs(120_000 + requests * 30) })

let service: Service
let conforms: ReturnType<typeof conformanceTo>

beforeAll(async () => {
  service = await startService({ failedSignInsPerMinute: 0, bodyLimitBytes: 200_000 })
  conforms = conformanceTo((await calling(service.url, undefined)('GET', '/openapi.json')).body)
})
afterAll(async () => {
  await service?.close()
})

const send = (
  { operation, address, headers, body }: HostileRequest,
  key: string | undefined,
  signal: AbortSignal,
): Promise<WireAnswer> =>
  new Promise((resolve, reject) => {
    const sent = request(
      service.url + address,
      {
        method: operations[operation].method,
        signal,
        headers: {
          ...headers,
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-length': body.length }),
        },
      },
      async (answer) => {
        try {
          const bytes = Buffer.concat(await answer.toArray())
          const body = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body })
        } catch (error) {
          reject(error)
        }
      },
    )
    sent.on('error', reject).end(body)
  })

/**
 * A provider with a little of everything; what is written goes to another one, so that exports stay
 * small.
 */
async function readProvider() {
  const provider = await service.provider()
  const known: string[] = []
  for (const kind of ['receivingEvent', 'masterProduct', 'location'] as const) {
    const body = marked[kind]('X')
    const id = (await provider.call('POST', paths[kind], { body })).body.request_ids[0]
    changed[kind](body)
    await provider.call('PUT', `${paths[kind]}/${id}`, { body })
    known.push(id)
  }
  return { provider, known: [...known, 'LOT-X'] }
}

/**
 * One request for each status that callers meet: a short run draws too few requests to be sure of
 * the rarer ones.
 */
const oneOfEach = (known: string): readonly (readonly [status: number, HostileRequest])[] => {
  const read = (subject: string, key: HostileRequest['key']): HostileRequest => ({
    operation: 'readReceivingEvent',
    address: `${paths.receivingEvent}/${subject}`,
    headers: {},
    body: undefined,
    key,
  })
  const create = (
    text: string,
    { type = 'application/json', key = 'administrator' as HostileRequest['key'] } = {},
  ) => ({
    operation: 'createLocations' as const,
    address: paths.location,
    headers: { 'content-type': type },
    body: Buffer.from(text),
    key,
  })
  const location = JSON.stringify(marked.location('EACH'))
  return [
    [200, read(known, 'administrator')],
    [201, create(location)],
    [400, create('{"payloadId":')],
    [401, read(known, 'none')],
    [403, create(location, { key: 'reader' })],
    [404, read(randomUUID(), 'administrator')],
    [415, create(location, { type: 'text/plain' })],
    [422, create('{}')],
  ]
}

/** The answer; later where a machine with other work turned the request away before it was read. */
async function answered(one: HostileRequest, key: string | undefined): Promise<WireAnswer> {
  const signal = AbortSignal.timeout(allowMs(answerMs))
  try {
    for (;;) {
      const answer = await send(one, key, signal)
      if (answer.status !== 503 || !answer.body.includes('The service is overloaded. Nothing was done.')) return answer
      await setTimeout(Number(answer.headers['retry-after']) * 1_000, undefined, { signal })
    }
  } catch (error) {
    if (!signal.aborted) throw error
    const { operation, address, headers, body } = one
    throw new Error(`No answer to ${operation} ${address} ${JSON.stringify(headers)} ${body?.toString().slice(0, 500)}`)
  }
}

test(`of ${requests.toLocaleString('en')} requests none ends in 5xx, and every answer conforms to the OpenAPI document`, async () => {
  const ends = new Map<number, number>()
  const ask = async (one: HostileRequest, keys: Readonly<Record<HostileRequest['key'], string | undefined>>) => {
    const { method, path } = operations[one.operation]
    const answer = await answered(one, keys[one.key])
    ends.set(answer.status, (ends.get(answer.status) ?? 0) + 1)
    expect(answer.status, answer.body.toString().slice(0, 500)).toBeLessThan(500)
    expect(conforms(method, path, answer)).toEqual([])
    return answer.status
  }
  const lane = async (): Promise<void> => {
    const { provider: read, known } = await readProvider()
    const written = await readProvider()
    const keysOf = async ({ key }: typeof read) => ({
      administrator: await key('administrator'),
      reader: await key('reader'),
      none: undefined,
    })
    const [readKeys, writtenKeys] = [await keysOf(read), await keysOf(written.provider)]
    await fc.assert(
      fc.asyncProperty(hostileRequests([...known, ...written.known]), async (one) => {
        await ask(one, operations[one.operation].method === 'GET' ? readKeys : writtenKeys)
      }),
      { numRuns: Math.ceil(requests / lanes) },
    )
  }
  const { provider, known } = await readProvider()
  const keys = {
    administrator: await provider.key('administrator'),
    reader: await provider.key('reader'),
    none: undefined,
  }
  for (const [status, one] of oneOfEach(known[0] ?? '')) expect(await ask(one, keys)).toBe(status)
  ends.clear()
  await Promise.all(Array.from({ length: lanes }, lane))
  const all = [...ends.values()].reduce((sum, n) => sum + n, 0)
  expect(all).toBeGreaterThanOrEqual(requests)
  if (process.env.HOSTILE_REQUESTS !== undefined)
    console.log(
      [...ends]
        .sort(([a], [b]) => a - b)
        .map(([status, n]) => `${status}: ${n}`)
        .join(', '),
    )
  // A generator that only makes one kind of request proves little. The rarest of these is one in a
  // hundred, so its share says something only of many requests.
  if (all < sharesFrom) return
  for (const status of [200, 201, 400, 401, 403, 404, 415, 422])
    expect(ends.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(0)
})
