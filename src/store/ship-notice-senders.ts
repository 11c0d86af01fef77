// How the ship notices of senders are read: a setting of the provider, not part of the records.
// Source: decision 0082.
import { type Actor, loggedStatement } from './access-log.ts'
import { type Queryable, statement } from './statement.ts'

export interface StoredSender {
  readonly senderId: string
  /** JSON text. */
  readonly settings: string
  readonly setAt: Date
  readonly setBy: string
}

/** The settings of a sender; none removes it. */
export interface SenderChange {
  readonly senderId: string
  readonly settings: string | undefined
}

/** Most senders of one provider, and most characters of their settings together. */
export const sendersMax = 1_000
export const sendersLengthMax = 4_000_000

const columns = 'sender_id AS "senderId", settings, set_at AS "setAt", set_by AS "setBy"'

const all = statement<StoredSender>(
  'shipNoticeSenders',
  `SELECT ${columns} FROM ship_notice_sender WHERE provider_id = $1 ORDER BY sender_id`,
)

/** Every sender that the provider has set. */
export const shipNoticeSenders = (db: Queryable, provider: string): Promise<StoredSender[]> => all(db, [provider])

const change = loggedStatement<{ fits: boolean }>(
  'setShipNoticeSenders',
  `asked AS (
  SELECT * FROM unnest($2::text[], $3::text[]) AS a (sender, settings)
), fitting AS (
  SELECT count(*) <= $5 AND coalesce(sum(length(settings)), 0) <= $6 AS fits
  FROM (
    SELECT s.settings
    FROM ship_notice_sender s
    WHERE s.provider_id = $1 AND s.sender_id NOT IN (SELECT sender FROM asked)
    UNION ALL
    SELECT settings FROM asked WHERE settings IS NOT NULL
  ) kept
), allowed AS (
  SELECT a.* FROM asked a, fitting f WHERE f.fits
), gone AS (
  DELETE FROM ship_notice_sender s USING allowed a
  WHERE s.provider_id = $1 AND s.sender_id = a.sender AND a.settings IS NULL
), changed AS (
  INSERT INTO ship_notice_sender (provider_id, sender_id, settings, set_at, set_by)
  SELECT $1, sender, settings, now(), $4::text FROM allowed WHERE settings IS NOT NULL ORDER BY sender
  ON CONFLICT (provider_id, sender_id) DO UPDATE
  SET settings = excluded.settings, set_at = excluded.set_at, set_by = excluded.set_by
)`,
  'SELECT fits FROM fitting',
  { of: 'fitting f WHERE f.fits' },
)

/**
 * Sets senders and removes others, all or nothing. Each occurs once. `tooMany`: more would be set
 * than allowed.
 */
export async function writeShipNoticeSenders(
  db: Queryable,
  provider: string,
  changes: readonly SenderChange[],
  actor: Actor,
): Promise<'set' | 'tooMany'> {
  const values = [
    provider,
    changes.map(({ senderId }) => senderId),
    changes.map(({ settings }) => settings ?? null),
    actor.who,
    sendersMax,
    sendersLengthMax,
  ]
  const [first] = changes
  const [row] = await change(db, values, actor, { senders: changes.length, first: first?.senderId })
  return row?.fits ? 'set' : 'tooMany'
}
