-- Versions of what people edit beside records (decision 0013): nobody overwrites a change that they have not seen.

CREATE TABLE setting_version (
  provider_id uuid NOT NULL,
  id text NOT NULL,
  version integer NOT NULL,
  PRIMARY KEY (provider_id, id)
);
COMMENT ON TABLE setting_version IS 'How often something was edited that is no record. It has a row from its first change on.';
COMMENT ON COLUMN setting_version.id IS 'The id of a partner or webhook, or the name of a list of settings.';
COMMENT ON COLUMN setting_version.version IS 'Each write raises it, and names those that it may follow.';
ALTER TABLE setting_version ALTER COLUMN provider_id SET STATISTICS 0;
