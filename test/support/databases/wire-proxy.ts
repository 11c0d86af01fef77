// A TCP proxy between the service and PostgreSQL that knows enough of the wire protocol to let one
// statement go wrong.

import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/**
 * What happens to a statement. `refuse`: the server never sees it, and the answer is this error.
 * `swallow`: the server never sees it, and no answer comes. `lose`: the server runs it to its end,
 * and the answer is a fatal error. `cutBefore`: the connection breaks and the server never sees it.
 * `cutDuring`: the connection breaks when the server has it, at `when` if that is given, and the
 * server goes on. `cutAfter`: it breaks when the server has answered.
 */
export type Fault =
  | { readonly is: 'refuse' | 'lose'; readonly code: string }
  | { readonly is: 'swallow' | 'cutBefore' | 'cutAfter' }
  | { readonly is: 'cutDuring'; readonly when?: Promise<void> }

export interface WireProxy {
  /** The address of the database, through the proxy. */
  readonly url: string
  /**
   * Asked for each statement: what is sent up to a Sync, or one simple query. Undefined lets it
   * pass.
   */
  onStatement: (text: string) => Fault | undefined
  close(): Promise<void>
}

const syncType = 'S'.charCodeAt(0)
const queryType = 'Q'.charCodeAt(0)
const readyType = 'Z'.charCodeAt(0)
/** Codes after which PostgreSQL closes the connection. */
const fatalCodes = /^57P/

/** Stands before the server at this address, until closed. */
export async function startWireProxy(databaseUrl: string): Promise<WireProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect(Number(target.port || 5432), target.hostname)
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
    relay(client, database, (text) => proxy.onStatement(text))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const proxy: WireProxy = {
    url: url.href,
    onStatement: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return proxy
}

function relay(client: Socket, database: Socket, faultOf: (text: string) => Fault | undefined): void {
  const cut = () => {
    client.destroy()
    database.destroy()
  }
  client.on('error', cut)
  database.on('error', cut)
  // The server is told nothing while it works for a client that is gone: networks break on one
  // side.
  client.on('close', () => answered ?? database.end())
  database.on('close', () => client.end())

  let batch: Buffer[] = []
  /** What is to be done with the answer under way, in place of sending it. */
  let answered: (() => void) | undefined
  const fromClient = messageReader(true, (message, isStartup) => {
    batch.push(message)
    const type = message[0]
    if (
      !isStartup &&
      type !== syncType &&
      type !== queryType &&
      type !== 'p'.charCodeAt(0) &&
      type !== 'X'.charCodeAt(0)
    )
      return
    const bytes = Buffer.concat(batch)
    batch = []
    const fault = type === syncType || type === queryType ? faultOf(bytes.toString('latin1')) : undefined
    if (fault === undefined) database.write(bytes)
    else if (fault.is === 'cutBefore') cut()
    else if (fault.is === 'swallow') return
    else if (fault.is === 'refuse') {
      if (fatalCodes.test(fault.code)) {
        client.end(errorAnswer(fault.code, 'FATAL'))
        database.destroy()
      } else client.write(Buffer.concat([errorAnswer(fault.code, 'ERROR'), ready]))
    } else {
      database.write(bytes)
      if (fault.is === 'cutDuring') {
        answered = () => database.end()
        if (fault.when === undefined) client.destroy()
        else void fault.when.then(() => client.destroy())
      } else answered = fault.is === 'lose' ? () => client.end(errorAnswer(fault.code, 'FATAL')) : cut
    }
  })
  const fromDatabase = messageReader(false, (message) => {
    if (answered === undefined) client.write(message)
    else if (message[0] === readyType) {
      answered()
      answered = undefined
    }
  })
  client.on('data', fromClient)
  database.on('data', fromDatabase)
}

/** Cuts a stream into messages. A client begins with one that has no type. */
function messageReader(
  beginsUntyped: boolean,
  take: (message: Buffer, isStartup: boolean) => void,
): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  let isStartup = beginsUntyped
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const typeBytes = isStartup ? 0 : 1
      if (rest.length < typeBytes + 4) return
      const length = typeBytes + rest.readInt32BE(typeBytes)
      if (rest.length < length) return
      const message = rest.subarray(0, length)
      rest = rest.subarray(length)
      const startup = isStartup
      isStartup = false
      take(message, startup)
    }
  }
}

function message(type: string, content: string): Buffer {
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeInt32BE(4 + Buffer.byteLength(content, 'latin1'), 1)
  return Buffer.concat([head, Buffer.from(content, 'latin1')])
}

const errorAnswer = (code: string, severity: 'ERROR' | 'FATAL'): Buffer =>
  message('E', `S${severity}\0V${severity}\0C${code}\0Minjected\0\0`)

const ready = message('Z', 'I')
