// The receiving and shipping events with a lot code, or receiving events with one that reads alike,
// newest first. One index walk, however much is stored.
import type { SelectedEvent } from './event-selection.ts'
import { lotRowOf } from './lot-rows.ts'
import { type Queryable, statement } from './statement.ts'

const sameLot = statement<SelectedEvent>(
  'selectLotEvents',
  `SELECT e.id, e.version, e.line_count AS "lineCount"
   FROM receiving_event_code c JOIN received_event e ON e.provider_id = $1 AND e.id = c.id
   WHERE c.provider_id = $1 AND c.field = 'lotCode' AND c.code = $2 AND c.unfolded = $3
     AND e.date_received BETWEEN $4::date AND $5::date
   ORDER BY c.id DESC
   LIMIT $6`,
)

// An event has a row for each lot code that reads alike.
const alikeLots = statement<SelectedEvent>(
  'selectAlikeLotEvents',
  `SELECT e.id, e.version, e.line_count AS "lineCount"
   FROM (
     SELECT DISTINCT c.id
     FROM receiving_event_code c JOIN received_event d ON d.provider_id = $1 AND d.id = c.id
     WHERE c.provider_id = $1 AND c.field = 'lotCode' AND c.code = $2 AND c.unfolded <> $3
       AND d.date_received BETWEEN $4::date AND $5::date
     ORDER BY c.id DESC
     LIMIT $6
   ) n
   JOIN received_event e ON e.provider_id = $1 AND e.id = n.id
   ORDER BY e.id DESC`,
)

const shippedLot = statement<SelectedEvent>(
  'selectShippedLotEvents',
  `SELECT e.id, e.version, e.line_count AS "lineCount"
   FROM shipping_event_code c JOIN shipped_event e ON e.provider_id = $1 AND e.id = c.id
   WHERE c.provider_id = $1 AND c.field = 'lotCode' AND c.code = $2 AND c.unfolded = $3
     AND e.date_shipped BETWEEN $4::date AND $5::date
   ORDER BY c.id DESC
   LIMIT $6`,
)

/** Calendar dates as written in `eventDateTime`, `yyyy-MM-dd`. */
export interface EventPeriod {
  readonly eventStartDate?: string | undefined
  readonly eventEndDate?: string | undefined
}

/** Up to `limit` events with a line of the lot in a text, newest first. */
export const selectLotEvents = (
  db: Queryable,
  provider: string,
  lotCode: string,
  period: EventPeriod,
  limit: number,
): Promise<SelectedEvent[]> => sameLot(db, valuesOf(provider, lotCode, period, limit))

/** Up to `limit` shipping events with a line of the lot in a text, newest first. */
export const selectShippedLotEvents = (
  db: Queryable,
  provider: string,
  lotCode: string,
  period: EventPeriod,
  limit: number,
): Promise<SelectedEvent[]> => shippedLot(db, valuesOf(provider, lotCode, period, limit))

/**
 * Up to `limit` events with a line whose lot code is another one that reads like the lot in a text,
 * newest first.
 */
export const selectAlikeLotEvents = (
  db: Queryable,
  provider: string,
  lotCode: string,
  period: EventPeriod,
  limit: number,
): Promise<SelectedEvent[]> => alikeLots(db, valuesOf(provider, lotCode, period, limit))

function valuesOf(
  provider: string,
  lotCode: string,
  { eventStartDate = '0001-01-01', eventEndDate = '9999-12-31' }: EventPeriod,
  limit: number,
): unknown[] {
  const { code, unfolded } = lotRowOf(lotCode)
  return [provider, code, unfolded, eventStartDate, eventEndDate, limit]
}
