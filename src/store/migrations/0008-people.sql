-- Keys carry the name of the person who has them (decision 0062).

ALTER TABLE api_key ADD COLUMN person_name text;
COMMENT ON COLUMN api_key.person_name IS 'The person who has the key, as histories show it; null for a program.';
