// Alerts: each begins once and ends once, in any number of processes. Source: decision 0073.
import { type AlertType, alertTypes } from '../../contract/alerts.ts'
import { leaseStatements } from '../base/leases.ts'
import { type Guard, guardOf, versionRaised } from '../base/setting-versions.ts'
import type { VersionSet } from '../base/writes.ts'
import { amongProviders, type Queryable, statement } from '../database/statement.ts'
import { type Actor, loggedStatement } from '../evidence/access-log.ts'

/** Of a provider: no look within the last minutes. A clock that was set back makes a look due. */
const isDue = `(l.looked_at IS NULL OR l.looked_at NOT BETWEEN now() - interval '5 minutes' AND now())`

const due = statement.ofAll<{ provider: string }>(
  'providersToLookAt',
  `SELECT l.provider_id AS provider
   FROM alert_look l
   WHERE (l.until IS NULL OR l.until < now()) AND ${isDue} AND ${amongProviders('l')}`,
)

/** Providers that are due for a look. */
export const providersToLookAt = async (db: Queryable): Promise<string[]> =>
  (await due(db)).map(({ provider }) => provider)

/** A look that this process has claimed. */
export interface ClaimedLook {
  readonly fence: number
  readonly lastNumber: number
  /** The result of the previous look. */
  readonly seen: string | null
  readonly retentionSeen: string | null
}

// A claim is released by writing its result. One that failed is tried again when its lease ends.
export const lookLease = leaseStatements<ClaimedLook, Pick<ClaimedLook, 'fence'>>({
  name: 'AlertLook',
  table: 'alert_look',
  alias: 'l',
  seconds: 60,
  isDue,
  claimed: 'l.fence, l.last_number AS "lastNumber", l.seen, l.retention_seen AS "retentionSeen"',
  renewed: 'l.fence',
})

/**
 * Values that show, without counting records, whether alerts may have changed since the last look.
 */
export interface AlertState {
  readonly checkpoint: number
  readonly awaitingRows: number
  /** Versions without a checkpoint, since when the oldest has waited, and for how many seconds. */
  readonly awaitingVersions: number
  readonly awaitingSince: Date | null
  readonly awaitingSeconds: number | null
  /** Webhooks that were given up, or fail for some minutes; and since when the first one does. */
  readonly failingWebhooks: number
  readonly webhooksFailSince: Date | null
  /** Since when copies for partners fail, where they do for some minutes. */
  readonly copiesFailSince: Date | null
  /** Last part of an import of an archive that then broke off. */
  readonly importBrokenOffAt: Date | null
  readonly newestRefusal: string | null
  readonly recount: number
  readonly awaitingRecounts: number
  readonly holdsChanged: number
}

const state = statement.one<AlertState, { provider: string; failingMinutes: number }>(
  'alertState',
  `SELECT c.number AS checkpoint, a.waiting AS "awaitingRows", a.versions AS "awaitingVersions", a.since AS "awaitingSince",
          extract(epoch FROM now() - a.since)::float8 AS "awaitingSeconds", f.webhooks AS "failingWebhooks",
          f.since AS "webhooksFailSince", s.since AS "copiesFailSince", i.at AS "importBrokenOffAt", r.id AS "newestRefusal", n.number AS recount,
          w.waiting AS "awaitingRecounts", h.version AS "holdsChanged"
   FROM (SELECT coalesce(max(number), 0) AS number FROM checkpoint WHERE provider_id = $provider) c
   CROSS JOIN (
     SELECT count(*)::integer AS waiting, coalesce(sum(cardinality(versions)), 0)::integer AS versions, min(since) AS since
     FROM awaiting_checkpoint
     WHERE provider_id = $provider
   ) a
   CROSS JOIN (
     SELECT count(*)::integer AS webhooks, min(coalesce(failing_since, disabled_at)) AS since
     FROM webhook
     WHERE provider_id = $provider
       AND (disabled_because IS NOT NULL OR failing_since < now() - make_interval(mins => $failingMinutes))
   ) f
   CROSS JOIN (
     SELECT min(failing_since) AS since FROM sharing
     WHERE provider_id = $provider AND failing_since < now() - make_interval(mins => $failingMinutes)
   ) s
   CROSS JOIN (
     SELECT max(continued_at) AS at FROM archive_import
     WHERE provider_id = $provider AND ended_at IS NULL AND continued_at < now() - make_interval(mins => $failingMinutes)
   ) i
   CROSS JOIN (SELECT (SELECT id FROM refusal WHERE provider_id = $provider ORDER BY id DESC LIMIT 1) AS id) r
   CROSS JOIN (SELECT coalesce(max(number), 0) AS number FROM recount WHERE provider_id = $provider) n
   CROSS JOIN (SELECT count(*)::integer AS waiting FROM awaiting_recount WHERE provider_id = $provider) w
   CROSS JOIN (SELECT coalesce(max(version), 0) AS version FROM setting_version WHERE provider_id = $provider AND id = 'legalHold') h`,
)

