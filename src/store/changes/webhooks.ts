// Webhooks: where messages are sent, how far each is, and the last attempts. One process at a time
// sends to a webhook. Source: decision 0072.
import type { PayloadKind, SignatureKind } from '../../contract/webhooks.ts'
import { declareLimit } from '../../limits.ts'
import { leaseStatements } from '../base/leases.ts'
import { allowedVersions, provideSettingVersion, versionRaised } from '../base/setting-versions.ts'
import type { VersionSet } from '../base/writes.ts'
import { type Queryable, statement } from '../database/statement.ts'
import { type Actor, loggedStatement } from '../evidence/access-log.ts'

export const webhooksMax = declareLimit('webhooks', 50, 'webhooks', 'Webhooks of a provider.')

/** How long the replaced key also signs after a rotation, in seconds. */
const oldKeySeconds = 86_400

/** How many attempts of each webhook are kept, and for how many days. */
export const attemptsKept = declareLimit(
  'webhookAttempts',
  1_000,
  'attempts',
  'Attempts of a webhook that are kept, of 30 days.',
)
const attemptDaysMax = 30

/** The settings of a webhook. */
export interface WebhookSettings {
  readonly url: string
  readonly description: string | null
  /** Types, or patterns of them. Without any: all changes and no alerts. */
  readonly types: readonly string[]
  readonly dataProviderVendorId: string | null
  readonly shipToLocationCode: string | null
  readonly lotCode: string | null
  readonly payload: PayloadKind
}

type DisabledBecause = 'failing' | 'gone'

/** A key in the database. */
export interface StoredKey {
  readonly signature: SignatureKind
  readonly secret: Buffer
}

export interface StoredWebhook extends WebhookSettings {
  readonly id: string
  readonly signature: SignatureKind
  readonly secret: Buffer
  readonly oldSignature: SignatureKind | null
  readonly oldSecret: Buffer | null
  readonly oldUntil: Date | null
  readonly createdAt: Date
  readonly createdBy: string
  readonly setting: number
  /** Number of the current or last claim. */
  readonly fence: number
  readonly disabledAt: Date | null
  readonly disabledBecause: DisabledBecause | null
  /** The text of a `Position`. */
  readonly position: string
  readonly alertNumber: number
  readonly messageId: string | null
  readonly messageEnd: string | null
  readonly messageAlert: number | null
  readonly attempts: number
  readonly failingSince: Date | null
  readonly nextAt: Date | null
  readonly deliveredAt: Date | null
  /** Milliseconds until `nextAt`, and since `failingSince`, by the clock of the database. */
  readonly dueInMs: number
  readonly failingMs: number
}

const shown = `w.id, w.url, w.description, w.types, w."dataProviderVendorId", w."shipToLocationCode", w."lotCode",
          w.payload, w.signature, w.secret, w.created_at AS "createdAt", w.created_by AS "createdBy", w.setting, w.fence,
          CASE WHEN w.old_until > t.now THEN w.old_signature END AS "oldSignature",
          CASE WHEN w.old_until > t.now THEN w.old_secret END AS "oldSecret",
          CASE WHEN w.old_until > t.now THEN w.old_until END AS "oldUntil",
          w.disabled_at AS "disabledAt", w.disabled_because AS "disabledBecause", w.position,
          w.alert_number AS "alertNumber", w.message_id AS "messageId", w.message_end AS "messageEnd",
          w.message_alert AS "messageAlert", w.attempts, w.failing_since AS "failingSince", w.next_at AS "nextAt",
          w.delivered_at AS "deliveredAt",
          greatest(coalesce(extract(epoch FROM w.next_at - t.now), 0), 0)::float8 * 1000 AS "dueInMs",
          greatest(coalesce(extract(epoch FROM t.now - w.failing_since), 0), 0)::float8 * 1000 AS "failingMs"`

const list = statement<StoredWebhook>(
  'listWebhooks',
  `SELECT ${shown}
   FROM webhook w CROSS JOIN (SELECT now() AS now) t
   WHERE w.provider_id = $1 AND ($2::uuid IS NULL OR w.id = $2)
   ORDER BY w.id`,
)

