// `lotkeeper completeness`: how many lines have every key data element.
import type { ReadCompletenessRequest } from '../../client/generated/methods.ts'
import type { Completeness } from '../../client/generated/shapes.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { type Column, tableText } from '../../terminal/table.ts'
import { remarks, results } from '../../terminal/terminal.ts'
import { recountingWords } from '../base/answers.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'
import { missingText } from './missing-text.ts'

interface CompletenessOptions extends RemoteOptions {
  readonly json?: boolean
  /** The parameters of the operation, by name. */
  readonly query: ReadCompletenessRequest
}

export const completeness = ({ json, query, ...service }: CompletenessOptions): Promise<CommandEnd> =>
  withClient({ ...service, json }, async (api) => {
    const { body } = await api.readCompleteness(query)
    if (json) {
      await results.write(`${JSON.stringify(body, undefined, 2)}\n`)
      return undefined
    }
    const { eventStartDate, eventEndDate, total, groups, groupCount } = body
    if (eventStartDate === null) {
      await remarks.say('There are no events.')
      return undefined
    }
    const title = `${eventStartDate} to ${eventEndDate}: ${total.completeLines} of ${total.lines} lines are complete (${percent(total.share)}), ${total.eventsWithGaps} of ${total.events} events have gaps`
    await results.write(`${results.styled('bold', title)}\n`)
    if (groups.length > 0) await results.write(`\n${tableText(columnsBy(body.by), groups)}`)
    if (groupCount > groups.length)
      await remarks.say(`${groupCount - groups.length} more are not listed. --limit shows up to 200.`)
    if (body.recounting !== null) await remarks.say(recountingWords)
    if (total.eventsWithGaps > 0) await remarks.say('lotkeeper gaps lists the events that lack something.')
    return undefined
  })

type Group = Completeness['groups'][number]

const keyHeadings = {
  dataProviderVendorId: 'vendor',
  shipToLocationCode: 'to',
  vendorItemCode: 'item',
  month: 'month',
  kde: 'rule',
  kind: 'kind',
} as const satisfies Record<Completeness['by'], string>

const columnsBy = (by: Completeness['by']): readonly Column<Group>[] => [
  { heading: keyHeadings[by], cell: ({ key }) => key },
  { heading: 'lines', cell: ({ lines }) => String(lines), right: true },
  { heading: 'complete', cell: ({ completeLines }) => String(completeLines), right: true },
  { heading: 'share', cell: ({ share }) => percent(share), right: true },
  ...(by === 'month' ? [] : [{ heading: by === 'kde' ? 'key data element' : 'name', cell: nameOf }]),
  ...(by === 'kde' ? [] : [{ heading: 'most lacked', cell: ({ missing }: Group) => missingText(missing) }]),
]

const nameOf = ({ label }: Group): string => label ?? ''

/** Rounded down, so that 100 % means all. */
const percent = (share: number | null): string => (share === null ? '–' : `${Math.floor(share * 1_000) / 10} %`)
