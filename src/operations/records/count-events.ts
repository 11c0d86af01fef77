// How many events a provider received, day by day.
import { Type } from '../../contract/shape/type.ts'
import { declareLimit } from '../../limits.ts'
import { eventSelection } from '../base/event-selection.ts'
import type { Operation } from '../base/operation.ts'

export const daysMax = declareLimit('eventDays', 366, 'days', 'Days that events by day cover at once.')

const EventDays = Type.Object(
  {
    content: Type.Array(
      Type.Object({
        eventDate: Type.String({ description: 'Date received, `yyyy-MM-dd`.' }),
        events: Type.Integer(),
        lines: Type.Integer({ description: 'Product lines of these events.' }),
      }),
      { description: 'Days with events, in order. Days without events are omitted.' },
    ),
  },
  { title: 'EventDays', additionalProperties: false },
)

const { eventStartDate, eventEndDate, dataProviderVendorId, shipToLocationCode } = eventSelection

export const countEventsByDay = {
  name: 'countEventsByDay',
  method: 'GET',
  path: '/traceability/event-days',
  cites: '21 CFR 1.1455(c)(3)',
  summary: 'Counts receiving events and product lines by day.',
  description: `At most ${daysMax} days, up to \`eventEndDate\`. Its default is today in UTC.`,
  role: 'partner',
  topic: 'traceability',
  query: { eventStartDate, eventEndDate, dataProviderVendorId, shipToLocationCode },
  headers: [],
  outcomes: { counted: { status: 200, when: 'Always.', body: EventDays, retry: 'never' } },
} as const satisfies Operation
