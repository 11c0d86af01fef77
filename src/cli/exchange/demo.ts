// `lotkeeper demo`: loads the examples into an empty account, and suggests first commands.
import type { Client } from '../../client/client.ts'
import type { NewUnitConversions } from '../../client/generated/shapes.ts'
import type { ReceivingEventPayload } from '../../contract/payloads.ts'
import { location, masterProduct, type RecordKind, receivingEvent, recordKinds } from '../../contract/record-kinds.ts'
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
  const create = async (file: string, { name }: Pick<RecordKind, 'name'>): Promise<string> => {
    remarks.passing(`Loading ${file}…`)
    const { body } = await api.of(name).create({ body: example(file) })
    count++
    return body.request_ids[0] ?? ''
  }
  // Master data first: otherwise an event would set up its locations.
  await create(location.sample, location)
  await create(masterProduct.sample, masterProduct)
  const corrected = await create(receivingEvent.sample, receivingEvent)
  await api.replaceReceivingEvent({ id: corrected, body: eventIn('receiving-event-corrected.json') })
  const chain = chainFiles()
  for (const { file, kind } of chain) await create(file, kind)
  const { body: key } = await api.readOwnKey()
  if (key.role === 'administrator') await api.setUnitConversions({ body: conversions() })
  remarks.passing('')
  await results.write(
    `Loaded ${count} records. One of them was corrected, so it has two versions.\n\n${nextSteps(corrected, chain)}`,
  )
  return undefined
}

/** Kept by administrators only. */
const conversions = () => example('chain/unit-conversions.json') as unknown as NewUnitConversions

const eventIn = (file: string): ReceivingEventPayload => example(file) as unknown as ReceivingEventPayload

type Chain = ReturnType<typeof chainFiles>

const lotCodesIn = (chain: Chain): readonly string[] => [
  ...new Set(
    chain.flatMap(({ file }) =>
      eventIn(file).eventList.productList.flatMap(({ caseLotNumber }) => caseLotNumber ?? []),
    ),
  ),
]

function nextSteps(id: string, chain: Chain): string {
  const lotCodes = lotCodesIn(chain)
  const [transformed] = lotCodesIn(chain.filter(({ kind }) => kind.name === 'transformationEvent'))
  return `Lots on their way from grower to store: ${lotCodes.join(', ')}

Try:
  lotkeeper list events
  lotkeeper trace ${lotCodes[0]}
  lotkeeper chain ${lotCodes[0]}
  lotkeeper chain ${transformed} --direction back
  lotkeeper get ${id}
  lotkeeper diff ${id}
`
}
