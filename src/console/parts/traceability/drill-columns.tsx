// Columns of mock recalls: the lot, the result and the findings.

import type { ComponentChildren } from 'preact'
import type { MockRecall } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import type { Column } from '../../records/drawn-column.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { drillStates, durationWords } from '../../words/drills.ts'
import { Instant } from '../frame/instant.tsx'

/** A drill that is not over has no report. */
const ofReport =
  (cell: (report: NonNullable<MockRecall['report']>) => ComponentChildren) =>
  ({ report }: MockRecall): ComponentChildren =>
    report === null ? '–' : cell(report)

export const drillColumns: readonly Column<MockRecall>[] = [
  {
    heading: 'Lot',
    cell: ({ id, lotCode }) => (
      <a href={hrefTo(`/mock-recalls/${id}`)}>
        <bdi>{lotCode}</bdi>
      </a>
    ),
  },
  {
    heading: 'Started',
    cell: ({ startedDateTime }) => <Instant instant={startedDateTime} />,
  },
  {
    heading: 'By',
    cell: ({ startedBy, startedByName }) =>
      startedByName === null ? <code>{startedBy}</code> : <bdi>{startedByName}</bdi>,
  },
  {
    heading: 'State',
    cell: ({ state }) => <span class={`tag ${drillStates[state].tag}`}>{drillStates[state].words}</span>,
  },
  { heading: 'Duration', isNumber: true, cell: ofReport(({ seconds }) => durationWords(seconds)) },
  {
    heading: 'Found',
    cell: ofReport(
      ({ found: { events, shippingEvents, places } }) =>
        `${pluralize(events + shippingEvents, 'event')}, ${pluralize(places, 'place')}`,
    ),
  },
  {
    heading: 'Incomplete lines',
    isNumber: true,
    cell: ofReport(({ found: { incompleteLines, lines, shippingLines } }) => (
      <>
        {incompleteLines.toLocaleString('en')}{' '}
        <span class="quiet">of {(lines + shippingLines).toLocaleString('en')}</span>
      </>
    )),
  },
]