/** Every webhook of the provider, oldest first. */
export const findWebhooks = (db: Queryable, provider: string): Promise<StoredWebhook[]> => list(db, [provider, null])

export const findWebhook = async (db: Queryable, provider: string, id: string): Promise<StoredWebhook | undefined> =>
  (await list(db, [provider, id]))[0]

/** How far behind the feed a webhook is. */
export interface WebhookLag {
  /** Changes after its position, whether it is sent them or not. */
  readonly changes: number
  /** How long ago the first of them happened, in seconds. */
  readonly seconds: number
}

export const noLag: WebhookLag = { changes: 0, seconds: 0 }

const behind = statement<WebhookLag & { readonly id: string }>(
  'webhooksBehind',
  `SELECT w.id, (newest.changes_until - first.until + first.remaining)::float8 AS changes,
          greatest(extract(epoch FROM now() - CASE WHEN first.is_purge THEN v.purged_at ELSE v.submitted_at END), 0)::float8 AS seconds
   FROM (
     SELECT id, split_part(position, '-', 1)::integer AS number, split_part(position, '-', 2)::integer AS index
     FROM webhook
     WHERE provider_id = $1 AND ($2::uuid IS NULL OR id = $2)
   ) w
   CROSS JOIN LATERAL (
     SELECT c.changes_until AS until, c.version_count + c.purge_count - c.before AS remaining, c.before >= c.version_count AS is_purge,
            (c.record_ids || c.purged_ids)[c.before + 1] AS id, (c.versions || c.purged_versions)[c.before + 1] AS version
     FROM (
       SELECT *, CASE WHEN number = w.number THEN w.index ELSE 0 END AS before
       FROM checkpoint
       WHERE provider_id = $1 AND number >= w.number AND (number > w.number OR version_count + purge_count > w.index)
       ORDER BY number
       LIMIT 1
     ) c
   ) first
   CROSS JOIN LATERAL (
     SELECT submitted_at, purged_at
     FROM record_version
     WHERE provider_id = $1 AND record_id = first.id AND version = first.version
     LIMIT 1
   ) v
   CROSS JOIN (SELECT changes_until FROM checkpoint WHERE provider_id = $1 ORDER BY number DESC LIMIT 1) newest`,
)

/** The webhooks of a provider that are behind, by id; only one of them where its id is given. */
export const webhooksBehind = async (
  db: Queryable,
  provider: string,
  id?: string,
): Promise<ReadonlyMap<string, WebhookLag>> =>
  new Map((await behind(db, [provider, id ?? null])).map(({ id, changes, seconds }) => [id, { changes, seconds }]))

/**
 * Declares an administrator's change of one webhook, which `changes` returns as `changed`. The
 * function is false when it changed none.
 */
function webhookStatement(name: string, changes: string) {
  const run = loggedStatement<{ id: string }>(name, changes, 'SELECT id FROM changed')
  return async (db: Queryable, values: readonly unknown[], actor: Actor, asked: object): Promise<boolean> =>
    (await run(db, values, actor, asked)).length > 0
}

const insert = webhookStatement(
  'createWebhook',
  `counted AS MATERIALIZED (
  SELECT count(*) AS webhooks FROM webhook WHERE provider_id = $1
), changed AS (
  INSERT INTO webhook (provider_id, id, url, description, types, "dataProviderVendorId", "shipToLocationCode", "lotCode",
                       payload, signature, secret, created_at, created_by, position, alert_number)
  SELECT $1, $2::uuid, $3::text, $4::text, $5::text[], $6::text, $7::text, $8::text, $9::text, $10::text, $11::bytea,
         now(), $12::text, $13::text, $14::integer
  FROM counted
  WHERE webhooks < $15
  RETURNING id
)`,
)

/** Where a webhook begins: after this position of the feed and this alert. */
export interface WebhookStart {
  readonly position: string
  readonly alertNumber: number
}

