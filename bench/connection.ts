// One kept-alive HTTP/1.1 connection on a bare socket. A client of its own, because on two cores
// everything the load generator does not spend is left to what it measures. One request at a time:
// no pipelining.
import { connect, type Socket } from 'node:net'

/**
 * Called once per request; `status` is 0 when the connection broke. `head` is the status line and
 * the headers.
 */
type OnReply = (status: number, head: string) => void

export interface HttpConnection {
  /** Sends one whole request, head and body, in Latin-1. */
  send(request: string, onReply: OnReply): void
  close(): void
}

const readBufferBytes = 64 * 1024
const headEnd = Buffer.from('\r\n\r\n')

/**
 * Connects; the reply has to say how long it is (`Content-Length`), as every reply of the service
 * does.
 */
export function openConnection(address: URL): Promise<HttpConnection> {
  return new Promise((resolve, reject) => {
    let onReply: OnReply | undefined
    /** Read of the reply under way and not understood yet: its head came in parts. */
    let unread: Buffer = Buffer.alloc(0)
    let status = 0
    let head = ''
    let bodyBytesLeft = 0

    const read = (chunk: Buffer): void => {
      if (bodyBytesLeft > 0) {
        bodyBytesLeft -= chunk.length
        if (bodyBytesLeft === 0) finish()
        return
      }
      const bytes = unread.length === 0 ? chunk : Buffer.concat([unread, chunk])
      const end = bytes.indexOf(headEnd)
      if (end < 0) {
        unread = Buffer.from(bytes)
        return
      }
      unread = unread.length === 0 ? unread : Buffer.alloc(0)
      head = bytes.toString('latin1', 0, end)
      status = Number(head.slice(9, 12))
      const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
      if (length === undefined) throw new Error(`A reply without Content-Length:\n${head}`)
      bodyBytesLeft = Number(length) - (bytes.length - end - headEnd.length)
      if (bodyBytesLeft === 0) finish()
    }
    const finish = () => {
      const answer = onReply
      onReply = undefined
      answer?.(status, head)
    }
    const broke = () => {
      status = 0
      finish()
    }

    const socket: Socket = connect({
      host: address.hostname,
      port: Number(address.port),
      noDelay: true,
      onread: {
        // One buffer per connection, used again for every read: no allocation per reply.
        buffer: Buffer.allocUnsafe(readBufferBytes),
        callback: (count, buffer) => {
          read(Buffer.from(buffer.buffer, buffer.byteOffset, count))
          return true
        },
      },
    })
    socket.once('connect', () =>
      resolve({
        send: (request, answer) => {
          onReply = answer
          socket.write(request, 'latin1')
        },
        close: () => socket.destroy(),
      }),
    )
    socket.once('error', (error) => {
      reject(error)
      broke()
    })
    socket.once('close', broke)
  })
}
