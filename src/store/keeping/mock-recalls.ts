// Mock recalls: drills with their signed reports, and the events they are drawn from. Source:
// decision 0069.
import type { DeliveryKindName } from '../../contract/record-kinds.ts'
import { type Page, type Queryable, statement } from '../database/statement.ts'
import { loggedStatement } from '../evidence/access-log.ts'
import { inDates, onDeliveries } from '../records/event-kinds.ts'
import { newestDateOn } from '../traceability/completeness.ts'

export interface StoredMockRecall {
  readonly id: string
  readonly lotCode: string
  readonly drawn: object | null
  readonly startedAt: Date
  readonly startedBy: string
  readonly steps: readonly object[]
  readonly report: object | null
  readonly reportHash: string | null
  readonly signingKeyId: string | null
  readonly publicKey: Buffer | null
  readonly signature: string | null
}

/** A new drill, before its first step. */
export type NewMockRecall = Pick<StoredMockRecall, 'id' | 'lotCode' | 'drawn' | 'startedAt'>

/** Starts a drill; undefined while another of the provider runs. */
export const insertMockRecall = loggedStatement<
  { id: string },
  NewMockRecall & { provider: string; secondsMax: number }
>(
  'startMockRecall',
  `running AS MATERIALIZED (
  SELECT count(*) AS drills
  FROM mock_recall
  WHERE provider_id = $provider AND ended_at IS NULL AND started_at > $startedAt::timestamptz - make_interval(secs => $secondsMax)
), changed AS (
  INSERT INTO mock_recall (provider_id, id, lot_code, drawn, started_at, started_by, steps)
  SELECT $provider, $id::uuid, $lotCode::text, $drawn::json, $startedAt::timestamptz, $who::text, '[]'::json
  FROM running WHERE drills = 0
  RETURNING id
)`,
  'SELECT id FROM changed',
  { asked: ({ id, lotCode }) => ({ id, lotCode }) },
)

/** Records the progress of a drill, for people who watch it. */
export const noteSteps = statement<never, { provider: string; id: string; steps: readonly object[] }>(
  'noteMockRecallSteps',
  `UPDATE mock_recall SET steps = $steps::json WHERE provider_id = $provider AND id = $id::uuid AND ended_at IS NULL`,
)

/** Ends a drill with its report; one that ended before is unchanged. */
export const endMockRecall = statement<never, SignedReport & { provider: string; id: string }>(
  'endMockRecall',
  `UPDATE mock_recall SET ended_at = now(), report = $report::json, report_hash = $reportHash, signing_key_id = $signingKeyId, public_key = $publicKey, signature = $signature
   WHERE provider_id = $provider AND id = $id::uuid AND ended_at IS NULL`,
)

export interface SignedReport {
  /** JSON text. */
  readonly report: string
  readonly reportHash: string
  readonly signingKeyId: string
  readonly publicKey: Buffer
  readonly signature: string
}

const shown = `id, lot_code AS "lotCode", drawn, started_at AS "startedAt", started_by AS "startedBy", steps, report,
          report_hash AS "reportHash", signing_key_id AS "signingKeyId", public_key AS "publicKey", signature`

/** Up to `limit` drills, newest first; those below an id when one is given. */
export const mockRecalls = statement<StoredMockRecall, Page>(
  'mockRecalls',
  `SELECT ${shown}
   FROM mock_recall
   WHERE provider_id = $provider AND ($before::uuid IS NULL OR id < $before)
   ORDER BY id DESC
   LIMIT $limit`,
)

export const findMockRecall = statement.one<StoredMockRecall, { provider: string; id: string }>(
  'mockRecall',
  `SELECT ${shown} FROM mock_recall WHERE provider_id = $provider AND id = $id::uuid`,
)

const newestDates = onDeliveries(newestDateOn)

const newestDate = statement.one<{ date: string | null }, { provider: string; until: Date }>(
  'newestDateOfEvents',
  `SELECT max(d.date)::text AS date FROM (
  ${newestDates}
) d`,
)

/** The latest date received or shipped, `yyyy-MM-dd`, that is not after the instant. */
export const newestDateOfEvents = async (db: Queryable, provider: string, until: Date): Promise<string | undefined> =>
  (await newestDate(db, { provider, until }))?.date ?? undefined

/** First and last date received or shipped, `yyyy-MM-dd`. */
export interface DrawPeriod {
  readonly eventStartDate: string
  readonly eventEndDate: string
}

const drawnFrom = onDeliveries(
  ({ dated }) => `SELECT e.kind, e.id, e.local_date AS date
  FROM ${dated} e
  WHERE ${inDates}`,
)

const counting = statement.one<{ events: number }, DrawPeriod & { provider: string; most: number }>(
  'countDrawnEvents',
  `SELECT count(*)::integer AS events FROM (
  SELECT true FROM (
  ${drawnFrom}
  ) e
  LIMIT $most
) AS found`,
)

/** The events of a period, of both kinds; counting ends at `most`. */
export const countDrawnEvents = async (
  db: Queryable,
  provider: string,
  period: DrawPeriod,
  most: number,
): Promise<number> => (await counting(db, { ...period, provider, most }))?.events ?? 0

/**
 * The event at a position in the order of dates and ids (0 is the first, just below 1 the last),
 * and the number of events. Undefined when there is none.
 */
export const drawEvent = statement.one<
  { readonly kind: DeliveryKindName; readonly id: string; readonly events: number },
  DrawPeriod & { provider: string; position: number }
>(
  'drawEvent',
  `WITH drawn_from AS MATERIALIZED (
  ${drawnFrom}
)
SELECT e.kind, e.id, (SELECT count(*) FROM drawn_from)::integer AS events
FROM drawn_from e
ORDER BY e.date, e.id
OFFSET (SELECT floor($position::double precision * count(*))::bigint FROM drawn_from)
LIMIT 1`,
)