/** False when the provider has as many as it may have. */
export const insertWebhook = (
  db: Queryable,
  provider: string,
  id: string,
  settings: WebhookSettings,
  { signature, secret }: StoredKey,
  { position, alertNumber }: WebhookStart,
  actor: Actor,
): Promise<boolean> => {
  const values = [provider, id, ...valuesOf(settings), signature, secret, actor.who, position, alertNumber]
  return insert(db, [...values, webhooksMax], actor, askedOf(id, settings))
}

const valuesOf = (settings: WebhookSettings) => {
  const { url, description, types, dataProviderVendorId, shipToLocationCode, lotCode, payload } = settings
  return [url, description, types, dataProviderVendorId, shipToLocationCode, lotCode, payload]
}

/** The address in the access log: only the host, because the rest may be a secret. */
const askedOf = (id: string, { url, description: _, ...settings }: WebhookSettings) => ({
  id,
  host: new URL(url).host,
  ...settings,
})

/** True while the messages of a webhook stay the same after it was changed. */
const isSame = `w.types = $6::text[] AND w.payload = $10 AND w."dataProviderVendorId" IS NOT DISTINCT FROM $7::text
             AND w."shipToLocationCode" IS NOT DISTINCT FROM $8::text AND w."lotCode" IS NOT DISTINCT FROM $9::text`

// A message that is being sent keeps its id only while its content stays the same.
const replace = loggedStatement<{ version: number }>(
  'replaceWebhook',
  `edited AS (
  ${versionRaised}
  RETURNING v.version
), changed AS (
  UPDATE webhook w
  SET url = $4, description = $5, types = $6::text[], "dataProviderVendorId" = $7::text, "shipToLocationCode" = $8::text,
      "lotCode" = $9::text, payload = $10, setting = w.setting + 1, next_at = NULL,
      message_id = CASE WHEN ${isSame} THEN w.message_id END, message_end = CASE WHEN ${isSame} THEN w.message_end END,
      message_alert = CASE WHEN ${isSame} THEN w.message_alert END
  FROM edited e
  WHERE w.provider_id = $1 AND w.id = $2::text::uuid
  RETURNING e.version
)`,
  'SELECT version FROM changed',
)

/**
 * Replaces the settings. Key and position stay. The new version; undefined when there is none with
 * this id at a version that this may follow.
 */
export const replaceWebhookSettings = async (
  db: Queryable,
  provider: string,
  id: string,
  settings: WebhookSettings,
  actor: Actor,
  allowed?: VersionSet,
): Promise<number | undefined> => {
  await provideSettingVersion(db, provider, id)
  const values = [provider, id, allowedVersions(allowed), ...valuesOf(settings)]
  return (await replace(db, values, actor, askedOf(id, settings)))[0]?.version
}

const remove = webhookStatement(
  'deleteWebhook',
  `edited AS (
  ${versionRaised}
  RETURNING v.version
), changed AS (
  DELETE FROM webhook w USING edited WHERE w.provider_id = $1 AND w.id = $2::text::uuid RETURNING w.id
), forgotten AS (
  DELETE FROM webhook_attempt a USING changed WHERE a.provider_id = $1 AND a.webhook_id = changed.id
)`,
)

/**
 * Deletes a webhook with its attempts. False when there is none with this id at a version that this
 * may follow.
 */
export const removeWebhook = async (
  db: Queryable,
  provider: string,
  id: string,
  actor: Actor,
  allowed?: VersionSet,
): Promise<boolean> => {
  await provideSettingVersion(db, provider, id)
  return remove(db, [provider, id, allowedVersions(allowed)], actor, { id })
}

const resume = webhookStatement(
  'resumeWebhook',
  `changed AS (
  UPDATE webhook w
  SET disabled_at = NULL, disabled_because = NULL, attempts = 0, failing_since = NULL, next_at = NULL,
      setting = w.setting + 1
  WHERE w.provider_id = $1 AND w.id = $2
  RETURNING w.id
)`,
)

