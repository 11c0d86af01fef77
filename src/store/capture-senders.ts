// What is declared for the senders of EPCIS documents. Source: decision 0083.
import { type Actor, loggedStatement } from './access-log.ts'
import { type Queryable, statement } from './statement.ts'

export interface CaptureSender {
  /** Empty for what holds for all senders. */
  readonly sender: string
  /** The values, as JSON. */
  readonly defaults: object
}

export interface SetCaptureSender extends CaptureSender {
  readonly setAt: Date
  readonly setBy: string
}

/** Most senders of one provider. */
export const captureSendersMax = 1_000

const all = statement<SetCaptureSender>(
  'captureSenders',
  `SELECT sender, defaults, set_at AS "setAt", set_by AS "setBy"
   FROM capture_sender
   WHERE provider_id = $1
   ORDER BY sender`,
)

export const captureSenders = (db: Queryable, provider: string): Promise<SetCaptureSender[]> => all(db, [provider])

const ofSender = statement<CaptureSender>(
  'defaultsOfSender',
  `SELECT sender, defaults FROM capture_sender WHERE provider_id = $1 AND sender IN ('', $2) ORDER BY sender`,
)

/** What holds for one sender: the values for all senders, then its own. */
export const defaultsOfSender = (db: Queryable, provider: string, sender: string): Promise<CaptureSender[]> =>
  ofSender(db, [provider, sender])

const change = loggedStatement<{ existing: number }>(
  'setCaptureSenders',
  `asked AS (
  SELECT * FROM unnest($2::text[], $3::text[]) AS a (sender, defaults)
), existing AS (
  SELECT count(*) AS senders
  FROM (
    SELECT sender FROM capture_sender WHERE provider_id = $1
    UNION
    SELECT sender FROM asked WHERE defaults <> '{}'
  ) s
), allowed AS (
  SELECT a.* FROM asked a, existing e WHERE e.senders <= $5
), gone AS (
  DELETE FROM capture_sender s USING allowed a
  WHERE s.provider_id = $1 AND s.sender = a.sender AND a.defaults = '{}'
), changed AS (
  INSERT INTO capture_sender (provider_id, sender, defaults, set_at, set_by)
  SELECT $1, sender, defaults::json, now(), $4::text FROM allowed WHERE defaults <> '{}' ORDER BY sender
  ON CONFLICT (provider_id, sender) DO UPDATE
  SET defaults = excluded.defaults, set_at = excluded.set_at, set_by = excluded.set_by
)`,
  'SELECT senders::integer AS existing FROM existing',
  { of: 'existing e WHERE e.senders <= $5' },
)

/**
 * Sets what is declared for senders, all or nothing, and removes those for which nothing is. Each
 * sender occurs once. `tooMany` says that more would be set than may be.
 */
export async function writeCaptureSenders(
  db: Queryable,
  provider: string,
  senders: readonly CaptureSender[],
  actor: Actor,
): Promise<'set' | 'tooMany'> {
  const values = [
    provider,
    senders.map(({ sender }) => sender),
    senders.map(({ defaults }) => JSON.stringify(defaults)),
    actor.who,
    captureSendersMax,
  ]
  const [row] = await change(db, values, actor, { senders: senders.length, first: senders[0] })
  return (row?.existing ?? 0) > captureSendersMax ? 'tooMany' : 'set'
}
