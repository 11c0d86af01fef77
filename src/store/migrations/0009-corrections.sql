-- Bulk corrections: one change of fields in many receiving events, with one reason.

CREATE TABLE correction (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('previewing', 'previewed', 'applying', 'done', 'cancelled')),
  reason text NOT NULL,
  asked json NOT NULL,
  event_count integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  applied_at timestamptz,
  applied_by text,
  ended_at timestamptz,
  undoes uuid,
  holder uuid,
  until timestamptz,
  PRIMARY KEY (provider_id, id)
);
CREATE INDEX correction_under_way ON correction (provider_id, id) WHERE state IN ('previewing', 'applying');
CREATE INDEX correction_undoing ON correction (provider_id, undoes) WHERE undoes IS NOT NULL;
COMMENT ON TABLE correction IS 'Bulk corrections (decision 0067): one change of fields in many receiving events, with one reason. Each version that one makes has its id as record_version.request_id.';
COMMENT ON COLUMN correction.id IS 'Id of the correction: newer ones have greater ids.';
COMMENT ON COLUMN correction.state IS 'previewing, previewed, applying, done or cancelled.';
COMMENT ON COLUMN correction.reason IS 'As its creator wrote it.';
COMMENT ON COLUMN correction.asked IS 'Which events it chooses, and what it changes in them, as JSON.';
COMMENT ON COLUMN correction.event_count IS 'Events that it chose.';
COMMENT ON COLUMN correction.created_at IS 'When it was created, and its events were chosen.';
COMMENT ON COLUMN correction.created_by IS 'The key that created it.';
COMMENT ON COLUMN correction.applied_at IS 'When it was told to apply its changes; null while it is a preview.';
COMMENT ON COLUMN correction.applied_by IS 'The key that applied it; the versions name this key.';
COMMENT ON COLUMN correction.ended_at IS 'When it was done or cancelled; null before.';
COMMENT ON COLUMN correction.undoes IS 'The correction whose events it brings back to what stood before; null where it changes fields.';
COMMENT ON COLUMN correction.holder IS 'The process that works on it, as an id that it drew.';
COMMENT ON COLUMN correction.until IS 'Until then that process has it to itself.';
COMMENT ON INDEX correction_under_way IS 'Finds what a process has to work on.';
COMMENT ON INDEX correction_undoing IS 'Finds what undoes a correction.';

CREATE TABLE correction_event (
  provider_id uuid NOT NULL,
  correction_id uuid NOT NULL,
  record_id uuid NOT NULL,
  version integer NOT NULL,
  back_to integer,
  line_count integer NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('waiting', 'ready', 'leftOut', 'unchanged', 'refused', 'corrected', 'superseded', 'gone', 'failed')),
  to_version integer,
  value_count integer NOT NULL DEFAULT 0,
  completed_lines integer NOT NULL DEFAULT 0,
  closed_gaps integer NOT NULL DEFAULT 0,
  differences json,
  detail text,
  result_hash bytea,
  PRIMARY KEY (provider_id, correction_id, record_id)
);
COMMENT ON TABLE correction_event IS 'What a bulk correction does with each event that it chose. Removed some months after the correction ended.';
COMMENT ON COLUMN correction_event.correction_id IS 'The correction: correction.id.';
COMMENT ON COLUMN correction_event.record_id IS 'The event: record.id.';
COMMENT ON COLUMN correction_event.version IS 'The version that was chosen: only this one is replaced.';
COMMENT ON COLUMN correction_event.back_to IS 'Where a correction is undone: the version whose content comes back.';
COMMENT ON COLUMN correction_event.line_count IS 'Lines of that version.';
COMMENT ON COLUMN correction_event.outcome IS 'waiting for the preview; ready to be corrected; leftOut: ready, and left out by who applied it; unchanged: it has nothing to change; refused by the rules; corrected; superseded: it changed after the preview; gone: it was purged; failed.';
COMMENT ON COLUMN correction_event.to_version IS 'The version that the correction made.';
COMMENT ON COLUMN correction_event.value_count IS 'Values that the correction changes.';
COMMENT ON COLUMN correction_event.completed_lines IS 'Lines that become complete, less those that do not stay so.';
COMMENT ON COLUMN correction_event.closed_gaps IS 'Gaps that the correction closes, less those that it opens.';
COMMENT ON COLUMN correction_event.differences IS 'The first of these values, before and after, as JSON.';
COMMENT ON COLUMN correction_event.detail IS 'Why it was not corrected.';
COMMENT ON COLUMN correction_event.result_hash IS 'Content hash of the version that was previewed: another one is not stored.';

ALTER TABLE correction ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE correction_event ALTER COLUMN provider_id SET STATISTICS 0;
