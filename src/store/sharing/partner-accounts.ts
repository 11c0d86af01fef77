// Accounts of partners: each is in the shard of the provider that shares, so that statements of
// both are statements of one node (decision 0089).
import { randomUUID } from 'node:crypto'
import { anchorTable, readCluster } from '../database/distribute.ts'
import { type Queryable, statement } from '../database/statement.ts'

/** Ids drawn at once, and how often: one is in the shard, unless it takes hardly any. */
const drawnAtOnce = 500
const drawsMax = 100

const idInShard = statement.one<{ id: string }, { of: string; anchor: string; drawn: readonly string[] }>(
  'idInShardOfProvider',
  `SELECT d.id FROM unnest($drawn::uuid[]) AS d (id)
   WHERE get_shard_id_for_distribution_column($anchor::regclass, d.id)
       = get_shard_id_for_distribution_column($anchor::regclass, $of::uuid)
   LIMIT 1`,
)

/** A new id for an account that a provider shares with. */
export async function drawAccount(db: Queryable, provider: string): Promise<string> {
  const cluster = await readCluster(db)
  if (cluster === undefined || cluster.distributed.length === 0) return randomUUID()
  for (let draws = 0; draws < drawsMax; draws++) {
    const drawn = Array.from({ length: drawnAtOnce }, () => randomUUID())
    const found = await idInShard(db, { of: provider, anchor: anchorTable, drawn })
    if (found !== undefined) return found.id
  }
  throw new Error(`No account can be in the shard of provider ${provider}: it has a shard of its own.`)
}

/**
 * A partner whose account was found beside it. Throws where it is in another shard, so that no
 * change of the partner is done by half.
 */
export function withAccount<Row extends { readonly id: string; readonly isClosed: boolean | null }>(row: Row) {
  const { isClosed } = row
  if (isClosed === null) throw new Error(`The account of partner ${row.id} is not in the shard of its provider.`)
  return { ...row, isClosed }
}
