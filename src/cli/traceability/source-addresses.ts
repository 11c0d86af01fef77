// `lotkeeper source-addresses`: shows the web addresses of sources of lot codes, and sets those of
// a file.
import type { NewSourceAddresses, SourceAddress } from '../../client/generated/shapes.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { type Column, tableText } from '../../terminal/table.ts'
import { remarks, results } from '../../terminal/terminal.ts'
import { payloadIn } from '../base/payload-file.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'

const columns: readonly Column<SourceAddress>[] = [
  { heading: 'address', cell: ({ path }) => path },
  { heading: 'vendor', cell: ({ address }) => address.dataProviderVendorId ?? '' },
  { heading: 'location', cell: ({ address }) => address.locationCode ?? 'closed' },
]

export const showSourceAddresses = (options: RemoteOptions): Promise<CommandEnd> =>
  withClient(options, async (api) => {
    const { content } = (await api.listSourceAddresses()).body
    if (options.json)
      await results.write(`${JSON.stringify({ addresses: content.map(({ address }) => address) }, null, 2)}\n`)
    else if (content.length === 0) await remarks.say('No address is open.')
    else await results.write(tableText(columns, content))
    return undefined
  })

interface SetOptions extends RemoteOptions {
  readonly ifMatch?: number
}

export async function setSourceAddresses(file: string, { ifMatch, ...options }: SetOptions): Promise<CommandEnd> {
  const payload = await payloadIn(file)
  if ('problem' in payload) return { problem: `${payload.place}: ${payload.problem}` }
  return withClient(options, async (api) => {
    const { body } = await api.setSourceAddresses({
      body: payload.body.value as Partial<NewSourceAddresses> as NewSourceAddresses,
      ...(ifMatch !== undefined && { ifMatch }),
    })
    await results.write(
      options.json ? `${JSON.stringify(body)}\n` : `Set ${pluralize(body.set, 'address', 'addresses')}.\n`,
    )
    return undefined
  })
}
