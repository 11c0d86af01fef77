// `lotkeeper holds`: what is not purged whatever its age. Lists, sets and lifts legal holds.
import type { Answered } from '../client/asked.ts'
import type { CommandEnd } from '../terminal/command-end.ts'
import type { Column } from '../terminal/table.ts'
import { results } from '../terminal/terminal.ts'
import { ask } from './kinds.ts'
import { type ListOptions, writePages } from './list.ts'
import { type RemoteOptions, withClient } from './remote.ts'

interface Hold {
  readonly id: string
  readonly reason: string
  readonly recordId: string | null
  readonly lotCode: string | null
  readonly dataProviderVendorId: string | null
  readonly eventStartDate: string | null
  readonly eventEndDate: string | null
  readonly setDateTime: string
  readonly liftedDateTime: string | null
}

interface SetOptions extends RemoteOptions {
  readonly reason: string
  readonly recordId?: string
  readonly lotCode?: string
  readonly dataProviderVendorId?: string
  readonly eventStartDate?: string
  readonly eventEndDate?: string
  readonly everything?: true
}

export const listHolds = ({ json = false, all = false, query, ...options }: ListOptions): Promise<CommandEnd> =>
  withClient({ ...options, json }, (api) =>
    writePages(api, 'listLegalHolds', query, columns, { json, all, nouns: 'legal holds' }),
  )

export const setHold = ({ url, key, ...body }: SetOptions): Promise<CommandEnd> =>
  withClient({ url, ...(key !== undefined && { key }) }, async (api) => {
    const { body: hold }: Answered<Hold> = await ask(api, 'setLegalHold', { body })
    await results.write(`${hold.id}\n`)
    return undefined
  })

export const liftHold = (id: string, service: RemoteOptions): Promise<CommandEnd> =>
  withClient(service, async (api) => {
    const { body: hold }: Answered<Hold> = await ask(api, 'liftLegalHold', { id })
    await results.write(`Legal hold ${hold.id} was lifted on ${hold.liftedDateTime}.\n`)
    return undefined
  })

const columns: readonly Column<Hold>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'set', cell: ({ setDateTime }) => setDateTime.slice(0, 10) },
  { heading: 'lifted', cell: ({ liftedDateTime }) => liftedDateTime?.slice(0, 10) ?? '' },
  { heading: 'holds', cell: whatWords },
  { heading: 'reason', cell: ({ reason }) => reason },
]

function whatWords({ recordId, lotCode, dataProviderVendorId, eventStartDate, eventEndDate }: Hold): string {
  const words = [
    recordId && `record ${recordId}`,
    lotCode && `lot ${lotCode}`,
    dataProviderVendorId && `vendor ${dataProviderVendorId}`,
    eventStartDate && `from ${eventStartDate}`,
    eventEndDate && `to ${eventEndDate}`,
  ].filter(Boolean)
  return words.length === 0 ? 'everything' : words.join(', ')
}
