// Webhooks: where messages are sent, how far each is, and the last attempts. One process at a time
// sends to a webhook. Source: decision 0072.
import type { PayloadKind, SignatureKind } from '../../contract/webhooks.ts'
import { declareLimit } from '../../limits.ts'
import { leaseStatements } from '../base/leases.ts'
import { type Guard, guardOf, versionRaised } from '../base/setting-versions.ts'
import type { VersionSet } from '../base/writes.ts'
import { amongProviders, type Page, type Queryable, statement } from '../database/statement.ts'
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

const list = statement<StoredWebhook, { provider: string; id: string | undefined }>(
  'listWebhooks',
  `SELECT ${shown}
   FROM webhook w CROSS JOIN (SELECT now() AS now) t
   WHERE w.provider_id = $provider AND ($id::uuid IS NULL OR w.id = $id)
   ORDER BY w.id`,
)

/** Every webhook of the provider, oldest first. */
export const findWebhooks = (db: Queryable, provider: string): Promise<StoredWebhook[]> =>
  list(db, { provider, id: undefined })

export const findWebhook = async (db: Queryable, provider: string, id: string): Promise<StoredWebhook | undefined> =>
  (await list(db, { provider, id }))[0]

/** How far behind the feed a webhook is. */
export interface WebhookLag {
  /** Changes after its position, whether it is sent them or not. */
  readonly changes: number
  /** How long ago the first of them happened, in seconds. */
  readonly seconds: number
}

export const noLag: WebhookLag = { changes: 0, seconds: 0 }

const behind = statement<WebhookLag & { readonly id: string }, { provider: string; id: string | undefined }>(
  'webhooksBehind',
  `SELECT w.id, (newest.changes_until - first.until + first.remaining)::float8 AS changes,
          greatest(extract(epoch FROM now() - CASE WHEN first.is_purge THEN v.purged_at ELSE v.submitted_at END), 0)::float8 AS seconds
   FROM (
     SELECT id, split_part(position, '-', 1)::integer AS number, split_part(position, '-', 2)::integer AS index
     FROM webhook
     WHERE provider_id = $provider AND ($id::uuid IS NULL OR id = $id)
   ) w
   CROSS JOIN LATERAL (
     SELECT c.changes_until AS until, c.version_count + c.purge_count - c.before AS remaining, c.before >= c.version_count AS is_purge,
            (c.record_ids || c.purged_ids)[c.before + 1] AS id, (c.versions || c.purged_versions)[c.before + 1] AS version
     FROM (
       SELECT *, CASE WHEN number = w.number THEN w.index ELSE 0 END AS before
       FROM checkpoint
       WHERE provider_id = $provider AND number >= w.number AND (number > w.number OR version_count + purge_count > w.index)
       ORDER BY number
       LIMIT 1
     ) c
   ) first
   CROSS JOIN LATERAL (
     SELECT submitted_at, purged_at
     FROM record_version
     WHERE provider_id = $provider AND record_id = first.id AND version = first.version
     LIMIT 1
   ) v
   CROSS JOIN (SELECT changes_until FROM checkpoint WHERE provider_id = $provider ORDER BY number DESC LIMIT 1) newest`,
)

/** The webhooks of a provider that are behind, by id; only one of them where its id is given. */
export const webhooksBehind = async (
  db: Queryable,
  provider: string,
  id?: string,
): Promise<ReadonlyMap<string, WebhookLag>> =>
  new Map((await behind(db, { provider, id })).map(({ id, changes, seconds }) => [id, { changes, seconds }]))

/** A webhook of a provider. */
interface NamedWebhook {
  readonly provider: string
  readonly id: string
}

/**
 * Declares an administrator's change of one webhook, which `changes` returns as `changed`. The
 * function is false when it changed none.
 */
function webhookStatement<Params extends object>(
  name: string,
  changes: string,
  options: Parameters<typeof loggedStatement<{ id: string }, Params>>[3],
) {
  const run = loggedStatement<{ id: string }, Params>(name, changes, 'SELECT id FROM changed', options)
  return async (db: Queryable, params: Params, actor: Actor): Promise<boolean> =>
    (await run(db, params, actor)) !== undefined
}

/** Where a webhook begins: after this position of the feed and this alert. */
export interface WebhookStart {
  readonly position: string
  readonly alertNumber: number
}

