// The lot through four tiers of examples/chain.
import { readdirSync, readFileSync } from 'node:fs'
import { type Payload, paths } from '../support/records/payloads.ts'
import type { Call } from '../support/servers/service.ts'

const folder = new URL('../../examples/chain/', import.meta.url)

/** Its receiving events, in the order of the way, by the names of their files. */
export const exampleChain: ReadonlyMap<string, Payload> = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), 'utf8'))]),
)

/** Stores all of them. */
export async function sendExampleChain(call: Call): Promise<void> {
  for (const [name, body] of exampleChain) {
    const reply = await call('POST', paths.receivingEvent, { body })
    if (reply.status !== 201) throw new Error(`${name}: ${reply.text}`)
  }
}
