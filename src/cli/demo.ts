// `lotkeeper demo`: loads the examples where there is nothing yet, and says what to try with them.
import type { Client } from '../client/client.ts'
import { readConfig } from '../config.ts'
import type { ReceivingEventPayload } from '../contract/payloads.ts'
import { location, masterProduct, receivingEvent, recordKindOf } from '../contract/record-kinds.ts'
import { start } from '../main.ts'
import type { CommandEnd } from './command-end.ts'
import { chainFiles, example } from './examples.ts'
import { ask, kinds, operationsOf } from './kinds.ts'
import { type RemoteOptions, withClient } from './remote.ts'
import { remarks, results } from './terminal.ts'

export const demo = (options: RemoteOptions): Promise<CommandEnd> =>
  options.key ? withClient(options, (api) => load(api)) : loadIntoNewDatabase()

/** The demonstration is the first start of the database: it makes the first key, as `serve` would. */
async function loadIntoNewDatabase(): Promise<CommandEnd> {
  const config = readConfig(process.env)
  if ('problem' in config) return config
  const place = config.databaseUrl === undefined ? `in ${config.dataDir}` : 'at DATABASE_URL'
  await remarks.say(`No key is given, so the examples go into a new database ${place}. This takes some seconds.`)
  const running = await start({ ...config, host: '127.0.0.1', port: 0, workers: 1, logLevel: 'silent' })
  if ('problem' in running)
    return { problem: `${running.problem} Or load into a running service: give its key with LOTKEEPER_KEY or --key.` }
  try {
    const key = running.firstKey
    if (key === undefined)
      return {
        problem: `The ${running.databaseName} already has data, and the examples go only into a database without records. Set DATA_DIR to a new folder, or give a key with LOTKEEPER_KEY or --key.`,
      }
    await remarks.say('Here is its first key (role: administrator); it is shown only once:')
    await remarks.write(`\n  export LOTKEEPER_URL=http://127.0.0.1:${config.port} LOTKEEPER_KEY=${key}\n\n`)
    const ended = await withClient({ url: running.address, key }, (api) => load(api))
    if (ended === undefined) await remarks.write('\nBefore that, start the service: lotkeeper serve\n')
    return ended
  } finally {
    await running.stop()
  }
}

async function load(api: Client): Promise<CommandEnd> {
  for (const { kind, list } of Object.values(kinds)) {
    const { body } = await ask<{ readonly content: readonly unknown[] }>(api, list, { limit: '1' })
    if (body.content.length > 0)
      return {
        problem: `The provider already has ${kind.nouns}, and the examples go only to a provider without records. Use the key of a new provider: lotkeeper keys create --provider demo`,
      }
  }
  let count = 0
  const create = async (file: string): Promise<string> => {
    const payload = example(file)
    const kind = recordKindOf(payload)
    if (kind === undefined) throw new Error(`${file} holds no record.`)
    remarks.passing(`Loading ${file}…`)
    const { body } = await ask<{ readonly request_ids: readonly string[] }>(api, operationsOf(kind).create, {
      body: payload,
    })
    count++
    return body.request_ids[0] ?? ''
  }
  // Master data first: an event would set its locations up itself.
  await create(location.sample)
  await create(masterProduct.sample)
  const corrected = await create(receivingEvent.sample)
  await ask(api, 'replaceReceivingEvent', { id: corrected, body: example('receiving-event-corrected.json') })
  const chain = chainFiles()
  for (const file of chain) await create(file)
  remarks.passing('')
  await results.write(
    `Loaded ${count} records. One of them was corrected, so it has two versions.\n\n${nextSteps(corrected, lotCodesIn(chain))}`,
  )
  return undefined
}

const lotCodesIn = (files: readonly string[]): readonly string[] => [
  ...new Set(
    files.flatMap((file) => {
      const { eventList } = example(file) as unknown as ReceivingEventPayload
      return eventList.productList.flatMap(({ caseLotNumber }) => caseLotNumber ?? [])
    }),
  ),
]

const nextSteps = (
  id: string,
  lotCodes: readonly string[],
): string => `Lots on their way from grower to store: ${lotCodes.join(', ')}

Try:
  lotkeeper list events
  lotkeeper trace ${lotCodes[0]}
  lotkeeper get ${id}
  lotkeeper diff ${id}
`
