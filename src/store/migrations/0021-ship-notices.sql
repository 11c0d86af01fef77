-- How the ship notices of senders are read.

CREATE TABLE ship_notice_sender (
  provider_id uuid NOT NULL,
  sender_id text NOT NULL,
  settings text NOT NULL,
  set_at timestamptz NOT NULL,
  set_by text NOT NULL,
  PRIMARY KEY (provider_id, sender_id)
);
COMMENT ON TABLE ship_notice_sender IS 'How the ship notices of a sender are read: its vendor, and what its codes mean (decision 0082).';
COMMENT ON COLUMN ship_notice_sender.sender_id IS 'Id of the sender in its files: ISA06 without the blanks at its end.';
COMMENT ON COLUMN ship_notice_sender.settings IS 'The settings as JSON text, as they were sent.';
COMMENT ON COLUMN ship_notice_sender.set_at IS 'When they were set.';
COMMENT ON COLUMN ship_notice_sender.set_by IS 'Id of the key that set them.';
ALTER TABLE ship_notice_sender ALTER COLUMN provider_id SET STATISTICS 0;
