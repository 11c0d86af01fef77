// The events that carry a lot code, the newest first: an index walk per spelling of the code, whatever else is stored.
import type { SelectedEvent } from './event-selection.ts'
import { type Queryable, statement } from './statement.ts'

const lotEvents = statement<SelectedEvent>(
  'selectLotEvents',
  `SELECT e.id, e.version, e.line_count AS "lineCount"
   FROM (
     SELECT DISTINCT f.id
     FROM unnest($2::text[]) AS w (code)
     CROSS JOIN LATERAL (
       SELECT c.id
       FROM receiving_event_code c JOIN receiving_event d ON d.provider_id = $1 AND d.id = c.id
       WHERE c.provider_id = $1 AND c.field = 'lotCode' AND c.code = w.code
         AND d.event_date BETWEEN $3::date AND $4::date
       ORDER BY c.id DESC
       LIMIT $5
     ) f
   ) n
   JOIN receiving_event e ON e.provider_id = $1 AND e.id = n.id
   ORDER BY e.id DESC
   LIMIT $5`,
)

/** Calendar dates as written in `eventDateTime`, `yyyy-MM-dd`. */
export interface EventPeriod {
  readonly eventStartDate?: string | undefined
  readonly eventEndDate?: string | undefined
}

/** Up to `limit` events with a line of one of the lot codes, the last created first. */
export const selectLotEvents = (
  db: Queryable,
  provider: string,
  lotCodes: readonly string[],
  { eventStartDate = '0001-01-01', eventEndDate = '9999-12-31' }: EventPeriod,
  limit: number,
): Promise<SelectedEvent[]> => lotEvents(db, [provider, lotCodes, eventStartDate, eventEndDate, limit])
