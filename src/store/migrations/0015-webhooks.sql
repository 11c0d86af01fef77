-- Webhooks: where messages about changes and alerts are sent, and what came of the last ones.

CREATE TABLE webhook (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  url text NOT NULL,
  description text,
  types text[] NOT NULL,
  "dataProviderVendorId" text,
  "shipToLocationCode" text,
  "lotCode" text,
  payload text NOT NULL CHECK (payload IN ('thin', 'record')),
  signature text NOT NULL CHECK (signature IN ('v1a', 'v1')),
  secret bytea NOT NULL,
  old_signature text CHECK (old_signature IN ('v1a', 'v1')),
  old_secret bytea,
  old_until timestamptz,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  setting integer NOT NULL DEFAULT 1,
  disabled_at timestamptz,
  disabled_because text CHECK (disabled_because IN ('failing', 'gone')),
  position text NOT NULL,
  alert_number integer NOT NULL,
  message_id uuid,
  message_end text,
  message_alert integer,
  attempts integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  next_at timestamptz,
  delivered_at timestamptz,
  holder uuid,
  fence integer NOT NULL DEFAULT 0,
  until timestamptz,
  PRIMARY KEY (provider_id, id),
  CONSTRAINT webhook_disabled_with_reason CHECK ((disabled_at IS NULL) = (disabled_because IS NULL)),
  CONSTRAINT webhook_message_has_an_end CHECK ((message_id IS NULL) = (message_end IS NULL AND message_alert IS NULL)),
  CONSTRAINT webhook_old_key_whole CHECK ((old_secret IS NULL) = (old_signature IS NULL) AND (old_secret IS NULL) = (old_until IS NULL))
);
COMMENT ON TABLE webhook IS 'Where messages are sent (decision 0072). Each is a position in the feed of changes, and not a row for each message.';
COMMENT ON COLUMN webhook.id IS 'Id of the webhook: a UUID of version 7.';
COMMENT ON COLUMN webhook.url IS 'The address of the receiver.';
COMMENT ON COLUMN webhook.description IS 'What it is for, in the words of who created it.';
COMMENT ON COLUMN webhook.types IS 'Types of changes and alerts that are sent, or patterns such as receivingEvent.*; empty for all changes and no alerts.';
COMMENT ON COLUMN webhook."dataProviderVendorId" IS 'Only changes of records of this vendor; null for all.';
COMMENT ON COLUMN webhook."shipToLocationCode" IS 'Only changes of receiving events at this location; null for all.';
COMMENT ON COLUMN webhook."lotCode" IS 'Only changes of receiving events with this lot code; null for all.';
COMMENT ON COLUMN webhook.payload IS 'Whether messages carry ids only, or the record as well.';
COMMENT ON COLUMN webhook.signature IS 'v1a signs with Ed25519, v1 with HMAC-SHA256.';
COMMENT ON COLUMN webhook.secret IS 'The key that signs: a seed of Ed25519, or the secret that the receiver has too. Who reads it can forge messages to this receiver.';
COMMENT ON COLUMN webhook.old_signature IS 'How the key before the last rotation signs.';
COMMENT ON COLUMN webhook.old_secret IS 'The key before the last rotation, which signs beside the new one for a day.';
COMMENT ON COLUMN webhook.old_until IS 'Until when the old key signs.';
COMMENT ON COLUMN webhook.created_at IS 'When it was created.';
COMMENT ON COLUMN webhook.created_by IS 'Id of the key that created it.';
COMMENT ON COLUMN webhook.setting IS 'Counts what an operation changed, so that the process that sends reads the row again.';
COMMENT ON COLUMN webhook.disabled_at IS 'When it was disabled; null while it is enabled.';
COMMENT ON COLUMN webhook.disabled_because IS 'failing: messages failed for three days. gone: the receiver answered 410.';
COMMENT ON COLUMN webhook.position IS 'Position in the feed of changes: what comes before it was delivered, or not wanted.';
COMMENT ON COLUMN webhook.alert_number IS 'Number of the last alert that was delivered, or not wanted.';
COMMENT ON COLUMN webhook.message_id IS 'Id of the message that is being sent, stored before it is sent: a process that takes over sends it again under the same id.';
COMMENT ON COLUMN webhook.message_end IS 'Position behind the last change of that message.';
COMMENT ON COLUMN webhook.message_alert IS 'Number of the alert of that message.';
COMMENT ON COLUMN webhook.attempts IS 'Failed attempts in a row.';
COMMENT ON COLUMN webhook.failing_since IS 'When the first of them ended.';
COMMENT ON COLUMN webhook.next_at IS 'Nothing is sent before.';
COMMENT ON COLUMN webhook.delivered_at IS 'When a message was last delivered.';
COMMENT ON COLUMN webhook.holder IS 'The process that sends, by an id that it drew when it started.';
COMMENT ON COLUMN webhook.fence IS 'Counts the processes that took it over: one that was late writes nothing.';
COMMENT ON COLUMN webhook.until IS 'The holder is not disturbed until then; it renews this while it is alive.';

CREATE TABLE webhook_attempt (
  provider_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  id uuid NOT NULL,
  began_at timestamptz NOT NULL,
  ms integer NOT NULL,
  message_id text NOT NULL,
  type text NOT NULL,
  changes integer NOT NULL,
  position text,
  attempt integer NOT NULL,
  delivered boolean NOT NULL,
  status integer,
  error text,
  answer text,
  next_at timestamptz,
  PRIMARY KEY (provider_id, webhook_id, id)
);
COMMENT ON TABLE webhook_attempt IS 'What came of sending messages: the last 1,000 attempts of each webhook, of 30 days (decision 0072).';
COMMENT ON COLUMN webhook_attempt.webhook_id IS 'The webhook.';
COMMENT ON COLUMN webhook_attempt.id IS 'Id of the attempt: a UUID of version 7, so newer attempts have greater ids.';
COMMENT ON COLUMN webhook_attempt.began_at IS 'When it began.';
COMMENT ON COLUMN webhook_attempt.ms IS 'How long it took, in milliseconds.';
COMMENT ON COLUMN webhook_attempt.message_id IS 'Id of the message, the same in each attempt.';
COMMENT ON COLUMN webhook_attempt.type IS 'Type of the message.';
COMMENT ON COLUMN webhook_attempt.changes IS 'Number of changes in the message.';
COMMENT ON COLUMN webhook_attempt.position IS 'Position behind its last change; null for an alert or a test.';
COMMENT ON COLUMN webhook_attempt.attempt IS 'Counts the attempts of the message, from 1.';
COMMENT ON COLUMN webhook_attempt.delivered IS 'Whether the receiver confirmed it.';
COMMENT ON COLUMN webhook_attempt.status IS 'Status of the answer; null when there was none.';
COMMENT ON COLUMN webhook_attempt.error IS 'Why it failed.';
COMMENT ON COLUMN webhook_attempt.answer IS 'The beginning of the answer.';
COMMENT ON COLUMN webhook_attempt.next_at IS 'When the next attempt is due; null when there is none.';

CREATE INDEX webhook_attempt_failed ON webhook_attempt (provider_id, webhook_id, id) WHERE NOT delivered;
COMMENT ON INDEX webhook_attempt_failed IS 'Finds the attempts that failed.';

ALTER TABLE webhook ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE webhook_attempt ALTER COLUMN provider_id SET STATISTICS 0;
