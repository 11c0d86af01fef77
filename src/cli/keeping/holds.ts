// `lotkeeper holds`: lists, sets and lifts legal holds, which keep records from being purged.
import type { ListLegalHoldsRequest } from '../../client/generated/methods.ts'
import type { LegalHold } from '../../client/generated/shapes.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import type { Column } from '../../terminal/table.ts'
import { results } from '../../terminal/terminal.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'
import { type ListOptions, writePages } from '../records/list.ts'

interface SetOptions extends RemoteOptions {
  readonly reason: string
  readonly recordId?: string
  readonly lotCode?: string
  readonly dataProviderVendorId?: string
  readonly eventStartDate?: string
  readonly eventEndDate?: string
  readonly everything?: true
}

export const listHolds = ({
  json = false,
  all = false,
  query,
  ...options
}: ListOptions<ListLegalHoldsRequest>): Promise<CommandEnd> =>
  withClient({ ...options, json }, (api) =>
    writePages(api.listLegalHolds, query, columns, { json, all, nouns: 'legal holds' }),
  )

export const setHold = ({ url, key, ...body }: SetOptions): Promise<CommandEnd> =>
  withClient({ url, ...(key !== undefined && { key }) }, async (api) => {
    const { body: hold } = await api.setLegalHold({ body })
    await results.write(`${hold.id}\n`)
    return undefined
  })

export const liftHold = (id: string, service: RemoteOptions): Promise<CommandEnd> =>
  withClient(service, async (api) => {
    const { body: hold } = await api.liftLegalHold({ id })
    await results.write(`Legal hold ${hold.id} was lifted on ${hold.liftedDateTime}.\n`)
    return undefined
  })

const columns: readonly Column<LegalHold>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'set', cell: ({ setDateTime }) => setDateTime.slice(0, 10) },
  { heading: 'lifted', cell: ({ liftedDateTime }) => liftedDateTime?.slice(0, 10) ?? '' },
  { heading: 'holds', cell: whatWords },
  { heading: 'reason', cell: ({ reason }) => reason },
]

function whatWords({ recordId, lotCode, dataProviderVendorId, eventStartDate, eventEndDate }: LegalHold): string {
  const words = [
    recordId && `record ${recordId}`,
    lotCode && `lot ${lotCode}`,
    dataProviderVendorId && `vendor ${dataProviderVendorId}`,
    eventStartDate && `from ${eventStartDate}`,
    eventEndDate && `to ${eventEndDate}`,
  ].filter(Boolean)
  return words.length === 0 ? 'everything' : words.join(', ')
}
