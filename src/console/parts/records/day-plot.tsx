// Events by day as bars with a scale. The pointer or the arrow keys select a day, its numbers are
// above, and a click or Enter leads to its events; a table has them all.
import { pluralize } from '../../../contract/text/pluralize.ts'
import { queryOf } from '../../records/filters.ts'
import { go, hrefTo } from '../../state/frame/address.ts'
import { usePointed } from '../../state/frame/pointed.ts'
import { DataTable } from '../tables/data-table.tsx'

export interface Day {
  readonly eventDate: string
  readonly events: number
  readonly lines: number
}

/** Units of the drawing, which is stretched to the width there is. */
const step = 10
const gap = 2
const height = 120

/** The events that the plot counts. */
const eventsOf = (date: string): string => `/events${queryOf({ eventStartDate: date, eventEndDate: date })}`

/** The next of 2, 4, 10, 20, 40, 100 and so on: halves of it are whole. */
function topOfScale(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most))
  return [1, 2, 4, 10].map((times) => times * power).find((top) => top >= most && (top > 1 || most === 1)) ?? most
}

export function DayPlot({ days }: { readonly days: readonly Day[] }) {
  const most = Math.max(1, ...days.map(({ events }) => events))
  const top = topOfScale(most)
  const sum = days.reduce((total, { events }) => total + events, 0)
  const [first, last] = [days[0]?.eventDate, days.at(-1)?.eventDate]
  const wordsOf = ({ events, lines }: Day) => `${pluralize(events, 'event')}, ${pluralize(lines, 'line')}`
  const { chosen, slider } = usePointed({
    label: 'Day',
    wordsOf: (index) => {
      const day = index === undefined ? undefined : days[index]
      return day === undefined ? `${first} to ${last}: ${pluralize(sum, 'event')}` : `${day.eventDate}: ${wordsOf(day)}`
    },
    count: days.length,
    start: Math.max(
      0,
      days.findLastIndex(({ events }) => events > 0),
    ),
    at: (share) => Math.floor(share * days.length),
    open: (index) => {
      const day = days[index]
      if (day !== undefined && day.events > 0) go(eventsOf(day.eventDate))
    },
  })
  const day = chosen === undefined ? undefined : days[chosen]

  return (
    <div class="plot">
      <p class="plot-words" role="status">
        {day === undefined ? (
          <span class="quiet">Point at a day or use the arrow keys. Click or press Enter to see its events.</span>
        ) : (
          <>
            <strong>{day.eventDate}</strong> {wordsOf(day)}
          </>
        )}
      </p>
      <div class="plot-field">
        <div class="plot-scale quiet small" aria-hidden="true">
          <span>{top.toLocaleString('en')}</span>
          {top % 2 === 0 && <span>{(top / 2).toLocaleString('en')}</span>}
          <span>0</span>
        </div>
        <div class="plot-drawing" {...slider}>
          <svg viewBox={`0 0 ${days.length * step} ${height}`} preserveAspectRatio="none" aria-hidden="true">
            {[0, 0.5].map((share) => (
              <path key={share} class="plot-line" d={`M0 ${share * height}H${days.length * step}`} />
            ))}
            {chosen !== undefined && <rect class="plot-chosen" x={chosen * step} width={step} height={height} />}
            <Bars days={days} chosen={chosen} top={top} />
          </svg>
        </div>
      </div>
      <p class="plot-ends quiet small">
        <span>{first}</span>
        <span>{last}</span>
      </p>
      <details>
        <summary>As a table</summary>
        {sum === 0 ? <p class="quiet">No day has an event.</p> : <DayTable days={days} />}
      </details>
    </div>
  )
}

interface BarsProps {
  readonly days: readonly Day[]
  readonly chosen: number | undefined
  /** Events of a bar as high as the drawing. */
  readonly top: number
}

const Bars = ({ days, chosen, top }: BarsProps) => (
  <>
    {days.map(({ eventDate, events }, i) => {
      // A day with one event among thousands stays visible.
      const size = events === 0 ? 0 : Math.max(2, (events / top) * height)
      return (
        <rect
          key={eventDate}
          class={i === chosen ? 'plot-bar chosen' : 'plot-bar'}
          x={i * step + gap / 2}
          y={height - size}
          width={step - gap}
          height={size}
        />
      )
    })}
  </>
)

const DayTable = ({ days }: Pick<BarsProps, 'days'>) => (
  <DataTable
    label="Events and lines by day"
    isCards={false}
    columns={[
      {
        heading: 'Date received',
        cell: ({ eventDate }) => (
          <a href={hrefTo(eventsOf(eventDate))} title="Events around this date">
            {eventDate}
          </a>
        ),
      },
      { heading: 'Events', isNumber: true, cell: ({ events }) => events.toLocaleString('en') },
      { heading: 'Lines', isNumber: true, cell: ({ lines }) => lines.toLocaleString('en') },
    ]}
    rows={days.filter(({ events }) => events > 0)}
    keyOf={({ eventDate }) => eventDate}
  />
)
