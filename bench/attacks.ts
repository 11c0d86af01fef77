// Ways to keep a service from answering others. Each runs until it is told to stop, and counts how
// it was answered.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { smuggledBytes } from '../test/samples/smuggled-bytes.ts'

export interface Target {
  readonly host: string
  readonly port: number
  /** A valid key: some attackers are customers. */
  readonly key: string
  readonly path: string
}

/**
 * What an attack works with: connections that reconnect until it ends, and answers that are
 * counted.
 */
interface Ground {
  readonly target: Target
  /** Keeps so many connections, each driven by `drive` from its opening to its close. */
  keep(count: number, drive: (socket: Socket) => void): void
  /** Calls again and again, until the socket is closed. */
  every(socket: Socket, ms: number, act: () => void): void
}

export interface Attack {
  readonly name: string
  readonly run: (ground: Ground) => void
}

const megabyte = 1024 * 1024

const head = ({ key, path }: Target, method: string, headers: Readonly<Record<string, string | number>>): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${key}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')

/** The same request again as soon as it is answered. */
const again =
  (count: number, requestOf: (target: Target) => string | Buffer): Attack['run'] =>
  ({ target, keep }) => {
    const request = requestOf(target)
    keep(count, (socket) => {
      const send = () => socket.write(request)
      socket.on('data', (chunk) => {
        if (chunk.includes('HTTP/1.1')) send()
      })
      send()
    })
  }

const json = (target: Target, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Buffer =>
  Buffer.concat([
    Buffer.from(
      head(target, 'POST', { 'Content-Type': 'application/json', 'Content-Length': body.length, ...headers }),
    ),
    Buffer.from(body),
  ])

const drip =
  (count: number, beginning: (target: Target) => string): Attack['run'] =>
  ({ target, keep, every }) => {
    keep(count, (socket) => {
      socket.write(beginning(target))
      every(socket, 1_000, () => socket.write('x'))
    })
  }

const membersOf = (count: number, member: (i: number) => readonly [name: string, value: string]): string =>
  Array.from({ length: count }, (_, i) => member(i))
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')

let drawn = 0

/** A key of the right form that nobody has. */
const anotherKey = (): string => `lk_${(drawn++).toString(16).padStart(16, '0')}_${'A'.repeat(43)}`

export const attacks: readonly Attack[] = [
  { name: 'slow headers, 1,000 connections', run: drip(1_000, () => 'GET / HTTP/1.1\r\nHost: x\r\nX: ') },
  {
    name: 'slow bodies with a valid key, 1,000 connections',
    run: drip(1_000, (target) =>
      [head(target, 'POST', { 'Content-Type': 'application/json', 'Content-Length': megabyte }), '{"'].join(''),
    ),
  },
  {
    name: 'slow readers of pages of 200 events, 200 connections',
    run: ({ target, keep }) =>
      keep(200, (socket) => {
        socket.pause()
        socket.write(head({ ...target, path: `${target.path}?limit=200` }, 'GET', {}))
      }),
  },
  { name: 'idle connections, 5,000', run: ({ keep }) => keep(5_000, () => undefined) },
  {
    name: 'wrong keys, 64 connections',
    run: ({ target, keep }) =>
      keep(64, (socket) => {
        const send = () => socket.write(head({ ...target, key: anotherKey() }, 'GET', {}))
        socket.on('data', send)
        send()
      }),
  },
  {
    name: 'wrong keys, leaving before the answer, 64 connections',
    run: ({ target, keep }) =>
      keep(64, (socket) => {
        socket.write(head({ ...target, key: anotherKey() }, 'GET', {}), () => socket.resetAndDestroy())
      }),
  },
  {
    name: 'bombs, gzip of 100 MB, 16 connections',
    run: again(16, (target) => json(target, gzipSync(Buffer.alloc(100 * megabyte)), { 'Content-Encoding': 'gzip' })),
  },
  { name: 'nesting, 1 MB of [, 8 connections', run: again(8, (target) => json(target, '['.repeat(megabyte))) },
  {
    name: 'names, 1 MB of them in one object, 8 connections',
    run: again(8, (target) => json(target, `{${membersOf(90_000, (i) => [`k${i}`, '1'])}}`)),
  },
  {
    name: 'lists of 300,000 objects, 8 connections',
    run: again(8, (target) => json(target, `{"productMasterDataList":[${'{},'.repeat(300_000)}{}]}`)),
  },
  {
    name: 'names, 1 MB of them in 90 objects, 8 connections',
    run: again(8, (target) =>
      json(target, `{${membersOf(90, (i) => [`o${i}`, `{${membersOf(999, (j) => [`k${i}_${j}`, '1'])}}`])}}`),
    ),
  },
  {
    name: 'lines of nothing, 48,000 in 999 events, 8 connections',
    run: again(8, (target) => {
      const event = `{"productList":[${'{},'.repeat(47)}{}]}`
      return json(target, `{"eventList":[${`${event},`.repeat(998)}${event}]}`)
    }),
  },
  {
    name: 'smuggled requests, 64 connections',
    run: ({ keep }) =>
      keep(64, (socket) => {
        const { bytes } = smuggledBytes[drawn++ % smuggledBytes.length] as (typeof smuggledBytes)[number]
        socket.write(Buffer.from(bytes, 'latin1'))
      }),
  },
]

/**
 * Opens the ground; `end` closes every connection and says how many there were and how they were
 * answered.
 */
export function groundOn(target: Target) {
  const open = new Set<Socket>()
  const statuses: Record<string, number> = {}
  let connections = 0
  let ended = false
  const ground: Ground = {
    target,
    keep(count, drive) {
      const start = async (): Promise<void> => {
        if (ended) return
        const socket = connect(target.port, target.host)
        open.add(socket)
        socket.on('error', () => undefined)
        socket.once('close', () => {
          open.delete(socket)
          // As an attacker comes back; a little later, so that it is the service that is busy and
          // not the way there.
          setTimeout(start, 20)
        })
        socket.on('data', (chunk) => {
          for (const [, status = ''] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g))
            statuses[status] = (statuses[status] ?? 0) + 1
        })
        await once(socket, 'connect').catch(() => undefined)
        if (socket.destroyed || ended) return
        connections++
        drive(socket)
      }
      for (let i = 0; i < count; i++) setTimeout(start, (i * 1_000) / count)
    },
    every(socket, ms, act) {
      const timer = setInterval(act, ms)
      socket.once('close', () => clearInterval(timer))
    },
  }
  return {
    ground,
    end() {
      ended = true
      for (const socket of open) socket.destroy()
      return { connections, statuses }
    },
  }
}
