// How a statement on a shard keeps it on its node until it ends (decision 0089).
import { codeOf } from './database-errors.ts'
import { statement } from './statement.ts'

/** The code with which `hold_shard` fails. */
const movedCode = 'LKMOV'

/** Made on every node, by which statements on a shard keep it there. The lock is that of Citus. */
export const makeHoldShard = statement<never, void>(
  'makeHoldShard',
  `CREATE OR REPLACE FUNCTION hold_shard(provider uuid, shard bigint) RETURNS uuid LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM lock_shard_metadata(5, ARRAY[shard]);
     IF NOT EXISTS (
       SELECT FROM pg_dist_placement l JOIN pg_dist_local_group g ON g.groupid = l.groupid WHERE l.shardid = shard
     ) THEN
       RAISE EXCEPTION 'shard % is on another node', shard USING ERRCODE = '${movedCode}';
     END IF;
     RETURN provider;
   END
   $$`,
)

/** True when the shard is no longer where the statement looked for it. Nothing was done. */
export const shardMoved = (error: unknown): boolean => {
  const code = codeOf(error)
  // Its tables or its entry are gone, too.
  return (
    code === movedCode ||
    code === '42P01' ||
    /^could not find valid entry for shard \d+$/.test((error as Error).message)
  )
}
