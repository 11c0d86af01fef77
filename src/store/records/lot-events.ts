// The events with a lot code, or with one that reads alike, newest first. One index walk for each
// code that is looked for, however much is stored.
import { readLotCode } from '../../contract/lots/lot-code.ts'
import { type EventKindName, ofEventKinds } from '../../contract/record-kinds.ts'
import { type Queryable, statement } from '../database/statement.ts'
import { anyDates, events, type KindRelations } from './event-kinds.ts'
import type { SelectedEvent } from './event-selection.ts'
import { codesLike, type LotRow, lotRowOf } from './lot-rows.ts'

const statementsOn = ({ plural, codes, dated }: KindRelations) => ({
  same: statement<SelectedEvent, LotChoice & LotRow>(
    `select${plural}OfLot`,
    `SELECT e.id, e.version, e.line_count AS "lineCount"
   FROM ${codes} c JOIN ${dated} e ON e.id = c.id
   WHERE c.field = 'lotCode' AND c.code = $code AND c.unfolded = $unfolded
     AND e.local_date BETWEEN $eventStartDate::date AND $eventEndDate::date
   ORDER BY c.id DESC
   LIMIT $limit`,
    { defaults: anyDates },
  ),
  // An event has a row for each lot code that reads alike.
  alike: statement<SelectedEvent, LotChoice & { codes: readonly string[]; lotCode: string }>(
    `select${plural}OfAlikeLots`,
    `SELECT e.id, e.version, e.line_count AS "lineCount"
   FROM (
     SELECT DISTINCT f.id
     FROM unnest($codes::text[]) AS w (code)
     CROSS JOIN LATERAL (
       SELECT DISTINCT c.id
       FROM ${codes} c JOIN ${dated} d ON d.id = c.id
       WHERE c.field = 'lotCode' AND c.code = w.code AND coalesce(nullif(c.unfolded, ''), c.code) <> $lotCode
         AND d.local_date BETWEEN $eventStartDate::date AND $eventEndDate::date
       ORDER BY c.id DESC
       LIMIT $limit
     ) f
     ORDER BY f.id DESC
     LIMIT $limit
   ) n
   JOIN ${dated} e ON e.id = n.id
   ORDER BY e.id DESC`,
    { defaults: anyDates },
  ),
})

const statementsOf = ofEventKinds((kind) => statementsOn(events[kind]))

/** Calendar dates as written in `eventDateTime`, `yyyy-MM-dd`. */
export interface EventPeriod {
  readonly eventStartDate?: string | undefined
  readonly eventEndDate?: string | undefined
}

/** Up to `limit` events of a provider, of a period. */
interface LotChoice extends EventPeriod {
  readonly provider: string
  readonly limit: number
}

/** Up to `limit` events of a lot, of a period. */
interface WantedLot {
  readonly kind: EventKindName
  readonly lotCode: string
  readonly period: EventPeriod
  readonly limit: number
}

/** Up to `limit` events of a kind with a line of the lot in a text, newest first. */
export const selectLotEvents = (
  db: Queryable,
  provider: string,
  { kind, lotCode, period, limit }: WantedLot,
): Promise<SelectedEvent[]> => statementsOf[kind].same(db, { ...period, ...lotRowOf(lotCode), limit, provider })

/**
 * Up to `limit` events of a kind with a line whose lot code is another one that reads like the lot
 * in a text, newest first.
 */
export const selectAlikeLotEvents = (
  db: Queryable,
  provider: string,
  { kind, lotCode: written, period, limit }: WantedLot,
): Promise<SelectedEvent[]> => {
  const { lotCode } = readLotCode(written)
  return statementsOf[kind].alike(db, { ...period, provider, codes: codesLike(written), lotCode, limit })
}
