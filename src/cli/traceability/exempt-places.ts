// `lotkeeper exempt-places`: shows the places to which the rule does not apply, and sets those of a
// file.
import type { NewExemptPlace, NewExemptPlaces } from '../../client/generated/shapes.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { type Column, tableText } from '../../terminal/table.ts'
import { remarks, results } from '../../terminal/terminal.ts'
import { payloadIn } from '../base/payload-file.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'

type Exemption = NonNullable<NewExemptPlace['exemptions']>[number]
interface Row extends Exemption {
  readonly place: NewExemptPlace
}

const columns: readonly Column<Row>[] = [
  { heading: 'vendor', cell: ({ place }) => place.dataProviderVendorId },
  { heading: 'ship-from location', cell: ({ place }) => place.locationCode ?? 'all others' },
  { heading: 'reason', cell: ({ reason }) => reason },
  { heading: 'from', cell: ({ startDate }) => startDate ?? '' },
  { heading: 'to', cell: ({ endDate }) => endDate ?? '' },
  { heading: 'ship-to locations', cell: ({ shipToLocationCodes }) => shipToLocationCodes?.join(', ') ?? 'all' },
  { heading: 'note', cell: ({ note }) => note ?? '' },
]

export const showExemptPlaces = (options: RemoteOptions): Promise<CommandEnd> =>
  withClient(options, async (api) => {
    const { body } = await api.listExemptPlaces()
    const places = body.content.map(({ place }) => place)
    const rows = places.flatMap((place) => (place.exemptions ?? []).map((one): Row => ({ ...one, place })))
    if (options.json) await results.write(`${JSON.stringify({ places }, null, 2)}\n`)
    else if (rows.length === 0) await remarks.say('No place is exempt.')
    else await results.write(tableText(columns, rows))
    return undefined
  })

interface SetOptions extends RemoteOptions {
  readonly ifMatch?: number
}

export async function setExemptPlaces(file: string, { ifMatch, ...options }: SetOptions): Promise<CommandEnd> {
  const payload = await payloadIn(file)
  if ('problem' in payload) return { problem: `${payload.place}: ${payload.problem}` }
  return withClient(options, async (api) => {
    const { body } = await api.setExemptPlaces({
      body: payload.body.value as Partial<NewExemptPlaces> as NewExemptPlaces,
      ...(ifMatch !== undefined && { ifMatch }),
    })
    await results.write(
      options.json ? `${JSON.stringify(body)}\n` : `Set the exemptions of ${pluralize(body.set, 'place')}.\n`,
    )
    return undefined
  })
}
