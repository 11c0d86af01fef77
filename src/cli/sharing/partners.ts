// `lotkeeper partners`: customers and vendors who see what was sent to them, and what they read.

import type { Client } from '../../client/client.ts'
import type {
  ListDeletedPartnersRequest,
  ListPartnerAccessesRequest,
  ListPartnersRequest,
  SuggestPlacesRequest,
} from '../../client/generated/methods.ts'
import type {
  DeletedPartner,
  Partner,
  PartnerAccess,
  PartnerSettings,
  SharingPreview,
  SuggestedPlace,
  UncoveredPlace,
} from '../../client/generated/shapes.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { type Column, tableText } from '../../terminal/table.ts'
import { plain, results } from '../../terminal/terminal.ts'
import { payloadIn } from '../base/payload-file.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'
import { type ListOptions, writePages } from '../records/list.ts'

export const listPartners = ({
  json = false,
  all = false,
  query,
  ...options
}: ListOptions<ListPartnersRequest>): Promise<CommandEnd> =>
  withClient({ ...options, json }, (api) =>
    writePages(api.listPartners, query, columns, { json, all, nouns: 'partners' }),
  )

export const listDeletedPartners = ({
  json = false,
  all = false,
  query,
  ...options
}: ListOptions<ListDeletedPartnersRequest>): Promise<CommandEnd> =>
  withClient({ ...options, json }, (api) =>
    writePages(api.listDeletedPartners, query, deletedColumns, { json, all, nouns: 'deleted partners' }),
  )

export const showPartner = (id: string, options: RemoteOptions): Promise<CommandEnd> =>
  withClient(options, async (api) => {
    const { body, version } = await api.readPartner({ id })
    await results.write(`${JSON.stringify({ ...body, version }, null, options.json ? undefined : 2)}\n`)
    return undefined
  })

interface ChangeOptions extends RemoteOptions {
  readonly dryRun?: true
}

export const createPartner = (file: string, options: ChangeOptions): Promise<CommandEnd> =>
  send(file, options, async (api, body) => {
    if (options.dryRun) return [(await api.createPartner({ body, dryRun: true })).body]
    const { body: made } = await api.createPartner({ body })
    return [made, `Partner ${made.id} is created. Invite a person or program: lotkeeper partners invite ${made.id}\n`]
  })

export const replacePartner = (id: string, file: string, options: ChangeOptions): Promise<CommandEnd> =>
  send(file, options, async (api, body, version) => {
    if (options.dryRun) return [(await api.replacePartner({ id, body, dryRun: true })).body]
    // What `show` printed replaces the version that it printed, and no later one.
    const { body: replaced } = await api.replacePartner({ id, body, ifMatch: version })
    return [replaced, `Partner ${id} is replaced.\n`]
  })

/** What `show` prints beside the settings, so that its output can be edited and sent back. */
const readOnly = [
  'id',
  'state',
  'completeDateTime',
  'records',
  'keys',
  'createdDateTime',
  'changedDateTime',
  'version',
] as const satisfies readonly (keyof Partner | 'version')[]

/** Sends the settings in a file; of a dry run it says what the partner would see. */
async function send(
  file: string,
  options: ChangeOptions,
  work: (
    api: Client,
    settings: PartnerSettings,
    version: number | undefined,
  ) => Promise<readonly [SharingPreview | Partner, words?: string]>,
): Promise<CommandEnd> {
  const payload = await payloadIn(file)
  if ('problem' in payload) return { problem: `${payload.place}: ${payload.problem}` }
  const settings = Object.fromEntries(
    Object.entries(payload.body.value).filter(([name]) => !readOnly.some((one) => one === name)),
  ) as unknown as PartnerSettings
  const { version } = payload.body.value
  return withClient(options, async (api) => {
    const [answer, words] = await work(api, settings, typeof version === 'number' ? version : undefined)
    if (options.json) await results.write(`${JSON.stringify(answer)}\n`)
    else await results.write(words ?? previewText(answer as SharingPreview))
    return undefined
  })
}

const countOf = ({ events, orMore }: SharingPreview['opened']): string =>
  `${orMore ? 'more than ' : ''}${pluralize(events, 'event')}`

function previewText({ opened, notCovered, withdrawn }: SharingPreview): string {
  const opens = `Opens ${countOf(opened)}. Nothing is stored.\n`
  const takes = withdrawn.events > 0 ? `Withdraws ${countOf(withdrawn)} that the partner sees today.\n` : ''
  if (notCovered.length === 0) return opens + takes
  return `${opens}${takes}Places that look like the partner's and are not covered:\n${tableText(placeColumns, notCovered)}`
}