/** The settings in the access log. Of the address only the host: the rest may be a secret. */
const askedOf = (id: string, { url, ...settings }: WebhookSettings) => ({
  id,
  host: new URL(url).host,
  types: settings.types,
  dataProviderVendorId: settings.dataProviderVendorId,
  shipToLocationCode: settings.shipToLocationCode,
  lotCode: settings.lotCode,
  payload: settings.payload,
})

/** Creates a webhook. False when the provider has as many as it may have. */
export const insertWebhook = webhookStatement<NamedWebhook & WebhookSettings & StoredKey & WebhookStart>(
  'createWebhook',
  `counted AS MATERIALIZED (
  SELECT count(*) AS webhooks FROM webhook WHERE provider_id = $provider
), changed AS (
  INSERT INTO webhook (provider_id, id, url, description, types, "dataProviderVendorId", "shipToLocationCode", "lotCode",
                       payload, signature, secret, created_at, created_by, position, alert_number)
  SELECT $provider, $id::uuid, $url::text, $description::text, $types::text[], $dataProviderVendorId::text,
         $shipToLocationCode::text, $lotCode::text, $payload::text, $signature::text, $secret::bytea,
         now(), $who::text, $position::text, $alertNumber::integer
  FROM counted
  WHERE webhooks < $most
  RETURNING id
)`,
  { asked: ({ id, ...settings }) => askedOf(id, settings), defaults: { most: webhooksMax } },
)

/** True while the messages of a webhook stay the same after it was changed. */
const isSame = `w.types = $types::text[] AND w.payload = $payload AND w."dataProviderVendorId" IS NOT DISTINCT FROM $dataProviderVendorId::text
             AND w."shipToLocationCode" IS NOT DISTINCT FROM $shipToLocationCode::text AND w."lotCode" IS NOT DISTINCT FROM $lotCode::text`

// A message that is being sent keeps its id only while its content stays the same.
const replace = loggedStatement<{ version: number }, Guard & WebhookSettings>(
  'replaceWebhook',
  `edited AS (
  ${versionRaised}
  RETURNING v.version
), changed AS (
  UPDATE webhook w
  SET url = $url, description = $description, types = $types::text[], "dataProviderVendorId" = $dataProviderVendorId::text, "shipToLocationCode" = $shipToLocationCode::text,
      "lotCode" = $lotCode::text, payload = $payload, setting = w.setting + 1, next_at = NULL,
      message_id = CASE WHEN ${isSame} THEN w.message_id END, message_end = CASE WHEN ${isSame} THEN w.message_end END,
      message_alert = CASE WHEN ${isSame} THEN w.message_alert END
  FROM edited e
  WHERE w.provider_id = $provider AND w.id = $edited::text::uuid
  RETURNING e.version
)`,
  'SELECT version FROM changed',
  { asked: ({ edited, ...settings }) => askedOf(edited, settings) },
)

/**
 * Replaces the settings. Key and position stay. The new version; undefined when there is none with
 * this id at a version that this may follow.
 */
export const replaceWebhookSettings = async (
  db: Queryable,
  { provider, id, ...settings }: NamedWebhook & WebhookSettings,
  actor: Actor,
  allowed?: VersionSet,
): Promise<number | undefined> =>
  (await replace(db, { ...settings, ...(await guardOf(db, provider, id, allowed)) }, actor))?.version

const remove = webhookStatement<Guard>(
  'deleteWebhook',
  `edited AS (
  ${versionRaised}
  RETURNING v.version
), changed AS (
  DELETE FROM webhook w USING edited WHERE w.provider_id = $provider AND w.id = $edited::text::uuid RETURNING w.id
), forgotten AS (
  DELETE FROM webhook_attempt a USING changed WHERE a.provider_id = $provider AND a.webhook_id = changed.id
)`,
  { asked: ({ edited }) => ({ id: edited }) },
)

/**
 * Deletes a webhook with its attempts. False when there is none with this id at a version that this
 * may follow.
 */
export const removeWebhook = async (
  db: Queryable,
  { provider, id }: NamedWebhook,
  actor: Actor,
  allowed?: VersionSet,
): Promise<boolean> => remove(db, await guardOf(db, provider, id, allowed), actor)

/** Enables it, and makes its next attempt due. False when there is none with this id. */
export const enableWebhook = webhookStatement<NamedWebhook>(
  'resumeWebhook',
  `changed AS (
  UPDATE webhook w
  SET disabled_at = NULL, disabled_because = NULL, attempts = 0, failing_since = NULL, next_at = NULL,
      setting = w.setting + 1
  WHERE w.provider_id = $provider AND w.id = $id
  RETURNING w.id
)`,
  { asked: ({ id }) => ({ id }) },
)

