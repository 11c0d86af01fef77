// `lotkeeper differences`: differences between shipping and receiving events, counted and listed.

import type { ListDifferencesRequest } from '../../client/generated/methods.ts'
import type { DeliveryDifference, DifferencePage } from '../../client/generated/shapes.ts'
import { eachEntry } from '../../client/pages.ts'
import { differenceKindWords, kindCountsText } from '../../contract/difference-kinds.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { type Column, tableText } from '../../terminal/table.ts'
import { remarks, results } from '../../terminal/terminal.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'
import { download } from '../records/download.ts'

interface DifferencesOptions extends RemoteOptions {
  readonly query: ListDifferencesRequest
  readonly all?: boolean
  readonly output?: string
}

/** Differences that one call asks for, where all are wanted. */
const pageSize = 200

export const differences = ({ json, all, output, query, ...service }: DifferencesOptions): Promise<CommandEnd> =>
  withClient({ ...service, json }, async (api) => {
    if (output !== undefined && query.format !== 'csv')
      return { problem: '--output saves a file. Add --format csv.', calledWrongly: true }
    const { body, file } = await api.listDifferences(all ? { limit: pageSize, ...query } : query)
    if (file !== undefined) return download({ name: file.name ?? 'differences.csv', parts: file.stream }, output)
    const content = [...body.content]
    if (all && body.nextCursor !== null)
      for await (const one of eachEntry(api.listDifferences, { limit: pageSize, ...query, cursor: body.nextCursor }))
        content.push(one)
    const nextCursor = all ? null : body.nextCursor
    if (json) await results.write(`${JSON.stringify({ ...body, content, nextCursor }, undefined, 2)}\n`)
    else await writeText({ ...body, content })
    if (nextCursor !== null)
      await remarks.say(`There are more. Continue with --cursor ${nextCursor}, or list all with --all.`)
    return undefined
  })

async function writeText(page: DifferencePage): Promise<void> {
  const { eventStartDate, eventEndDate, shipped, received, underWayLines, notCompared, by, groups, groupCount } = page
  const title = `Shipped and received ${eventStartDate} to ${eventEndDate}: ${pluralize(page.differences, 'difference')} between ${pluralize(shipped.events, 'shipping event')} and ${pluralize(received.events, 'receiving event')}`
  await results.write(`${results.styled('bold', title)}\n`)
  if (groups.length > 0) await results.write(`\n${tableText(groupColumnsBy(by), groups)}`)
  if (page.content.length > 0) await results.write(`\n${tableText(columns, page.content)}`)
  if (groupCount > groups.length) await remarks.say(`${groupCount - groups.length} more groups are not listed.`)
  if (underWayLines > 0) await remarks.say(`${pluralize(underWayLines, 'shipped line')} may still be under way.`)
  if (notCompared.receivedEvents > 0)
    await remarks.say(
      `${pluralize(notCompared.receivedEvents, 'receiving event')} of vendors without shipping events left out.`,
    )
  if (notCompared.shippedEvents > 0)
    await remarks.say(
      `${pluralize(notCompared.shippedEvents, 'shipping event')} to places that receive nothing here left out.`,
    )
}

const keyHeadings = {
  dataProviderVendorId: 'vendor',
  shipToLocationCode: 'to',
  date: 'date',
} as const satisfies Record<DifferencePage['by'], string>

const groupColumnsBy = (by: DifferencePage['by']): readonly Column<DifferencePage['groups'][number]>[] => [
  { heading: keyHeadings[by], cell: ({ key }) => key },
  { heading: 'differences', cell: ({ differences }) => String(differences), right: true },
  {
    heading: 'kinds',
    cell: ({ kinds }) => kindCountsText(kinds),
  },
  ...(by === 'dataProviderVendorId'
    ? [{ heading: 'name', cell: ({ label }: DifferencePage['groups'][number]) => label ?? '' }]
    : []),
]

const columns: readonly Column<DeliveryDifference>[] = [
  { heading: 'date', cell: ({ date }) => date },
  { heading: 'kind', cell: ({ kind }) => differenceKindWords[kind].toLowerCase() },
  { heading: 'vendor', cell: ({ dataProviderVendorId }) => dataProviderVendorId },
  {
    heading: 'document',
    cell: ({ purchaseOrderNumber, billOfLadingNumber, asnNumber }) =>
      purchaseOrderNumber ?? billOfLadingNumber ?? asnNumber ?? '',
  },
  { heading: 'difference', cell: ({ message }) => message },
  { heading: 'shipped in', cell: ({ shipped }) => recordsText(shipped) },
  { heading: 'received in', cell: ({ received }) => recordsText(received) },
]

function recordsText(side: DeliveryDifference['shipped']): string {
  const [first] = side?.records ?? []
  const others = (side?.recordCount ?? 0) - 1
  return first === undefined ? '' : first.id + (others > 0 ? ` and ${others} more` : '')
}