/** Enables it, and makes its next attempt due. False when there is none with this id. */
export const enableWebhook = (db: Queryable, provider: string, id: string, actor: Actor): Promise<boolean> =>
  resume(db, [provider, id], actor, { id })

const replay = webhookStatement(
  'replayWebhook',
  `changed AS (
  UPDATE webhook w
  SET position = $3, message_id = NULL, message_end = NULL, message_alert = NULL, next_at = NULL, setting = w.setting + 1
  WHERE w.provider_id = $1 AND w.id = $2
  RETURNING w.id
)`,
)

/** Sets it to a position of the feed. False when there is none with this id. */
export const moveWebhook = (
  db: Queryable,
  provider: string,
  id: string,
  position: string,
  actor: Actor,
): Promise<boolean> => replay(db, [provider, id, position], actor, { id, position })

const rotate = webhookStatement(
  'rotateWebhookKey',
  `changed AS (
  UPDATE webhook w
  SET old_signature = w.signature, old_secret = w.secret, old_until = t.until, signature = $3, secret = $4::bytea,
      setting = w.setting + 1
  FROM (SELECT now() + make_interval(secs => $5) AS until) t
  WHERE w.provider_id = $1 AND w.id = $2
  RETURNING w.id
)`,
)

/** Replaces its key. The old one also signs for a day. False when there is none with this id. */
export const changeWebhookKey = (
  db: Queryable,
  provider: string,
  id: string,
  { signature, secret }: StoredKey,
  actor: Actor,
): Promise<boolean> => rotate(db, [provider, id, signature, secret, oldKeySeconds], actor, { id, signature })

// Of all providers, because a sender does not know which of them have webhooks.
const enabled = statement<{ provider: string; id: string; isFree: boolean }>(
  'enabledWebhooks',
  `SELECT w.provider_id AS provider, w.id, w.until IS NULL OR w.until < now() AS "isFree"
   FROM webhook w
   WHERE w.disabled_at IS NULL`,
)

/** Enabled webhooks of all providers. `isFree`: no process has a claim. */
export const enabledWebhooks = (db: Queryable) => enabled(db, [])

export const webhookLease = leaseStatements<StoredWebhook, Pick<StoredWebhook, 'id' | 'fence' | 'setting'>>({
  name: 'Webhook',
  table: 'webhook',
  alias: 'w',
  byId: true,
  seconds: 6,
  hasWork: 'w.disabled_at IS NULL',
  claimed: shown,
  renewed: 'w.id, w.fence, w.setting',
})

/** A message that is being sent: changes up to a position, or one alert. */
export type MessageExtent = { readonly end: string } | { readonly alert: number }

const begin = statement<{ id: string }>(
  'beginWebhookMessage',
  `UPDATE webhook w
   SET position = $5, alert_number = $6, message_id = $7::uuid, message_end = $8, message_alert = $9
   WHERE w.provider_id = $1 AND w.id = $2 AND w.fence = $3 AND w.setting = $4 AND w.message_id IS NULL
     AND w.disabled_at IS NULL
   RETURNING w.id`,
)

/**
 * Stores the id and extent of the next message before it is sent, and skips unwanted changes before
 * it. False when its settings have changed, or the claim is lost.
 */
export const beginMessage = async (
  db: Queryable,
  provider: string,
  { id, fence, setting }: Pick<StoredWebhook, 'id' | 'fence' | 'setting'>,
  { position, alertNumber }: WebhookStart,
  messageId: string,
  extent: MessageExtent,
): Promise<boolean> => {
  const [end, alert] = 'end' in extent ? [extent.end, null] : [null, extent.alert]
  return (await begin(db, [provider, id, fence, setting, position, alertNumber, messageId, end, alert])).length > 0
}

const skip = statement<{ id: string }>(
  'skipWebhookChanges',
  `UPDATE webhook w
   SET position = $5, alert_number = $6
   WHERE w.provider_id = $1 AND w.id = $2 AND w.fence = $3 AND w.setting = $4 AND w.message_id IS NULL
   RETURNING w.id`,
)

