// `lotkeeper partners`: shows, creates and replaces a partner, and accepts an invitation.

import type { Client } from '../../client/client.ts'
import type { Partner, PartnerSettings, SharingPreview } from '../../client/generated/shapes.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { tableText } from '../../terminal/table.ts'
import { plain, results } from '../../terminal/terminal.ts'
import { payloadIn } from '../base/payload-file.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'
import { placeColumns } from './place-columns.ts'

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
    // The output of `show` replaces the version that it printed, and no later one.
    const { body: replaced } = await api.replacePartner({ id, body, ifMatch: version })
    return [replaced, `Partner ${id} is replaced.\n`]
  })

/**
 * The fields that `show` prints beside the settings, so that its output can be edited and sent
 * back.
 */
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

/** Sends the settings in a file; a dry run prints the preview of the partner's account. */
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
