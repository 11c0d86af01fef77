// Mock recalls, newest first: the lot, how it ended and what was found.
import type { MockRecall } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { drillStates, durationWords } from '../../words/drills.ts'
import { dateTimeWords } from '../../words/labels.ts'

export const DrillTable = ({ drills }: { readonly drills: readonly MockRecall[] }) => (
  <table class="measures cards" aria-label="Mock recalls">
    <thead>
      <tr>
        <th scope="col">Lot</th>
        <th scope="col">Started</th>
        <th scope="col">By</th>
        <th scope="col">State</th>
        <th scope="col" class="number">
          Duration
        </th>
        <th scope="col">Found</th>
        <th scope="col" class="number">
          Incomplete lines
        </th>
      </tr>
    </thead>
    <tbody>
      {drills.map(({ id, lotCode, startedDateTime, startedBy, startedByName, state, report }) => (
        <tr key={id}>
          <th scope="row">
            <a href={hrefTo(`/mock-recalls/${id}`)}>
              <bdi>{lotCode}</bdi>
            </a>
          </th>
          <td data-words="Started">
            <time dateTime={startedDateTime}>{dateTimeWords(startedDateTime.replace(/:\d{2}\.\d+Z$/, ':00Z'))}</time>
          </td>
          <td data-words="By">{startedByName === null ? <code>{startedBy}</code> : <bdi>{startedByName}</bdi>}</td>
          <td data-words="State">
            <span class={`tag ${drillStates[state].tag}`}>{drillStates[state].words}</span>
          </td>
          <td class="number" data-words="Duration">
            {report === null ? '–' : durationWords(report.seconds)}
          </td>
          <td data-words="Found">
            {report === null
              ? '–'
              : `${pluralize(report.found.events + report.found.shippingEvents, 'event')}, ${pluralize(report.found.places, 'place')}`}
          </td>
          <td class="number" data-words="Incomplete lines">
            {report === null ? (
              '–'
            ) : (
              <>
                {report.found.incompleteLines.toLocaleString('en')}{' '}
                <span class="quiet">of {(report.found.lines + report.found.shippingLines).toLocaleString('en')}</span>
              </>
            )}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
