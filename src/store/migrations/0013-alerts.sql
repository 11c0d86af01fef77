-- Alerts: what is below its target, beyond its threshold or overdue, since when and until when.

CREATE TABLE alert (
  provider_id uuid NOT NULL,
  number integer NOT NULL,
  type text NOT NULL,
  subject text NOT NULL,
  begun_at timestamptz NOT NULL,
  begun_as json NOT NULL,
  latest json NOT NULL,
  ended_number integer,
  ended_at timestamptz,
  PRIMARY KEY (provider_id, number),
  CONSTRAINT alert_ends_with_a_number CHECK ((ended_at IS NULL) = (ended_number IS NULL))
);
CREATE UNIQUE INDEX alert_open ON alert (provider_id, type, subject) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX alert_by_ended_number ON alert (provider_id, ended_number) WHERE ended_number IS NOT NULL;
COMMENT ON TABLE alert IS 'Alerts of a provider (decision 0073). Each begins once and ends once, and both have a number in one order. No part of archives: they say nothing about records.';
COMMENT ON COLUMN alert.number IS 'Number of its beginning, by which it is named.';
COMMENT ON COLUMN alert.type IS 'What it is about, e.g. alert.vendorSilent.';
COMMENT ON COLUMN alert.subject IS 'The vendor; empty where it concerns all of them, or none.';
COMMENT ON COLUMN alert.begun_at IS 'When it began.';
COMMENT ON COLUMN alert.begun_as IS 'The numbers behind it when it began.';
COMMENT ON COLUMN alert.latest IS 'Those numbers at the last look; of an alert that ended, at the last look that found it.';
COMMENT ON COLUMN alert.ended_number IS 'Number of its end; null while it is open.';
COMMENT ON COLUMN alert.ended_at IS 'When it ended; null while it is open.';
COMMENT ON INDEX alert_open IS 'One alert of a type about a vendor is open at a time; and the list of those that are.';
COMMENT ON INDEX alert_by_ended_number IS 'The messages about ends, in their order.';

CREATE TABLE alert_look (
  provider_id uuid NOT NULL,
  fence integer NOT NULL DEFAULT 0,
  until timestamptz,
  looked_at timestamptz,
  seen text,
  retention_seen text,
  last_number integer NOT NULL DEFAULT 0,
  PRIMARY KEY (provider_id)
);
COMMENT ON TABLE alert_look IS 'Where the looks for alerts of a provider stand.';
COMMENT ON COLUMN alert_look.fence IS 'Number of the last look: one whose number is lower writes nothing.';
COMMENT ON COLUMN alert_look.until IS 'Until then the process that looks has the provider to itself; null when none looks.';
COMMENT ON COLUMN alert_look.looked_at IS 'When the last look ended; null when one is due at once.';
COMMENT ON COLUMN alert_look.seen IS 'What of the provider the last look saw: while it is the same, vendors are not looked at again.';
COMMENT ON COLUMN alert_look.retention_seen IS 'The same for what is older than the retention time.';
COMMENT ON COLUMN alert_look.last_number IS 'The last number that an alert began or ended with.';
INSERT INTO alert_look (provider_id) SELECT provider_id FROM provider;

CREATE TABLE alert_setting (
  provider_id uuid NOT NULL,
  switched_off text[] NOT NULL,
  checkpoint_overdue_minutes integer CHECK (checkpoint_overdue_minutes BETWEEN 1 AND 10080),
  retention_due_versions integer CHECK (retention_due_versions BETWEEN 1 AND 1000),
  set_at timestamptz NOT NULL DEFAULT now(),
  set_by text NOT NULL,
  PRIMARY KEY (provider_id)
);
COMMENT ON TABLE alert_setting IS 'Which alerts a provider wants. A null takes the value of the program, as all do without a row.';
COMMENT ON COLUMN alert_setting.switched_off IS 'Types of alerts that are not raised.';
COMMENT ON COLUMN alert_setting.checkpoint_overdue_minutes IS 'Minutes after which a version without a checkpoint is overdue.';
COMMENT ON COLUMN alert_setting.retention_due_versions IS 'So many versions past the retention time make an alert.';
COMMENT ON COLUMN alert_setting.set_at IS 'When it was set.';
COMMENT ON COLUMN alert_setting.set_by IS 'Id of the key that set it.';

ALTER TABLE alert ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE alert_look ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE alert_setting ALTER COLUMN provider_id SET STATISTICS 0;
