// The load generator: the process that sends. Takes orders from its parent, ends with it.
import { type HttpConnection, openConnection } from './connection.ts'
import type { KnownRecord, LoadOrder, LoadResult, Requests, SentVersion } from './load.ts'
import { aroundMark, digits, eventTemplates, markDigits } from './records.ts'
import { quantile } from './statistics.ts'

/** One request: what to write, and what to note when it is acknowledged. */
interface Request {
  readonly text: string
  /** Empty for reads. */
  readonly body: string
  /** Known beforehand, or found in the reply to a create. */
  readonly id: string | undefined
  readonly number: number
}

/** Every so many acknowledged writes one is kept, to be looked for in the database. */
const sampleEvery = 97
const samplesMax = 100

process.on('message', (order: LoadOrder) => {
  carryOut(order).then(
    (result) => process.send?.(result),
    (error) => {
      console.error(error)
      process.exit(1)
    },
  )
})

async function carryOut(order: LoadOrder): Promise<LoadResult> {
  const address = new URL(order.address)
  const headersOf = (key = order.key) => `host: ${address.host}\r\nauthorization: Bearer ${key}\r\n`
  const next = requestsOf(order.requests, headersOf)
  const creates = order.requests.kind === 'post'
  const latencies: number[] = []
  const refused: Record<string, number> = {}
  const samples: SentVersion[] = []
  const created: KnownRecord[] = []
  let [acknowledged, sent] = [0, 0]

  const connections = await Promise.all(Array.from({ length: order.connections }, () => openConnection(address)))
  const cpuBefore = process.cpuUsage()
  const beganAt = performance.now()
  const measureFrom = beganAt + order.warmUpMs
  const stopAt = measureFrom + order.measuredMs

  const note = (request: Request, status: number, head: string, sentAt: number) => {
    const now = performance.now()
    if (now >= measureFrom && now < stopAt) latencies.push(now - sentAt)
    if (status !== 200 && status !== 201) {
      refused[status] = (refused[status] ?? 0) + 1
      return
    }
    acknowledged += 1
    if (creates) created.push({ id: createdId(head), number: request.number })
    if (request.body !== '' && acknowledged % sampleEvery === 0 && samples.length < samplesMax)
      samples.push({ id: request.id ?? createdId(head), version: versionIn(head), body: request.body })
  }

  /** Sends one request after another over one connection, until time is up. */
  const keepSending = (connection: HttpConnection): Promise<void> =>
    new Promise((resolve) => {
      const sendNext = () => {
        const sentAt = performance.now()
        if (sentAt >= stopAt || sent === order.requestsMax) {
          connection.close()
          resolve()
          return
        }
        const request = next(sent)
        sent += 1
        connection.send(request.text, (status, head) => {
          note(request, status, head, sentAt)
          if (status === 0) resolve()
          else sendNext()
        })
      }
      sendNext()
    })
  await Promise.all(connections.map(keepSending))

  const cpu = process.cpuUsage(cpuBefore)
  const sorted = Float64Array.from(latencies).sort()
  return {
    acknowledged,
    refused,
    perSecond: latencies.length / ((Math.min(stopAt, performance.now()) - measureFrom) / 1000),
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    sent,
    ownCpu: (cpu.user + cpu.system) / 1000 / (performance.now() - beganAt),
    created,
    samples,
  }
}

/** Host and key, of the order unless another is given. */
type HeadersOf = (key?: string) => string

/** Makes request number `i` of the run; all text that stays the same is put together once. */
function requestsOf(requests: Requests, headersOf: HeadersOf): (i: number) => Request {
  const headers = headersOf()
  switch (requests.kind) {
    case 'get': {
      const texts = requests.paths.map((path) => `GET ${path} HTTP/1.1\r\n${headers}\r\n`)
      return (i) => ({ text: texts[i % texts.length] ?? '', body: '', id: undefined, number: 0 })
    }
    case 'put':
      return replacementsOf(requests, headersOf)
    case 'post': {
      const template = eventTemplates[requests.form]
      const lengthOf = ({ before, after }: ReturnType<typeof aroundMark>) => before.length + markDigits + after.length
      const head = headOf('POST', requests.path, headers, lengthOf(aroundMark(template, 0)))
      return (i) => {
        const number = requests.numberFrom + i
        const { before, after } = aroundMark(template, number)
        const body = before + digits(0, markDigits) + after
        return { text: head + body, body, id: undefined, number }
      }
    }
  }
}

function replacementsOf(
  { path, records, form, markFrom }: Omit<Extract<Requests, { kind: 'put' }>, 'kind'>,
  headersOf: HeadersOf,
): (i: number) => Request {
  const template = eventTemplates[form]
  const prepared = records.map(({ id, number, key }) => {
    const { before, after } = aroundMark(template, number)
    return {
      head: headOf('PUT', `${path}/${id}`, headersOf(key), before.length + markDigits + after.length),
      before,
      after,
    }
  })
  return (i) => {
    const record = records[i % records.length]
    const text = prepared[i % records.length]
    if (record === undefined || text === undefined) throw new Error('There are no records to replace.')
    const body = text.before + digits(markFrom + i, markDigits) + text.after
    return { text: text.head + body, body, id: record.id, number: record.number }
  }
}

const headOf = (method: string, path: string, headers: string, bodyBytes: number): string =>
  `${method} ${path} HTTP/1.1\r\n${headers}content-type: application/json\r\ncontent-length: ${bodyBytes}\r\n\r\n`

/** The version a write made, from the ETag of its reply. */
const versionIn = (head: string): number => Number(/\r\netag: *"(\d+)"/i.exec(head)?.[1] ?? 1)

/** The id of a created record, from the Location of its reply. */
const createdId = (head: string): string => /\r\nlocation: *\S*\/([0-9a-f-]{36})/i.exec(head)?.[1] ?? ''
