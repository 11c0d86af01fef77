// As if the time of leases had gone by.
import pg from 'pg'
import { expect, vi } from 'vitest'
import { allowMs } from '../patience.ts'

/**
 * A process that was killed keeps its leases for a while, since what it sent last may still be under
 * way. Ends them at once on a server of its own, when nothing is.
 */
export async function passLeases(url: string, table: 'sharing' | 'recount' | 'correction'): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await vi.waitFor(
      async () => {
        const { rows } = await client.query(
          `SELECT count(*)::integer AS busy FROM pg_stat_activity
           WHERE state <> 'idle' AND backend_type = 'client backend' AND datname = current_database() AND pid <> pg_backend_pid()`,
        )
        expect(rows[0].busy).toBe(0)
      },
      { timeout: allowMs(40_000), interval: 20 },
    )
    await client.query(`UPDATE ${table} SET until = now() - interval '1 second' WHERE until IS NOT NULL`)
  } finally {
    await client.end()
  }
}
