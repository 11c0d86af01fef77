// The events with a lot code, or with one that reads alike, newest first. One index walk for each
// code that is looked for, however much is stored.
import { readLotCode } from '../../contract/lots/lot-code.ts'
import { type EventKindName, ofEventKinds } from '../../contract/record-kinds.ts'
import { type Queryable, statement } from '../database/statement.ts'
import { events, type KindRelations } from './event-kinds.ts'
import type { SelectedEvent } from './event-selection.ts'
import { codesLike, lotRowOf } from './lot-rows.ts'

const statementsOn = ({ plural, codes, dated }: KindRelations) => ({
  same: statement<SelectedEvent>(
    `select${plural}OfLot`,
    `SELECT e.id, e.version, e.line_count AS "lineCount"
   FROM ${codes} c JOIN ${dated} e ON e.id = c.id
   WHERE c.field = 'lotCode' AND c.code = $2 AND c.unfolded = $3
     AND e.local_date BETWEEN $4::date AND $5::date
   ORDER BY c.id DESC
   LIMIT $6`,
  ),
  // An event has a row for each lot code that reads alike.
  alike: statement<SelectedEvent>(
    `select${plural}OfAlikeLots`,
    `SELECT e.id, e.version, e.line_count AS "lineCount"
   FROM (
     SELECT DISTINCT f.id
     FROM unnest($2::text[]) AS w (code)
     CROSS JOIN LATERAL (
       SELECT DISTINCT c.id
       FROM ${codes} c JOIN ${dated} d ON d.id = c.id
       WHERE c.field = 'lotCode' AND c.code = w.code AND coalesce(nullif(c.unfolded, ''), c.code) <> $3
         AND d.local_date BETWEEN $4::date AND $5::date
       ORDER BY c.id DESC
       LIMIT $6
     ) f
     ORDER BY f.id DESC
     LIMIT $6
   ) n
   JOIN ${dated} e ON e.id = n.id
   ORDER BY e.id DESC`,
  ),
})

const statementsOf = ofEventKinds((kind) => statementsOn(events[kind]))

/** Calendar dates as written in `eventDateTime`, `yyyy-MM-dd`. */
export interface EventPeriod {
  readonly eventStartDate?: string | undefined
  readonly eventEndDate?: string | undefined
}

const datesOf = ({ eventStartDate = '0001-01-01', eventEndDate = '9999-12-31' }: EventPeriod) => [
  eventStartDate,
  eventEndDate,
]

/** Up to `limit` events of a lot, of a period. */
interface LotChoice {
  readonly kind: EventKindName
  readonly lotCode: string
  readonly period: EventPeriod
  readonly limit: number
}

/** Up to `limit` events of a kind with a line of the lot in a text, newest first. */
export function selectLotEvents(
  db: Queryable,
  provider: string,
  { kind, lotCode, period, limit }: LotChoice,
): Promise<SelectedEvent[]> {
  const { code, unfolded } = lotRowOf(lotCode)
  return statementsOf[kind].same(db, [provider, code, unfolded, ...datesOf(period), limit])
}

/**
 * Up to `limit` events of a kind with a line whose lot code is another one that reads like the lot
 * in a text, newest first.
 */
export const selectAlikeLotEvents = (
  db: Queryable,
  provider: string,
  { kind, lotCode, period, limit }: LotChoice,
): Promise<SelectedEvent[]> =>
  statementsOf[kind].alike(db, [provider, codesLike(lotCode), readLotCode(lotCode).lotCode, ...datesOf(period), limit])
