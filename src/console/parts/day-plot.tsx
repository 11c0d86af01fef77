// Events day by day as bars. One day is chosen with the pointer or the arrow keys, and its numbers
// stand above; a table holds them all.
import { useState } from 'preact/hooks'
import { dayAfter } from '../../contract/date-and-time.ts'
import { queryOf } from '../records/filters.ts'
import { hrefTo } from '../state/address.ts'
import { pluralize } from '../words/labels.ts'

export interface Day {
  readonly eventDate: string
  readonly events: number
  readonly lines: number
}

/** Units of the drawing, which is stretched to the width there is. */
const step = 10
const gap = 2
const height = 120

/** The events of one date anywhere: offsets reach fourteen hours to either side. */
const eventsOf = (date: string): string =>
  `/events${queryOf({ eventStartDateTime: `${dayAfter(date, -1)}T10:00:00Z`, eventEndDateTime: `${dayAfter(date, 1)}T14:00:00Z` })}`

export function DayPlot({ days }: { readonly days: readonly Day[] }) {
  const [chosen, setChosen] = useState<number>()
  const most = Math.max(1, ...days.map(({ events }) => events))
  const sum = days.reduce((total, { events }) => total + events, 0)
  const [first, last] = [days[0]?.eventDate, days.at(-1)?.eventDate]
  const day = chosen === undefined ? undefined : days[chosen]
  const latest = days.findLastIndex(({ events }) => events > 0)

  const pressed = (event: KeyboardEvent) => {
    const from = chosen ?? Math.max(0, latest)
    const to: Readonly<Record<string, number>> = {
      ArrowLeft: from - 1,
      ArrowRight: from + 1,
      Home: 0,
      End: days.length - 1,
    }
    const next = to[event.key]
    if (next === undefined) return
    event.preventDefault()
    setChosen(Math.min(days.length - 1, Math.max(0, next)))
  }
  const pointed = (event: PointerEvent & { readonly currentTarget: Element }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const at = Math.floor(((event.clientX - left) / width) * days.length)
    setChosen(Math.min(days.length - 1, Math.max(0, at)))
  }

  return (
    <div class="plot">
      <p class="plot-words" role="status">
        {day === undefined ? (
          <span class="quiet">At most {pluralize(most, 'event')} on a day. Point at a day, or use the arrow keys.</span>
        ) : (
          <>
            <strong>{day.eventDate}</strong> {pluralize(day.events, 'event')}, {pluralize(day.lines, 'line')}
          </>
        )}
      </p>
      <div
        class="plot-drawing"
        role="slider"
        tabIndex={0}
        aria-label="Day"
        aria-valuemin={0}
        aria-valuemax={days.length - 1}
        aria-valuenow={chosen ?? Math.max(0, latest)}
        aria-valuetext={
          day === undefined
            ? `${first} to ${last}: ${pluralize(sum, 'event')}`
            : `${day.eventDate}: ${pluralize(day.events, 'event')}, ${pluralize(day.lines, 'line')}`
        }
        onKeyDown={pressed}
        onFocus={() => setChosen((now) => now ?? Math.max(0, latest))}
        onBlur={() => setChosen(undefined)}
        onPointerMove={pointed}
        onPointerDown={pointed}
        onPointerLeave={() => setChosen(undefined)}
      >
        <svg viewBox={`0 0 ${days.length * step} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {chosen !== undefined && <rect class="plot-chosen" x={chosen * step} width={step} height={height} />}
          {days.map(({ eventDate, events }, i) => {
            // A day with one event among thousands is seen too.
            const size = events === 0 ? 0 : Math.max(2, (events / most) * (height - 4))
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
        </svg>
      </div>
      <p class="plot-ends quiet small">
        <span>{first}</span>
        <span>{last}</span>
      </p>
      <details>
        <summary>As a table</summary>
        {sum === 0 ? (
          <p class="quiet">No day has an event.</p>
        ) : (
          <table class="measures">
            <caption class="hidden">Events and lines by day</caption>
            <thead>
              <tr>
                <th scope="col">Date received</th>
                <th scope="col" class="number">
                  Events
                </th>
                <th scope="col" class="number">
                  Lines
                </th>
              </tr>
            </thead>
            <tbody>
              {days
                .filter(({ events }) => events > 0)
                .map(({ eventDate, events, lines }) => (
                  <tr key={eventDate}>
                    <th scope="row">
                      <a href={hrefTo(eventsOf(eventDate))} title="Events around this date">
                        {eventDate}
                      </a>
                    </th>
                    <td class="number">{events.toLocaleString('en')}</td>
                    <td class="number">{lines.toLocaleString('en')}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        )}
      </details>
    </div>
  )
}
