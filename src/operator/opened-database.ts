// The database of the configuration, opened and brought up to date, for commands that change it.
// Works beside a running server.
import { existsSync } from 'node:fs'
import { type Config, readConfig } from '../config.ts'
import { type DatabaseWithNodes, withNodes } from '../store/database/cluster-nodes.ts'
import { reachMigratedDatabase } from '../store/database/migrated-database.ts'
import type { CommandEnd } from '../terminal/command-end.ts'

/**
 * Opens the database for `work`, and closes it; the end of the command when there is none, or it
 * cannot be opened.
 */
export async function withOpenedDatabase(
  work: (db: DatabaseWithNodes, config: Config) => Promise<CommandEnd>,
): Promise<CommandEnd> {
  const config = readConfig(process.env)
  if ('problem' in config) return config
  if (config.databaseUrl === undefined && !existsSync(config.dataDir))
    return {
      problem: `There is no database in ${config.dataDir}. Start the service once to create it, or set DATA_DIR or DATABASE_URL.`,
    }
  const opened = await reachMigratedDatabase(config)
  if ('problem' in opened) return opened
  try {
    return await work(await withNodes(opened.database.pool), config)
  } finally {
    await opened.database.close()
  }
}

/** That nodes do not answer, and what follows; undefined when all do. */
export const reportNodesAway = ({ nodes: { away } }: DatabaseWithNodes, consequence: string): CommandEnd =>
  away.length === 0
    ? undefined
    : { problem: `${away.join(' and ')} ${away.length === 1 ? 'does' : 'do'} not answer. ${consequence}` }
