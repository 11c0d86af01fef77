-- Views of tables that people saved: a name, and what the table shows under it.

CREATE TABLE list_view (
  provider_id uuid NOT NULL,
  saved_by text NOT NULL,
  list text NOT NULL,
  name text NOT NULL,
  id uuid NOT NULL,
  query text NOT NULL,
  shared boolean NOT NULL,
  saved_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider_id, saved_by, list, name)
);
COMMENT ON TABLE list_view IS 'Views of tables that people saved. No part of archives: they say nothing about records.';
COMMENT ON COLUMN list_view.saved_by IS 'The key that saved it.';
COMMENT ON COLUMN list_view.list IS 'What its table lists: a kind of records as in record, refusal or key.';
COMMENT ON COLUMN list_view.name IS 'What it is called; one of a name per key and list.';
COMMENT ON COLUMN list_view.id IS 'Id of the view, as the API returns it.';
COMMENT ON COLUMN list_view.query IS 'Filters, columns and order, as a query string of the console.';
COMMENT ON COLUMN list_view.shared IS 'True when all keys of the provider see it.';
COMMENT ON COLUMN list_view.saved_at IS 'When it was saved last.';

ALTER TABLE list_view ALTER COLUMN provider_id SET STATISTICS 0;