export async function readAlertState(db: Queryable, provider: string, failingMinutes: number): Promise<AlertState> {
  const row = await state(db, { provider, failingMinutes })
  if (row === undefined) throw new Error('A statement that always has a row had none.')
  return row
}

/** An alert, as stored. */
export interface StoredAlert {
  readonly number: number
  readonly type: AlertType
  /** The vendor; empty when the alert concerns all vendors or none. */
  readonly subject: string
  readonly begunAt: Date
  readonly endedAt: Date | null
  /** JSON text. */
  readonly latest: string
}

const shown = `a.number, a.type, a.subject, a.begun_at AS "begunAt", a.ended_at AS "endedAt", a.latest::text AS latest`

/** All open alerts. */
export const openAlerts = statement<StoredAlert, { provider: string }>(
  'openAlerts',
  `SELECT ${shown} FROM alert a WHERE a.provider_id = $provider AND a.ended_at IS NULL ORDER BY a.number`,
)

/** The changes of a look. Their numbers follow the last one of the previous look. */
export interface AlertChanges {
  readonly begun: readonly Pick<StoredAlert, 'number' | 'type' | 'subject' | 'latest'>[]
  /** Open alerts with new values, and alerts that end. */
  readonly changed: readonly (Pick<StoredAlert, 'number' | 'latest'> & { readonly endedNumber: number | null })[]
  readonly lastNumber: number
  readonly seen: string
  readonly retentionSeen: string | null
}

const write = statement.any<
  AlertChanges & { provider: string; fence: number; endedBefore: Date; endedNumberMax: number }
>(
  'writeAlerts',
  `WITH mine AS MATERIALIZED (
  SELECT l.fence, now() AS at FROM alert_look l WHERE l.provider_id = $provider AND l.fence = $fence FOR UPDATE
), begun AS (
  INSERT INTO alert (provider_id, number, type, subject, begun_at, begun_as, latest)
  SELECT $provider, begun.number, begun.type, begun.subject, m.at, begun.latest::json, begun.latest::json
  FROM mine m CROSS JOIN $begun
), changed AS (
  UPDATE alert a
  SET latest = c.data, ended_number = c.ended_number, ended_at = c.ended_at
  FROM (
    SELECT changed.number, changed.latest::json AS data, changed."endedNumber" AS ended_number,
           CASE WHEN changed."endedNumber" IS NOT NULL THEN m.at END AS ended_at
    FROM mine m CROSS JOIN $changed
  ) c
  WHERE a.provider_id = $provider AND a.number = c.number AND a.ended_at IS NULL
), deleted AS (
  DELETE FROM alert a USING mine m
  WHERE a.provider_id = $provider AND (a.ended_at < $endedBefore::timestamptz OR a.ended_number <= $endedNumberMax)
), looked AS (
  UPDATE alert_look l
  SET last_number = $lastNumber, seen = $seen::text, retention_seen = $retentionSeen::text, until = NULL, looked_at = m.at
  FROM mine m
  WHERE l.provider_id = $provider AND l.fence = m.fence
)
SELECT fence FROM mine`,
  {
    rows: {
      begun: { number: 'integer', type: 'text', subject: 'text', latest: 'text' },
      changed: { number: 'integer', latest: 'text', endedNumber: 'integer' },
    },
  },
)

/** How long ended alerts are kept, in days, and how many of them. */
const endedDaysMax = 366
const endedAlertsMax = 10_000

/**
 * Ends a look and stores its changes. False when this process has lost the claim: then nothing is
 * written.
 */
export const writeAlerts = (
  db: Queryable,
  look: AlertChanges & { readonly provider: string; readonly fence: number },
  now: Date,
): Promise<boolean> =>
  write(db, {
    ...look,
    endedBefore: new Date(now.getTime() - endedDaysMax * 86_400_000),
    endedNumberMax: look.lastNumber - endedAlertsMax,
  })

/** Up to `limit` alerts with numbers below `before`, newest first. */
export const findAlerts = statement<
  StoredAlert,
  { provider: string; before: number; isOpen: boolean | undefined; type: AlertType | undefined; limit: number }
>(
  'listAlerts',
  `SELECT ${shown}
   FROM alert a
   WHERE a.provider_id = $provider AND a.number < $before AND ($isOpen::boolean IS NULL OR (a.ended_at IS NULL) = $isOpen)
     AND ($type::text IS NULL OR a.type = $type)
   ORDER BY a.number DESC
   LIMIT $limit`,
)

/** When the last look ended, its result, and the last number of a message. */
interface LastLook {
  readonly lookedAt: Date | null
  readonly lastNumber: number
  readonly seen: string | null
}

const looked = statement.one<LastLook, { provider: string }>(
  'lastAlertLook',
  `SELECT looked_at AS "lookedAt", last_number AS "lastNumber", seen FROM alert_look WHERE provider_id = $provider`,
)

export const lastLook = async (db: Queryable, provider: string): Promise<LastLook> =>
  (await looked(db, { provider })) ?? { lookedAt: null, lastNumber: 0, seen: null }