/** Sets it to a position of the feed. False when there is none with this id. */
export const moveWebhook = webhookStatement<NamedWebhook & { position: string }>(
  'replayWebhook',
  `changed AS (
  UPDATE webhook w
  SET position = $position, message_id = NULL, message_end = NULL, message_alert = NULL, next_at = NULL, setting = w.setting + 1
  WHERE w.provider_id = $provider AND w.id = $id
  RETURNING w.id
)`,
  { asked: ({ id, position }) => ({ id, position }) },
)

/** Replaces its key. The old one also signs for a day. False when there is none with this id. */
export const changeWebhookKey = webhookStatement<NamedWebhook & StoredKey>(
  'rotateWebhookKey',
  `changed AS (
  UPDATE webhook w
  SET old_signature = w.signature, old_secret = w.secret, old_until = t.until, signature = $signature,
      secret = $secret::bytea, setting = w.setting + 1
  FROM (SELECT now() + make_interval(secs => $oldKeySeconds) AS until) t
  WHERE w.provider_id = $provider AND w.id = $id
  RETURNING w.id
)`,
  { asked: ({ id, signature }) => ({ id, signature }), defaults: { oldKeySeconds } },
)

// Of all providers, because a sender does not know which of them have webhooks.
/** Enabled webhooks of all providers. `isFree`: no process has a claim. */
export const enabledWebhooks = statement.ofAll<{ provider: string; id: string; isFree: boolean }>(
  'enabledWebhooks',
  `SELECT w.provider_id AS provider, w.id, w.until IS NULL OR w.until < now() AS "isFree"
   FROM webhook w
   WHERE w.disabled_at IS NULL AND ${amongProviders('w')}`,
)

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

/** A webhook that this process has claimed, with the settings that it knows. */
interface HeldWebhook extends NamedWebhook {
  readonly fence: number
  readonly setting: number
}

const begin = statement.any<
  HeldWebhook & WebhookStart & { messageId: string; end: string | null; alert: number | null }
>(
  'beginWebhookMessage',
  `UPDATE webhook w
   SET position = $position, alert_number = $alertNumber, message_id = $messageId::uuid, message_end = $end, message_alert = $alert
   WHERE w.provider_id = $provider AND w.id = $id AND w.fence = $fence AND w.setting = $setting AND w.message_id IS NULL
     AND w.disabled_at IS NULL
   RETURNING w.id`,
)

/**
 * Stores the id and extent of the next message before it is sent, and skips unwanted changes before
 * it. False when its settings have changed, or the claim is lost.
 */
export const beginMessage = async (
  db: Queryable,
  message: HeldWebhook & WebhookStart & { readonly messageId: string },
  extent: MessageExtent,
): Promise<boolean> => begin(db, { ...message, end: null, alert: null, ...extent })

/** Skips unwanted changes. False when its settings have changed, or the claim is lost. */
export const skipChanges = statement.any<HeldWebhook & WebhookStart>(
  'skipWebhookChanges',
  `UPDATE webhook w
   SET position = $position, alert_number = $alertNumber
   WHERE w.provider_id = $provider AND w.id = $id AND w.fence = $fence AND w.setting = $setting AND w.message_id IS NULL
   RETURNING w.id`,
)

/** Skips a message whose content was purged. */
export const dropMessage = statement<never, { provider: string; id: string; fence: number; messageId: string }>(
  'dropWebhookMessage',
  `UPDATE webhook w
   SET position = coalesce(w.message_end, w.position), alert_number = coalesce(w.message_alert, w.alert_number),
       message_id = NULL, message_end = NULL, message_alert = NULL
   WHERE w.provider_id = $provider AND w.id = $id AND w.fence = $fence AND w.message_id = $messageId::uuid`,
)

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

/** An attempt of a webhook, to be stored. */
type StoredResult = NewAttempt & { readonly provider: string; readonly webhook: string }

