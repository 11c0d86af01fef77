-- The feed of changes (decision 0071): it has the order of the checkpoints, and purges get their places in it.

ALTER TABLE awaiting_checkpoint ADD COLUMN are_purged boolean NOT NULL DEFAULT false;
COMMENT ON TABLE awaiting_checkpoint IS 'Versions under no checkpoint yet, one row for those of one statement: written with the versions and taken away with the checkpoint, so that none is left out, whatever a clock said. In rows of their own, purged versions whose purge has no place in the feed of changes yet.';
COMMENT ON COLUMN awaiting_checkpoint.are_purged IS 'True for versions that a purge took the content of: the next checkpoint gives the purge its place.';

ALTER TABLE checkpoint
  ADD COLUMN purge_count integer NOT NULL DEFAULT 0,
  ADD COLUMN purged_ids uuid[],
  ADD COLUMN purged_versions integer[],
  ADD COLUMN changes_until bigint;
COMMENT ON COLUMN checkpoint.purge_count IS 'Purges that have their places in the feed of changes behind the versions under the checkpoint. Nothing signed names them.';
COMMENT ON COLUMN checkpoint.purged_ids IS 'With purged_versions: the versions that were purged, in the order of the feed; null without any.';
COMMENT ON COLUMN checkpoint.purged_versions IS 'Version numbers, one for each entry of purged_ids; null without any.';
COMMENT ON COLUMN checkpoint.changes_until IS 'Number of changes in the feed up to the end of this checkpoint: how far behind a position is, is read from two rows.';
UPDATE checkpoint c
SET changes_until = s.changes_until
FROM (
  SELECT provider_id, number, sum(version_count) OVER (PARTITION BY provider_id ORDER BY number) AS changes_until FROM checkpoint
) s
WHERE s.provider_id = c.provider_id AND s.number = c.number;
ALTER TABLE checkpoint ALTER COLUMN changes_until SET NOT NULL;

CREATE INDEX checkpoint_made_at ON checkpoint (provider_id, made_at);
COMMENT ON INDEX checkpoint_made_at IS 'Where the feed of changes was at a time.';
