-- Who was handed what, and who changed keys and holds or purged. Rows are only ever added.

CREATE TABLE access_log (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  began_at timestamptz NOT NULL DEFAULT now(),
  who text NOT NULL,
  request_id uuid,
  operation text NOT NULL,
  asked json NOT NULL,
  records integer,
  done boolean NOT NULL,
  PRIMARY KEY (provider_id, id)
);
COMMENT ON TABLE access_log IS 'Exports, purges, and changes of keys and legal holds. Written before anything is handed over, or with what it tells of.';
COMMENT ON COLUMN access_log.who IS 'Id of the key; or who it was without one, such as "command line".';
COMMENT ON COLUMN access_log.records IS 'Records that were chosen, where that is known at the beginning.';
COMMENT ON COLUMN access_log.done IS 'True when it took place in the statement that wrote the row; else its end is in access_log_end.';

CREATE TABLE access_log_end (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  ended_at timestamptz NOT NULL DEFAULT now(),
  ending text NOT NULL CHECK (ending IN ('done', 'cutOff', 'failed')),
  records integer,
  bytes bigint,
  PRIMARY KEY (provider_id, id)
);
COMMENT ON TABLE access_log_end IS 'How it ended. What has no row here is under way, or its process ended before it.';

ALTER TABLE access_log ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE access_log_end ALTER COLUMN provider_id SET STATISTICS 0;