const settle = statement.any<StoredResult & { fence: number; sentMessage: string }>(
  'settleWebhookMessage',
  `WITH known AS (
  SELECT id FROM webhook WHERE provider_id = $provider AND id = $webhook FOR UPDATE
), settled AS (
  UPDATE webhook w
  SET position = CASE WHEN $delivered THEN coalesce(w.message_end, w.position) ELSE w.position END,
      alert_number = CASE WHEN $delivered THEN coalesce(w.message_alert, w.alert_number) ELSE w.alert_number END,
      message_id = CASE WHEN $delivered THEN NULL ELSE w.message_id END,
      message_end = CASE WHEN $delivered THEN NULL ELSE w.message_end END,
      message_alert = CASE WHEN $delivered THEN NULL ELSE w.message_alert END,
      attempts = CASE WHEN $delivered THEN 0 ELSE w.attempts + 1 END,
      failing_since = CASE WHEN $delivered THEN NULL ELSE coalesce(w.failing_since, t.now) END,
      delivered_at = CASE WHEN $delivered THEN t.now ELSE w.delivered_at END,
      next_at = t.next_at, disabled_because = $disabledBecause, disabled_at = t.disabled_at
  FROM (
    SELECT now() AS now, now() + make_interval(secs => $againInSeconds::float8) AS next_at,
           CASE WHEN $disabledBecause::text IS NOT NULL THEN now() END AS disabled_at
  ) t
  WHERE w.provider_id = $provider AND w.id = $webhook AND w.fence = $fence AND w.message_id = $sentMessage::uuid AND w.disabled_at IS NULL
    AND w.id IN (SELECT id FROM known)
  RETURNING w.id
), noted AS (
  INSERT INTO webhook_attempt (provider_id, webhook_id, id, began_at, ms, message_id, type, changes, position, attempt,
                               delivered, status, error, answer, next_at)
  SELECT $provider, k.id, $id::uuid, $beganAt::timestamptz, $ms::float8::integer, $messageId::text, $type::text, $changes::integer, $position::text, $attempt::integer,
         $delivered::boolean, $status::integer, $error::text, $answer::text, now() + make_interval(secs => $againInSeconds::float8)
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
  { provider, id, fence }: Omit<HeldWebhook, 'setting'>,
  sentMessage: string,
  { attempt, after }: { readonly attempt: NewAttempt; readonly after: AfterFailure | undefined },
): Promise<boolean> => settle(db, { ...attempt, webhook: id, fence, sentMessage, ...after, provider })

/** Stores the attempt of a test. If it was delivered, a failed message is due at once. */
export const noteTestAttempt = statement<never, StoredResult>(
  'noteWebhookTest',
  `WITH tried AS (
  UPDATE webhook w
  SET next_at = CASE WHEN $delivered::boolean THEN NULL ELSE w.next_at END,
      setting = w.setting + CASE WHEN $delivered::boolean AND w.next_at IS NOT NULL THEN 1 ELSE 0 END
  WHERE w.provider_id = $provider AND w.id = $webhook
  RETURNING w.id
)
INSERT INTO webhook_attempt (provider_id, webhook_id, id, began_at, ms, message_id, type, changes, position, attempt,
                             delivered, status, error, answer)
SELECT $provider, t.id, $id::uuid, $beganAt::timestamptz, $ms::float8::integer, $messageId::text, $type::text, $changes::integer, $position::text, $attempt::integer,
       $delivered::boolean, $status::integer, $error::text, $answer::text
FROM tried t`,
)

export interface StoredAttempt extends NewAttempt {
  readonly nextAt: Date | null
}

/** Up to `limit` attempts, newest first; those below an id when one is given. */
export const listAttempts = statement<StoredAttempt, Page & { webhook: string; failedOnly: boolean }>(
  'listWebhookAttempts',
  `SELECT a.id, a.began_at AS "beganAt", a.ms, a.message_id AS "messageId", a.type, a.changes, a.position, a.attempt,
          a.delivered, a.status, a.error, a.answer, a.next_at AS "nextAt"
   FROM webhook_attempt a
   WHERE a.provider_id = $provider AND a.webhook_id = $webhook AND ($before::uuid IS NULL OR a.id < $before) AND (NOT $failedOnly::boolean OR NOT a.delivered)
     AND a.began_at > now() - make_interval(days => $days)
   ORDER BY a.id DESC
   LIMIT $limit`,
  { defaults: { days: attemptDaysMax } },
)

/** Deletes attempts above the number and age that are kept. */
export const deleteOldAttempts = statement<never, { provider: string; webhook: string }>(
  'deleteOldWebhookAttempts',
  `WITH kept AS MATERIALIZED (
  SELECT a.id FROM webhook_attempt a WHERE a.provider_id = $provider AND a.webhook_id = $webhook ORDER BY a.id DESC OFFSET $kept LIMIT 1
)
DELETE FROM webhook_attempt d
WHERE d.provider_id = $provider AND d.webhook_id = $webhook
  AND (d.id <= (SELECT id FROM kept) OR d.began_at < now() - make_interval(days => $days))`,
  { defaults: { kept: attemptsKept, days: attemptDaysMax } },
)