/** Skips unwanted changes. False when its settings have changed, or the claim is lost. */
export const skipChanges = async (
  db: Queryable,
  provider: string,
  { id, fence, setting }: Pick<StoredWebhook, 'id' | 'fence' | 'setting'>,
  { position, alertNumber }: WebhookStart,
): Promise<boolean> => (await skip(db, [provider, id, fence, setting, position, alertNumber])).length > 0

const drop = statement(
  'dropWebhookMessage',
  `UPDATE webhook w
   SET position = coalesce(w.message_end, w.position), alert_number = coalesce(w.message_alert, w.alert_number),
       message_id = NULL, message_end = NULL, message_alert = NULL
   WHERE w.provider_id = $1 AND w.id = $2 AND w.fence = $3 AND w.message_id = $4::uuid`,
)

/** Skips a message whose content was purged. */
export const dropMessage = async (
  db: Queryable,
  provider: string,
  { id, fence }: Pick<StoredWebhook, 'id' | 'fence'>,
  messageId: string,
): Promise<void> => {
  await drop(db, [provider, id, fence, messageId])
}

/** The result of sending a message once. */
export interface NewAttempt {
  readonly id: string
  readonly beganAt: Date
  readonly ms: number
  /** As the header has it. */
  readonly messageId: string
  readonly type: string
  readonly changes: number
  readonly position: string | null
  readonly attempt: number
  readonly delivered: boolean
  readonly status: number | null
  readonly error: string | null
  readonly answer: string | null
}

/** When a failed message is sent again, or why it is not. */
export type AfterFailure = { readonly againInSeconds: number } | { readonly disabledBecause: DisabledBecause }

const settle = statement<{ id: string }>(
  'settleWebhookMessage',
  `WITH known AS (
  SELECT id FROM webhook WHERE provider_id = $1 AND id = $2 FOR UPDATE
), settled AS (
  UPDATE webhook w
  SET position = CASE WHEN $11 THEN coalesce(w.message_end, w.position) ELSE w.position END,
      alert_number = CASE WHEN $11 THEN coalesce(w.message_alert, w.alert_number) ELSE w.alert_number END,
      message_id = CASE WHEN $11 THEN NULL ELSE w.message_id END,
      message_end = CASE WHEN $11 THEN NULL ELSE w.message_end END,
      message_alert = CASE WHEN $11 THEN NULL ELSE w.message_alert END,
      attempts = CASE WHEN $11 THEN 0 ELSE w.attempts + 1 END,
      failing_since = CASE WHEN $11 THEN NULL ELSE coalesce(w.failing_since, t.now) END,
      delivered_at = CASE WHEN $11 THEN t.now ELSE w.delivered_at END,
      next_at = t.next_at, disabled_because = $16, disabled_at = t.disabled_at
  FROM (
    SELECT now() AS now, now() + make_interval(secs => $15::float8) AS next_at,
           CASE WHEN $16::text IS NOT NULL THEN now() END AS disabled_at
  ) t
  WHERE w.provider_id = $1 AND w.id = $2 AND w.fence = $17 AND w.message_id = $18::uuid AND w.disabled_at IS NULL
    AND w.id IN (SELECT id FROM known)
  RETURNING w.id
), noted AS (
  INSERT INTO webhook_attempt (provider_id, webhook_id, id, began_at, ms, message_id, type, changes, position, attempt,
                               delivered, status, error, answer, next_at)
  SELECT $1, k.id, $3::uuid, $4::timestamptz, $5::integer, $6::text, $7::text, $8::integer, $9::text, $10::integer,
         $11::boolean, $12::integer, $13::text, $14::text, now() + make_interval(secs => $15::float8)
  FROM known k
)
SELECT id FROM settled`,
)

/**
 * Stores the result of an attempt. A delivered message moves the webhook on; after a failure it is
 * due later, or disabled. False when the claim is lost: then only the attempt is stored.
 */
