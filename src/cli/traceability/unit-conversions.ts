// `lotkeeper unit-conversions`: shows how much of one unit another is, by item, and sets it.
import type { NewUnitConversions, UnitConversion } from '../../client/generated/shapes.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { type Column, tableText } from '../../terminal/table.ts'
import { results } from '../../terminal/terminal.ts'
import { payloadIn } from '../base/payload-file.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'

type Conversion = UnitConversion['conversion']

const columns: readonly Column<Conversion>[] = [
  { heading: 'item', cell: ({ itemCode = 'all items' }) => itemCode },
  { heading: 'vendor', cell: ({ dataProviderVendorId = '' }) => dataProviderVendorId },
  {
    heading: 'conversions',
    cell: ({ units = [] }) => units.map(({ unit, quantity, inUnit }) => `1 ${unit} = ${quantity} ${inUnit}`).join(', '),
  },
]

/** As JSON it has the form that `unit-conversions set` takes. */
export const showUnitConversions = (options: RemoteOptions): Promise<CommandEnd> =>
  withClient(options, async (api) => {
    const { body } = await api.listUnitConversions()
    const conversions = body.content.map(({ conversion }) => conversion)
    if (options.json) await results.write(`${JSON.stringify({ conversions }, null, 2)}\n`)
    else if (conversions.length === 0) await results.say('No conversion is set.')
    else await results.write(tableText(columns, conversions))
    return undefined
  })

export async function setUnitConversions(file: string, options: RemoteOptions): Promise<CommandEnd> {
  const payload = await payloadIn(file)
  if ('problem' in payload) return { problem: `${payload.place}: ${payload.problem}` }
  return withClient(options, async (api) => {
    const { body } = await api.setUnitConversions({
      body: payload.body.value as Partial<NewUnitConversions> as NewUnitConversions,
    })
    if (options.json) await results.write(`${JSON.stringify(body)}\n`)
    else await results.say(`Set the conversions of ${pluralize(body.set, 'item')}.`)
    return undefined
  })
}
