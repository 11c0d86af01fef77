-- Ship notices that were carried out.

CREATE TABLE ship_notice (
  provider_id uuid NOT NULL,
  sender_id text NOT NULL,
  number text NOT NULL,
  content_hash bytea NOT NULL,
  purpose text NOT NULL,
  written_at text,
  request_id uuid NOT NULL,
  record_ids uuid[] NOT NULL,
  is_done boolean NOT NULL,
  taken_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider_id, sender_id, number, content_hash),
  CONSTRAINT ship_notice_purpose CHECK (purpose IN ('original', 'replacement', 'cancellation'))
);
CREATE INDEX ship_notice_by_request ON ship_notice (provider_id, request_id) WHERE purpose = 'replacement';
COMMENT ON TABLE ship_notice IS 'Ship notices (X12 856) that were carried out (decision 0082). One that is sent again is recognised here, and a replacement or cancellation finds the shipping events of its original.';
COMMENT ON COLUMN ship_notice.sender_id IS 'Id of the sender: ISA06 without the blanks at its end.';
COMMENT ON COLUMN ship_notice.number IS 'Number of the notice: BSN02.';
COMMENT ON COLUMN ship_notice.content_hash IS 'SHA-256 of the segments between ST and SE.';
COMMENT ON COLUMN ship_notice.purpose IS 'What it was sent for (BSN01): original, replacement or cancellation.';
COMMENT ON COLUMN ship_notice.written_at IS 'When it was written (BSN03, BSN04), as 14 digits; null where it does not say so.';
COMMENT ON COLUMN ship_notice.request_id IS 'Request id of the versions that it made.';
COMMENT ON COLUMN ship_notice.record_ids IS 'Its shipping events.';
COMMENT ON COLUMN ship_notice.is_done IS 'False while it is carried out, and when the service ended before it was done.';
COMMENT ON COLUMN ship_notice.taken_at IS 'When it was first carried out.';
COMMENT ON INDEX ship_notice_by_request IS 'Finds the replacement that made a version.';
ALTER TABLE ship_notice ALTER COLUMN provider_id SET STATISTICS 0;
