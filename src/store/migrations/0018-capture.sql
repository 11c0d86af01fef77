-- Events of EPCIS that were captured.

CREATE TABLE captured_event (
  provider_id uuid NOT NULL,
  event_id text NOT NULL,
  content_hash bytea NOT NULL,
  kind text,
  record_id uuid,
  declared_wrong boolean NOT NULL,
  corrected_by text,
  captured_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider_id, event_id),
  CONSTRAINT captured_event_of_a_record CHECK ((kind IS NULL) = (record_id IS NULL))
);
CREATE INDEX captured_event_by_correction ON captured_event (provider_id, corrected_by) WHERE corrected_by IS NOT NULL;
COMMENT ON TABLE captured_event IS 'Events of EPCIS that became records, or that their senders declared wrong (decision 0083). An event that is sent again is recognised here.';
COMMENT ON COLUMN captured_event.event_id IS 'eventID of the event; of an event without one, the hash of its content.';
COMMENT ON COLUMN captured_event.content_hash IS 'SHA-256 of the event, without its recordTime and errorDeclaration.';
COMMENT ON COLUMN captured_event.kind IS 'Kind of the record; null for an event that was declared wrong before it was captured.';
COMMENT ON COLUMN captured_event.record_id IS 'The record that the event stands for.';
COMMENT ON COLUMN captured_event.declared_wrong IS 'True when its sender declared it wrong.';
COMMENT ON COLUMN captured_event.corrected_by IS 'eventID of the one event that is right instead, also when it has not arrived yet.';
COMMENT ON COLUMN captured_event.captured_at IS 'When it was first captured.';
COMMENT ON INDEX captured_event_by_correction IS 'Finds what an event corrects.';

CREATE INDEX location_by_gln ON location (provider_id, (content ->> 'gln')) WHERE content ->> 'gln' IS NOT NULL;
COMMENT ON INDEX location_by_gln IS 'Finds the locations that an EPCIS event names by GLN.';
CREATE INDEX master_product_by_gtin ON master_product (provider_id, gtin) WHERE gtin IS NOT NULL;
COMMENT ON INDEX master_product_by_gtin IS 'Finds the products that an EPCIS event names by GTIN.';

ALTER TABLE captured_event ALTER COLUMN provider_id SET STATISTICS 0;
