// Graceful shutdown: between SIGTERM and close, responses carry `Connection: close`. Then
// connections without a request in progress are closed, whatever they sent.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { lastRequestOf, refuseOnSocket } from './broken-requests.ts'

/**
 * After this time without a request, in milliseconds, the service assumes that none is on its way.
 */
const quietMs = 300
/**
 * Longest time to accept requests after SIGTERM, in milliseconds. Some clients ignore `Connection:
 * close`.
 */
const drainMsMax = 3_000
/**
 * Longest time from SIGTERM to the end of the last request, in milliseconds. It leaves three
 * seconds of the ten after which the process ends in any case, to close the database.
 */
const requestsMsMax = 7_000
/** Interval between checks of open connections, in milliseconds. */
const lookMs = 20
/**
 * Checks without new bytes after which an incomplete request is given up: 0.28 s on a connection
 * that sent nothing since SIGTERM, and 2 s otherwise, because a slow upload has pauses. Checks and
 * not time, so that a process that was held up first reads the bytes that have arrived.
 */
const stalledLooks = 14
const pausedLooks = 100

/** The error that ends an incomplete request when the service stops. */
const stopping = Object.assign(new Error('The service is stopping.'), { code: 'LK_STOPPING' })

/**
 * A request may already be on its way on a connection that the service closes, and then fails. So
 * all answers say `Connection: close` for a while first, and clients open their next connection
 * elsewhere, or here again.
 */
export class Drain {
  readonly #onCut: (connections: number) => void
  /**
   * Open connections, each with the bytes it had sent at the last look, how many looks found the
   * same, and whether it has sent any since SIGTERM.
   */
  readonly #open = new Map<Socket, { bytes: number; looks: number; hasMoved: boolean }>()
  #beganAt: number | undefined
  #lastAt = 0
  #isClosing = false

  /** `onCut` is called with the number of connections whose requests did not end in time. */
  constructor(server: Server, onCut: (connections: number) => void) {
    this.#onCut = onCut
    // Run by Node when it begins to close: it cuts answers that are written and not yet sent.
    server.closeIdleConnections = () => undefined
    server.on('connection', (socket) => {
      this.#open.set(socket, { bytes: 0, looks: 0, hasMoved: false })
      socket.once('close', () => this.#open.delete(socket))
    })
  }

  /** True from the moment the service is asked to stop. */
  get begun(): boolean {
    return this.#beganAt !== undefined
  }

  /** From now on, answers close their connections. */
  begin(): void {
    if (this.#beganAt !== undefined) return
    this.#beganAt = performance.now()
    for (const [socket, last] of this.#open) last.bytes = socket.bytesRead
    const timer = setInterval(() => {
      this.#look()
      if (this.#isClosing && this.#open.size === 0) clearInterval(timer)
    }, lookMs).unref()
  }

  /** A request arrived. */
  seen(): void {
    if (this.begun) this.#lastAt = performance.now()
  }

  /** Resolves when no request has arrived for a while, or after the longest time. */
  async run(): Promise<void> {
    this.begin()
    const began = performance.now()
    this.#lastAt = began
    for (;;) {
      const now = performance.now()
      const waitMs = Math.min(this.#lastAt + quietMs, began + drainMsMax) - now
      if (waitMs <= 0) return
      await pause(waitMs)
    }
  }

  /**
   * Closes connections from now on: each when it has no request under way. The server must not
   * accept others.
   */
  closeConnections(): void {
    this.begin()
    this.#isClosing = true
  }

  #look(): void {
    for (const [socket, last] of this.#open) {
      last.looks++
      if (last.bytes === socket.bytesRead) continue
      last.bytes = socket.bytesRead
      last.looks = 0
      last.hasMoved = true
    }
    if (!this.#isClosing) return
    const isLate = performance.now() - (this.#beganAt ?? 0) > requestsMsMax
    if (isLate && this.#open.size > 0) this.#onCut(this.#open.size)
    for (const [socket, { bytes, looks, hasMoved }] of this.#open) {
      const request = lastRequestOf(socket)
      if (isLate || bytes === 0 || (request === 'answered' && !hasMoved)) socket.destroy()
      else if (request === 'underWay' || looks < (hasMoved ? pausedLooks : stalledLooks)) continue
      else if (request === 'answered') socket.destroy()
      else refuseOnSocket(stopping, socket, () => [])
      this.#open.delete(socket)
    }
  }
}
