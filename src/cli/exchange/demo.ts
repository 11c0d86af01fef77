// `lotkeeper demo`: loads the examples into an empty account, and suggests first commands.
import type { Client } from '../../client/client.ts'
import type { ReceivingEventPayload } from '../../contract/payloads.ts'
import { location, masterProduct, receivingEvent, recordKindOf, recordKinds } from '../../contract/record-kinds.ts'
import { chainFiles, example } from '../../operator/examples.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { remarks, results } from '../../terminal/terminal.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'

export async function demo(options: RemoteOptions): Promise<CommandEnd> {
  if (options.key) return withClient(options, load)
  // The whole service: loaded only where it is to run.
  const { withNewDatabase } = await import('../../operator/new-database.ts')
  return withNewDatabase((service) => withClient(service, load))
}

async function load(api: Client): Promise<CommandEnd> {
  for (const { name, nouns } of recordKinds) {
    const { body } = await api.of(name).list({ limit: 1 })
    if (body.content.length > 0)
      return {
        problem: `The provider already has ${nouns}, and the examples go only to a provider without records. Use the key of a new provider: lotkeeper keys create --provider demo`,
      }
  }
  let count = 0
  const create = async (file: string): Promise<string> => {
    const payload = example(file)
    const kind = recordKindOf(payload)
    if (kind === undefined) throw new Error(`${file} holds no record.`)
    remarks.passing(`Loading ${file}…`)
    const { body } = await api.of(kind.name).create({ body: payload })
    count++
    return body.request_ids[0] ?? ''
  }
  // Master data first: otherwise an event would set up its locations.
  await create(location.sample)
  await create(masterProduct.sample)
  const corrected = await create(receivingEvent.sample)
  await api.replaceReceivingEvent({ id: corrected, body: eventIn('receiving-event-corrected.json') })
  const chain = chainFiles()
  for (const file of chain) await create(file)
  remarks.passing('')
  await results.write(
    `Loaded ${count} records. One of them was corrected, so it has two versions.\n\n${nextSteps(corrected, lotCodesIn(chain))}`,
  )
  return undefined
}

const eventIn = (file: string): ReceivingEventPayload => example(file) as unknown as ReceivingEventPayload

const lotCodesIn = (files: readonly string[]): readonly string[] => [
  ...new Set(
    files.flatMap((file) => eventIn(file).eventList.productList.flatMap(({ caseLotNumber }) => caseLotNumber ?? [])),
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
