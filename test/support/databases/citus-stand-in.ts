// Functions and tables by the names of Citus, for a database without it: they note what they are
// asked, and refuse what Citus refuses by its documents. They distribute nothing.
import type pg from 'pg'

/**
 * Puts the stand-ins behind the tables in the search path of the database, where connections made
 * from now on find them. What was asked of them is in `citus_stand_in.asked`. Shards of providers
 * are on two nodes in turn.
 */
export async function standInForCitus(pool: pg.Pool): Promise<void> {
  await pool.query(`
    CREATE SCHEMA citus_stand_in;
    CREATE TABLE citus_stand_in.role (is_coordinator boolean NOT NULL);
    INSERT INTO citus_stand_in.role VALUES (true);
    CREATE TABLE citus_stand_in.asked (n integer GENERATED ALWAYS AS IDENTITY, what text NOT NULL);
    CREATE TABLE citus_stand_in.pg_dist_partition (
      logicalrelid regclass PRIMARY KEY, partmethod "char", repmodel "char", colocationid integer
    );
    -- It names no shard: every statement is left to Citus.
    CREATE TABLE citus_stand_in.pg_dist_shard (logicalrelid regclass, shardid bigint, shardminvalue text);
    CREATE FUNCTION citus_stand_in.shard_name(object_name regclass, shard_id bigint) RETURNS text LANGUAGE sql AS $$
      SELECT object_name::text || '_' || shard_id::text
    $$;
    CREATE TABLE citus_stand_in.pg_dist_node (groupid integer, nodename text, nodeport integer, noderole text);
    INSERT INTO citus_stand_in.pg_dist_node
    VALUES (1, 'worker-1', 5432, 'primary'), (1, 'standby-1', 5432, 'secondary'), (2, 'worker-2', 5432, 'primary');
    CREATE TABLE citus_stand_in.pg_dist_placement (shardid bigint, groupid integer, shardstate integer);
    INSERT INTO citus_stand_in.pg_dist_placement VALUES (102008, 1, 1), (102009, 2, 1), (102009, 1, 4);

    CREATE FUNCTION citus_stand_in.citus_version() RETURNS text LANGUAGE sql AS $$
      SELECT 'Citus 13.2.2 on x86_64-pc-linux-gnu, stand-in'
    $$;
    CREATE FUNCTION citus_stand_in.citus_is_coordinator() RETURNS boolean LANGUAGE sql AS $$
      SELECT is_coordinator FROM citus_stand_in.role
    $$;
    CREATE FUNCTION citus_stand_in.note(what text, asked regclass, partmethod "char", repmodel "char") RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT 1 FROM citus_stand_in.pg_dist_partition p WHERE p.logicalrelid = asked) THEN
          RAISE EXCEPTION 'table "%" is already distributed', asked;
        END IF;
        IF current_setting('citus.multi_shard_modify_mode') <> 'sequential' THEN
          RAISE EXCEPTION 'cannot distribute relation "%" in this transaction because it has a foreign key to a reference table', asked;
        END IF;
        INSERT INTO citus_stand_in.pg_dist_partition VALUES (asked, partmethod, repmodel);
        INSERT INTO citus_stand_in.asked (what) VALUES (what);
      END
    $$;
    CREATE FUNCTION citus_stand_in.create_distributed_table(
      table_name regclass, distribution_column text, distribution_type text DEFAULT 'hash', colocate_with text DEFAULT 'default',
      shard_count integer DEFAULT NULL
    ) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        IF colocate_with NOT IN ('default', 'none')
          AND NOT EXISTS (SELECT 1 FROM citus_stand_in.pg_dist_partition p WHERE p.logicalrelid = colocate_with::regclass) THEN
          RAISE EXCEPTION 'relation % is not distributed', colocate_with;
        END IF;
        PERFORM citus_stand_in.note(table_name::text || ' by ' || distribution_column || ' with ' || colocate_with, table_name, 'h', 's');
      END
    $$;
    CREATE FUNCTION citus_stand_in.create_reference_table(table_name regclass) RETURNS void LANGUAGE sql AS $$
      SELECT citus_stand_in.note(table_name::text || ' everywhere', table_name, 'n', 't')
    $$;
    CREATE FUNCTION citus_stand_in.truncate_local_data_after_distributing_table(function_table_name regclass) RETURNS void
    LANGUAGE plpgsql AS $$
      BEGIN
        IF NOT EXISTS (SELECT 1 FROM citus_stand_in.pg_dist_partition p WHERE p.logicalrelid = function_table_name) THEN
          RAISE EXCEPTION 'supplied parameter is not a distributed relation';
        END IF;
        INSERT INTO citus_stand_in.asked (what) VALUES (function_table_name::text || ' locally emptied');
      END
    $$;
    CREATE TABLE citus_stand_in.node_away (nodename text PRIMARY KEY);
    CREATE FUNCTION citus_stand_in.citus_check_connection_to_node(nodename text, nodeport integer DEFAULT 5432) RETURNS boolean
    LANGUAGE sql AS $$
      SELECT NOT EXISTS (SELECT 1 FROM citus_stand_in.node_away a WHERE a.nodename = $1)
    $$;
    CREATE FUNCTION citus_stand_in.recover_prepared_transactions() RETURNS integer LANGUAGE sql AS $$
      INSERT INTO citus_stand_in.asked (what) VALUES ('prepared transactions recovered') RETURNING 0
    $$;
    CREATE FUNCTION citus_stand_in.get_shard_id_for_distribution_column(table_name regclass, distribution_value anyelement) RETURNS bigint
    LANGUAGE sql AS $$
      SELECT 102008 + get_byte(uuid_send(distribution_value::text::uuid), 15) % 2
    $$;
  `)
  const { rows } = await pool.query<{ name: string }>('SELECT current_database() AS name')
  await pool.query(`ALTER DATABASE ${rows[0]?.name} SET search_path = public, citus_stand_in`)
}
