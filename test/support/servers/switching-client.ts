// Clients as programs have them: one connection each, kept as long as the service lets them, and
// the next service when it does not.
import { Agent, type IncomingMessage, request } from 'node:http'

interface Ended {
  /** Answers by status. */
  readonly answers: Readonly<Record<number, number>>
  /** Requests that were sent and got no answer, by what happened. */
  readonly failed: readonly string[]
  /** Ids of the records that were created. */
  readonly created: readonly string[]
}

export interface SwitchingLoad {
  answered(): number
  /** Resolves when every client has stopped. */
  readonly ended: Promise<Ended>
  stop(): void
}

/**
 * So many clients that send one request after another, to the first of the addresses and, once that
 * one asks them to leave or takes no connection, to the next. A client that finds nobody stops.
 */
export function switchingLoad(
  clients: number,
  addresses: readonly string[],
  send: () => { readonly method: string; readonly path: string; readonly body: string; readonly key: string },
): SwitchingLoad {
  const answers: Record<number, number> = {}
  const failed: string[] = []
  const created: string[] = []
  let [stopped, answered] = [false, 0]
  const client = async (): Promise<void> => {
    let [at, refusals] = [0, 0]
    let agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!stopped && refusals < addresses.length) {
      const { method, path, body, key } = send()
      try {
        const { status, text, close } = await ask(
          agent,
          `${addresses[at % addresses.length]}${path}`,
          method,
          body,
          key,
        )
        answered++
        refusals = 0
        answers[status] = (answers[status] ?? 0) + 1
        if (status === 201) created.push(...JSON.parse(text).request_ids)
        if (!close) continue
        if (addresses.length === 1) break
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        // No connection came about: nothing was sent.
        if (code !== 'ECONNREFUSED') failed.push(code ?? message)
        refusals++
      }
      at++
      agent.destroy()
      agent = new Agent({ keepAlive: true, maxSockets: 1 })
    }
    agent.destroy()
  }
  const ended = Promise.all(Array.from({ length: clients }, client)).then(() => ({ answers, failed, created }))
  return {
    answered: () => answered,
    ended,
    stop: () => {
      stopped = true
    },
  }
}

function ask(agent: Agent, url: string, method: string, body: string, key: string) {
  return new Promise<{ status: number; text: string; close: boolean }>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body !== '' && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    }
    const call = request(url, { method, agent, headers }, (reply: IncomingMessage) => {
      let text = ''
      reply.on('data', (part) => {
        text += part
      })
      reply.once('end', () =>
        resolve({ status: reply.statusCode ?? 0, text, close: reply.headers.connection === 'close' }),
      )
      reply.once('error', reject)
    })
    call.once('error', reject).end(body)
  })
}
