-- Partners, who read copies of what is shared with them in an account of their own (decision 0077).

ALTER TABLE api_key
  DROP CONSTRAINT api_key_role_check,
  ADD CONSTRAINT api_key_role_check CHECK (role IN ('invited', 'partner', 'reader', 'writer', 'administrator'));

ALTER TABLE provider
  ADD COLUMN shared_by uuid,
  ADD COLUMN shared_name text,
  ADD COLUMN sharing_closed boolean NOT NULL DEFAULT false,
  ADD COLUMN sharing_until timestamptz,
  ADD CONSTRAINT provider_account_has_a_name CHECK ((shared_by IS NULL) = (shared_name IS NULL));
COMMENT ON TABLE provider IS 'A data provider: the tenant every record belongs to. Or the account of a partner, which holds copies of what a provider shares with it.';
COMMENT ON COLUMN provider.shared_by IS 'Of an account: the provider that shares; else null. Known without a look at another table, as a key is looked up.';
COMMENT ON COLUMN provider.shared_name IS 'Of an account: the name of the partner, as its keys are shown it.';
COMMENT ON COLUMN provider.sharing_closed IS 'Of an account: nothing is handed out until copies that are no longer shared are withdrawn.';
COMMENT ON COLUMN provider.sharing_until IS 'Of an account: when the next grant ends. From then on it is closed, until copies are withdrawn and the next end is set.';

CREATE TABLE partner (
  provider_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  name text NOT NULL,
  places jsonb NOT NULL,
  grants jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  changed_at timestamptz NOT NULL,
  deleted_at timestamptz,
  generation integer NOT NULL DEFAULT 1,
  copied_generation integer NOT NULL DEFAULT 0,
  complete_at timestamptz,
  walked text,
  PRIMARY KEY (provider_id, id)
);
COMMENT ON TABLE partner IS 'With whom a provider shares, and what (decision 0077).';
COMMENT ON COLUMN partner.id IS 'Id of the partner: a UUID of version 7.';
COMMENT ON COLUMN partner.account_id IS 'The provider that its keys belong to and its copies are in.';
COMMENT ON COLUMN partner.name IS 'Its name.';
COMMENT ON COLUMN partner.places IS 'Its places: GLNs, or location codes, of one vendor or of all.';
COMMENT ON COLUMN partner.grants IS 'What it may see.';
COMMENT ON COLUMN partner.created_at IS 'When it was created.';
COMMENT ON COLUMN partner.created_by IS 'Id of the key that created it.';
COMMENT ON COLUMN partner.changed_at IS 'When name, places or grants were last changed.';
COMMENT ON COLUMN partner.deleted_at IS 'When it was deleted; its row goes once its copies are withdrawn.';
COMMENT ON COLUMN partner.generation IS 'Counts the changes of what is shared: of places, grants, and locations with the GLN of a place.';
COMMENT ON COLUMN partner.copied_generation IS 'The generation that the copies are of; 0 before the first.';
COMMENT ON COLUMN partner.complete_at IS 'From when its account was first complete; null until then.';
COMMENT ON COLUMN partner.walked IS 'How far the walk over all events is, after a change of places or grants.';
CREATE UNIQUE INDEX partner_by_name ON partner (provider_id, name) WHERE deleted_at IS NULL;
COMMENT ON INDEX partner_by_name IS 'Keeps two partners of a provider from having one name.';

CREATE TABLE sharing (
  provider_id uuid NOT NULL,
  position text,
  holder uuid,
  fence integer NOT NULL DEFAULT 0,
  until timestamptz,
  PRIMARY KEY (provider_id)
);
COMMENT ON TABLE sharing IS 'How far copies for partners follow the records of a provider that shares. One row for all of its partners, so that its feed of changes is read once (decision 0078).';
COMMENT ON COLUMN sharing.position IS 'Position in the feed of changes: what comes before it is copied. Null before the first partner.';
COMMENT ON COLUMN sharing.holder IS 'The process that copies, by an id that it drew when it started.';
COMMENT ON COLUMN sharing.fence IS 'Counts the processes that took over: one that was late writes nothing.';
COMMENT ON COLUMN sharing.until IS 'The holder is not disturbed until then; it renews this while it is alive.';

CREATE TABLE shared_copy (
  provider_id uuid NOT NULL,
  record_id uuid NOT NULL,
  partner_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('receivingEvent', 'masterProduct', 'location')),
  copy_id uuid NOT NULL,
  source_version integer NOT NULL,
  first_version integer NOT NULL,
  versions integer[] NOT NULL,
  shown_hash bytea NOT NULL,
  withdrawn boolean NOT NULL DEFAULT false,
  settled boolean NOT NULL,
  PRIMARY KEY (provider_id, record_id, partner_id)
) WITH (fillfactor = 85);
COMMENT ON TABLE shared_copy IS 'Which records of a provider were copied into the account of which partner, so that nothing is written twice and each copy can be withdrawn (decision 0078).';
COMMENT ON COLUMN shared_copy.record_id IS 'The record of the provider.';
COMMENT ON COLUMN shared_copy.partner_id IS 'The partner.';
COMMENT ON COLUMN shared_copy.kind IS 'Kind of the record.';
COMMENT ON COLUMN shared_copy.copy_id IS 'The record in the account of the partner: the id of the source, or a new one after a copy with that id was withdrawn.';
COMMENT ON COLUMN shared_copy.source_version IS 'The version of the source up to which the copy was brought.';
COMMENT ON COLUMN shared_copy.first_version IS 'The version that the source was at when the copy was begun. Only a grant with history shares those before it.';
COMMENT ON COLUMN shared_copy.versions IS 'For each version of the copy, the last version of the source that shows what it shows. Written before the copy is: see settled.';
COMMENT ON COLUMN shared_copy.shown_hash IS 'Hash of what these versions show, so that a change of what is withheld is seen.';
COMMENT ON COLUMN shared_copy.withdrawn IS 'True when the copy was withdrawn, and its content purged. One that comes back gets another id.';
COMMENT ON COLUMN shared_copy.settled IS 'False from the moment before versions are written into the account until they are known to be there.';
CREATE INDEX shared_copy_by_copy ON shared_copy (provider_id, partner_id, copy_id) WHERE NOT withdrawn;
COMMENT ON INDEX shared_copy_by_copy IS 'Walks the copies of a partner, and finds the source of one.';

ALTER TABLE partner ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE sharing ALTER COLUMN provider_id SET STATISTICS 0;
ALTER TABLE shared_copy ALTER COLUMN provider_id SET STATISTICS 0;
