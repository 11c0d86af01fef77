// The chain of examples/chain: two farms, a salad and three stores.
import { readdirSync, readFileSync } from 'node:fs'
import { type EventKindName, eventKindList } from '../../src/contract/record-kinds.ts'
import { type Payload, paths } from '../support/records/payloads.ts'
import type { Call } from '../support/servers/service.ts'

const folder = new URL('../../examples/chain/', import.meta.url)

const kindOf = (file: string): EventKindName => {
  const kind = eventKindList.find(({ path }) => path.endsWith(`/${file.split('.')[1]}`))
  if (kind === undefined) throw new Error(`${file} names no kind of event.`)
  return kind.name
}

/** Its events in the order of the way, by the names of their files, which have their kinds. */
export const exampleChain: ReadonlyMap<string, { readonly kind: EventKindName; readonly body: Payload }> = new Map(
  readdirSync(folder)
    .filter((name) => /^\d.*\.json$/.test(name))
    .sort()
    .map((name) => [name, { kind: kindOf(name), body: JSON.parse(readFileSync(new URL(name, folder), 'utf8')) }]),
)

/** Stores all of them, and returns the findings of each. */
export async function sendExampleChain(call: Call): Promise<ReadonlyMap<string, readonly Payload[]>> {
  const findings = new Map<string, readonly Payload[]>()
  for (const [name, { kind, body }] of exampleChain) {
    const reply = await call('POST', paths[kind], { body, headers: { prefer: 'return=representation' } })
    if (reply.status !== 201) throw new Error(`${name}: ${reply.text}`)
    findings.set(name, reply.body.findings)
  }
  return findings
}
