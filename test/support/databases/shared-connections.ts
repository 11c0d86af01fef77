// A pooler that gives each transaction another connection to the server, as PgBouncer does in
// transaction mode: it keeps no prepared statements, or all of them.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import pg from 'pg'

interface Pooler {
  /** The address of the database, through the pooler. */
  readonly url: string
  close(): Promise<void>
}

/** ReadyForQuery, outside of a transaction. */
const readyAndIdle = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])
const authenticated = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0])
const [sync, query] = ['S', 'Q'].map((type) => type.charCodeAt(0))
const [parse, bind] = ['P', 'B'].map((type) => type.charCodeAt(0))

/** A connection to the server. The one that was used last is taken first. */
interface Connection {
  readonly client: pg.Client
  readonly stream: Socket
  /** Messages that prepared each statement here. */
  readonly prepared: Set<string>
}

/** Stands before the server at this address, with at most two connections to it, until closed. */
export async function startSharedConnections(
  databaseUrl: string,
  { keepsStatements }: { readonly keepsStatements: boolean },
): Promise<Pooler> {
  const idle: Connection[] = []
  const waiting: ((connection: Connection) => void)[] = []
  const all = [await connectTo(databaseUrl), await connectTo(databaseUrl)]
  idle.push(...all)
  const take = async () => idle.pop() ?? new Promise<Connection>((resolve) => waiting.push(resolve))
  const give = (connection: Connection) => {
    const next = waiting.shift()
    if (next === undefined) idle.push(connection)
    else next(connection)
  }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    serve(socket, take, give, keepsStatements)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      for (const { stream } of all) stream.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** Signed in by the driver, which then leaves the bytes to the pooler. */
async function connectTo(databaseUrl: string): Promise<Connection> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => undefined)
  await client.connect()
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.removeAllListeners('data')
  return { client, stream, prepared: new Set() }
}

function serve(
  socket: Socket,
  take: () => Promise<Connection>,
  give: (connection: Connection) => void,
  keepsStatements: boolean,
): void {
  let isStarted = false
  let rest = Buffer.alloc(0)
  /** What is to go to the server together, up to a Sync or one simple query. */
  let batch: Buffer[] = []
  let held: Promise<Connection> | undefined
  const statements = new Map<string, Buffer>()
  const send = (bytes: readonly Buffer[]) => {
    held ??= take().then((connection) => {
      let answer = Buffer.alloc(0)
      connection.stream.on('data', (chunk: Buffer) => {
        socket.write(chunk)
        answer = Buffer.concat([answer, chunk])
        let last = answer
        while (last.length >= 5 && last.length > 1 + last.readUInt32BE(1))
          last = last.subarray(1 + last.readUInt32BE(1))
        answer = Buffer.from(last)
        if (!last.equals(readyAndIdle)) return
        connection.stream.removeAllListeners('data')
        held = undefined
        give(connection)
      })
      return connection
    })
    void held.then((connection) => {
      connection.stream.write(Buffer.concat(keepsStatements ? restored(bytes, connection, statements) : [...bytes]))
    })
  }
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const head = isStarted ? 1 : 0
      if (rest.length < head + 4) return
      const length = head + rest.readUInt32BE(head)
      if (rest.length < length) return
      const message = rest.subarray(0, length)
      rest = rest.subarray(length)
      if (!isStarted) {
        isStarted = true
        socket.write(Buffer.concat([authenticated, readyAndIdle]))
        continue
      }
      batch.push(message)
      if (message[0] !== sync && message[0] !== query) continue
      send(batch)
      batch = []
    }
  })
}

/** The messages, after those that prepare what this connection has not prepared yet. */
function restored(
  messages: readonly Buffer[],
  { prepared }: Connection,
  statements: Map<string, Buffer>,
): readonly Buffer[] {
  return messages.flatMap((message) => {
    if (message[0] === parse) {
      const name = message.toString('utf8', 5, message.indexOf(0, 5))
      if (name === '') return [message]
      statements.set(name, message)
      // Prepared here for another client: prepared again under the same name, it would be refused.
      if (prepared.has(name)) return [closeStatement(name), message]
      prepared.add(name)
      return [message]
    }
    if (message[0] !== bind) return [message]
    const portalEnd = message.indexOf(0, 5) + 1
    const name = message.toString('utf8', portalEnd, message.indexOf(0, portalEnd))
    const first = statements.get(name)
    if (name === '' || first === undefined || prepared.has(name)) return [message]
    prepared.add(name)
    return [first, message]
  })
}

function closeStatement(name: string): Buffer {
  const text = Buffer.from(`S${name}\0`)
  const head = Buffer.alloc(5)
  head.write('C')
  head.writeUInt32BE(text.length + 4, 1)
  return Buffer.concat([head, text])
}