/** The message that an alert began or ended. It never changes. */
export interface AlertMessage {
  /** Its place among the messages of the provider, without holes. */
  readonly number: number
  readonly state: 'begun' | 'ended'
  /** Number of the alert, which is that of its first message. */
  readonly alert: number
  readonly type: AlertType
  readonly subject: string
  readonly begunAt: Date
  readonly endedAt: Date | null
  /** JSON text. */
  readonly data: string
}

/** Up to `limit` messages after a number, in order; after 0, all that are kept. */
export const alertsAfter = statement<AlertMessage, { provider: string; number: number; limit: number }>(
  'alertsAfter',
  `SELECT m.number, m.state, m.alert, m.type, m.subject, m."begunAt", m."endedAt", m.data
   FROM (
     (SELECT a.number, 'begun' AS state, a.number AS alert, a.type, a.subject, a.begun_at AS "begunAt",
             NULL::timestamptz AS "endedAt", a.begun_as::text AS data
      FROM alert a
      WHERE a.provider_id = $provider AND a.number > $number
      ORDER BY a.number
      LIMIT $limit)
     UNION ALL
     (SELECT a.ended_number, 'ended', a.number, a.type, a.subject, a.begun_at, a.ended_at, a.latest::text
      FROM alert a
      WHERE a.provider_id = $provider AND a.ended_number > $number
      ORDER BY a.ended_number
      LIMIT $limit)
   ) m
   ORDER BY m.number
   LIMIT $limit`,
)

const counts = statement.ofAll<{ type: AlertType; alerts: number }>(
  'countOpenAlerts',
  `SELECT a.type, count(*)::integer AS alerts
   FROM alert a
   WHERE a.ended_at IS NULL AND ${amongProviders('a')}
   GROUP BY a.type`,
)

/** Open alerts of all providers, by type. */
export async function countOpenAlerts(db: Queryable): Promise<Readonly<Record<string, number>>> {
  const none = alertTypes.map((type) => [type, 0] as const)
  return Object.fromEntries([...none, ...(await counts(db)).map(({ type, alerts }) => [type, alerts] as const)])
}

/** Which alerts a provider wants. */
export interface AlertSettings {
  readonly switchedOff: readonly AlertType[]
  /** Null means the default of the program. */
  readonly checkpointOverdueMinutes: number | null
  readonly retentionDueVersions: number | null
}

export interface SetAlertSettings extends AlertSettings {
  readonly setAt: Date
  readonly setBy: string
}

/** The settings; undefined when the provider has set none. */
export const findAlertSettings = statement.one<SetAlertSettings, { provider: string }>(
  'alertSettings',
  `SELECT switched_off AS "switchedOff", checkpoint_overdue_minutes AS "checkpointOverdueMinutes",
          retention_due_versions AS "retentionDueVersions", set_at AS "setAt", set_by AS "setBy"
   FROM alert_setting
   WHERE provider_id = $provider`,
)

const set = loggedStatement<{ setAt: Date; version: number }, Guard & AlertSettings>(
  'setAlertSettings',
  `edited AS (
  ${versionRaised}
  RETURNING v.version
), changed AS (
  INSERT INTO alert_setting (provider_id, switched_off, checkpoint_overdue_minutes, retention_due_versions, set_at, set_by)
  SELECT $provider, $switchedOff::text[], $checkpointOverdueMinutes::integer, $retentionDueVersions::integer, now(), $who::text FROM edited
  ON CONFLICT (provider_id) DO UPDATE
  SET switched_off = excluded.switched_off, checkpoint_overdue_minutes = excluded.checkpoint_overdue_minutes,
      retention_due_versions = excluded.retention_due_versions, set_at = excluded.set_at, set_by = excluded.set_by
  RETURNING set_at
), due AS (
  UPDATE alert_look l SET fence = l.fence + 1, until = NULL, looked_at = NULL, seen = NULL, retention_seen = NULL
  FROM edited
  WHERE l.provider_id = $provider
)`,
  'SELECT c.set_at AS "setAt", e.version FROM changed c CROSS JOIN edited e',
  {
    asked: ({ switchedOff, checkpointOverdueMinutes, retentionDueVersions }) => ({
      switchedOff,
      checkpointOverdueMinutes,
      retentionDueVersions,
    }),
  },
)

/**
 * Replaces the settings. A look in progress writes nothing, and the next one is due at once.
 * `stale`: they are at another version than those it may follow.
 */
export async function writeAlertSettings(
  db: Queryable,
  { provider, settings }: { readonly provider: string; readonly settings: AlertSettings },
  actor: Actor,
  allowed?: VersionSet,
): Promise<(SetAlertSettings & { readonly version: number }) | 'stale'> {
  const row = await set(db, { ...settings, ...(await guardOf(db, provider, 'alertSetting', allowed)) }, actor)
  return row === undefined ? 'stale' : { ...settings, ...row, setBy: actor.who }
}
