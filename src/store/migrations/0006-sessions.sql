-- Sessions of browsers (decision 0061).

CREATE TABLE session (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  key_id text NOT NULL,
  secret_hash bytea NOT NULL,
  next_hash bytea,
  previous_hash bytea,
  renewed_at timestamptz NOT NULL DEFAULT now(),
  kept boolean NOT NULL,
  began_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz NOT NULL,
  idle_ends_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, id)
);
COMMENT ON TABLE session IS 'Sessions of browsers. A session speaks for a key and ends with it. A row is deleted when somebody signs out, or after its end at a later sign-in.';
COMMENT ON COLUMN session.id IS 'Id of the session: newer ones have greater ids.';
COMMENT ON COLUMN session.key_id IS 'The key that the session speaks for.';
COMMENT ON COLUMN session.secret_hash IS 'SHA-256 of the secret part of the token in use.';
COMMENT ON COLUMN session.next_hash IS 'Of the token that was offered to replace it. It replaces it when the browser first sends it, so that a lost answer signs nobody out.';
COMMENT ON COLUMN session.previous_hash IS 'Of the token before: valid for a minute after renewed_at, for requests that were on their way.';
COMMENT ON COLUMN session.renewed_at IS 'When a token was last offered or taken into use.';
COMMENT ON COLUMN session.kept IS 'True when it outlives the window of the browser.';
COMMENT ON COLUMN session.began_at IS 'When it began.';
COMMENT ON COLUMN session.ends_at IS 'When it ends, however much it is used.';
COMMENT ON COLUMN session.idle_ends_at IS 'When it ends unless it is used before. Moved on with use, to the minute.';

ALTER TABLE session ALTER COLUMN provider_id SET STATISTICS 0;