export const deletePartner = (id: string, options: RemoteOptions): Promise<CommandEnd> =>
  withClient(options, async (api) => {
    await api.deletePartner({ id })
    await results.write(`Partner ${id} is deleted. Its keys no longer work, and everything is withdrawn.\n`)
    return undefined
  })

export const suggestPlaces = ({
  json = false,
  all = false,
  query,
  ...options
}: ListOptions<SuggestPlacesRequest>): Promise<CommandEnd> =>
  withClient({ ...options, json }, (api) =>
    writePages(api.suggestPlaces, query, suggestedColumns, { json, all, nouns: 'places' }),
  )

interface InviteOptions extends RemoteOptions {
  readonly personName?: string
  readonly label?: string
  readonly expiresInHours?: number
}

export const invitePartner = (id: string, { url, key, json, ...body }: InviteOptions): Promise<CommandEnd> =>
  withClient({ url, json, ...(key !== undefined && { key }) }, async (api) => {
    const { body: made } = await api.invitePartner({ id, body })
    if (json) await results.write(`${JSON.stringify(made)}\n`)
    else
      await results.write(
        `${new URL(made.path, url)}\nThe link is shown only once. It works once, until ${made.expiresDateTime}.\n`,
      )
    return undefined
  })

export const acceptInvitation = async (link: string, options: { readonly json?: true }): Promise<CommandEnd> => {
  if (!URL.canParse(link) || !/^#lk_/.test(new URL(link).hash))
    return { problem: 'This is not the link of an invitation. Copy the whole link.', calledWrongly: true }
  const { origin, hash } = new URL(link)
  return withClient({ url: origin, key: hash.slice(1), ...options }, async (api) => {
    const { body } = await api.acceptInvitation({ body: {} })
    if (options.json) await results.write(`${JSON.stringify(body)}\n`)
    else
      await results.write(
        `You can read what ${plain(body.sharedBy ?? 'the sender')} shares with you. Your key, shown only once:\n${body.key}\n`,
      )
    return undefined
  })
}

export const revokePartnerKey = (id: string, keyId: string, options: RemoteOptions): Promise<CommandEnd> =>
  withClient(options, async (api) => {
    await api.revokePartnerKey({ id, body: { keyId } })
    await results.write(`Key ${keyId} is revoked.\n`)
    return undefined
  })

export const listPartnerAccesses = ({
  json = false,
  all = false,
  query,
  ...options
}: ListOptions<ListPartnerAccessesRequest>): Promise<CommandEnd> =>
  withClient({ ...options, json }, (api) =>
    writePages(api.listPartnerAccesses, query, accessColumns, { json, all, nouns: 'accesses' }),
  )

const columns: readonly Column<Partner>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'name', cell: ({ name }) => name },
  { heading: 'state', cell: ({ state }) => state },
  { heading: 'places', cell: ({ places }) => String(places.length), right: true },
  { heading: 'grants', cell: ({ grants }) => String(grants.length), right: true },
  { heading: 'events', cell: ({ records }) => String(records.receivingEvents), right: true },
]

const placeColumns: readonly Column<UncoveredPlace>[] = [
  { heading: 'code', cell: ({ locationCode }) => locationCode },
  { heading: 'vendors', cell: ({ dataProviderVendorIds }) => dataProviderVendorIds.join(', ') },
  { heading: 'gln', cell: ({ gln }) => gln ?? '' },
  { heading: 'name', cell: ({ locationName }) => locationName ?? '' },
  { heading: 'events', cell: ({ events }) => String(events), right: true },
  { heading: 'last', cell: ({ lastEventDate }) => lastEventDate },
]

const deletedColumns: readonly Column<DeletedPartner>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'name', cell: ({ name }) => name },
  { heading: 'deleted', cell: ({ deletedDateTime }) => deletedDateTime },
]

const suggestedColumns: readonly Column<SuggestedPlace>[] = [
  ...placeColumns,
  { heading: 'partner', cell: ({ partner }) => partner?.name ?? '' },
]

const accessColumns: readonly Column<PartnerAccess>[] = [
  { heading: 'when', cell: ({ beganDateTime }) => beganDateTime },
  { heading: 'operation', cell: ({ operation }) => operation },
  { heading: 'key', cell: ({ keyName, who }) => keyName ?? who },
  { heading: 'ended', cell: ({ ending }) => ending },
  { heading: 'records', cell: ({ records }) => String(records ?? ''), right: true },
  { heading: 'bytes', cell: ({ bytes }) => String(bytes ?? ''), right: true },
]