export const settleMessage = async (
  db: Queryable,
  provider: string,
  { id, fence }: Pick<StoredWebhook, 'id' | 'fence'>,
  messageId: string,
  attempt: NewAttempt,
  after: AfterFailure | undefined,
): Promise<boolean> => {
  const againIn = after !== undefined && 'againInSeconds' in after ? after.againInSeconds : null
  const because = after !== undefined && 'disabledBecause' in after ? after.disabledBecause : null
  return (await settle(db, [provider, id, ...attemptValues(attempt), againIn, because, fence, messageId])).length > 0
}

const attemptValues = (attempt: NewAttempt) => {
  const { id, beganAt, ms, messageId, type, changes, position, delivered, status, error, answer } = attempt
  const numbers = [Math.round(ms), messageId, type, changes, position, attempt.attempt]
  return [id, beganAt.toISOString(), ...numbers, delivered, status, error, answer]
}

const noteTest = statement(
  'noteWebhookTest',
  `WITH tried AS (
  UPDATE webhook w
  SET next_at = CASE WHEN $11::boolean THEN NULL ELSE w.next_at END,
      setting = w.setting + CASE WHEN $11::boolean AND w.next_at IS NOT NULL THEN 1 ELSE 0 END
  WHERE w.provider_id = $1 AND w.id = $2
  RETURNING w.id
)
INSERT INTO webhook_attempt (provider_id, webhook_id, id, began_at, ms, message_id, type, changes, position, attempt,
                             delivered, status, error, answer)
SELECT $1, t.id, $3::uuid, $4::timestamptz, $5::integer, $6::text, $7::text, $8::integer, $9::text, $10::integer,
       $11::boolean, $12::integer, $13::text, $14::text
FROM tried t`,
)

/** Stores the attempt of a test. If it was delivered, a failed message is due at once. */
export const noteTestAttempt = async (
  db: Queryable,
  provider: string,
  webhook: string,
  attempt: NewAttempt,
): Promise<void> => {
  await noteTest(db, [provider, webhook, ...attemptValues(attempt)])
}

export interface StoredAttempt extends NewAttempt {
  readonly nextAt: Date | null
}

const attempts = statement<StoredAttempt>(
  'listWebhookAttempts',
  `SELECT a.id, a.began_at AS "beganAt", a.ms, a.message_id AS "messageId", a.type, a.changes, a.position, a.attempt,
          a.delivered, a.status, a.error, a.answer, a.next_at AS "nextAt"
   FROM webhook_attempt a
   WHERE a.provider_id = $1 AND a.webhook_id = $2 AND ($3::uuid IS NULL OR a.id < $3) AND (NOT $4::boolean OR NOT a.delivered)
     AND a.began_at > now() - make_interval(days => $6)
   ORDER BY a.id DESC
   LIMIT $5`,
)

/** Up to `limit` attempts, newest first; those below an id when one is given. */
export const listAttempts = (
  db: Queryable,
  provider: string,
  webhook: string,
  failedOnly: boolean,
  before: string | undefined,
  limit: number,
): Promise<StoredAttempt[]> => attempts(db, [provider, webhook, before ?? null, failedOnly, limit, attemptDaysMax])

const deleteOld = statement(
  'deleteOldWebhookAttempts',
  `WITH kept AS MATERIALIZED (
  SELECT a.id FROM webhook_attempt a WHERE a.provider_id = $1 AND a.webhook_id = $2 ORDER BY a.id DESC OFFSET $3 LIMIT 1
)
DELETE FROM webhook_attempt d
WHERE d.provider_id = $1 AND d.webhook_id = $2
  AND (d.id <= (SELECT id FROM kept) OR d.began_at < now() - make_interval(days => $4))`,
)

/** Deletes attempts above the number and age that are kept. */
export const deleteOldAttempts = async (db: Queryable, provider: string, webhook: string): Promise<void> => {
  await deleteOld(db, [provider, webhook, attemptsKept, attemptDaysMax])
}
