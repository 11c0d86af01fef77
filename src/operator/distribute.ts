// `lotkeeper distribute`: distributes the tables of a Citus cluster by provider; after an upgrade,
// the new ones.
import { readConfig } from '../config.ts'
import type { CommandEnd } from '../terminal/command-end.ts'
import { results } from '../terminal/terminal.ts'
import { faultOf, type LocalDatabase, withLocalDatabase } from './local-database.ts'

export async function distribute({ json }: { readonly json?: boolean }): Promise<CommandEnd> {
  const config = readConfig(process.env)
  if ('problem' in config) return config
  if (config.databaseUrl === undefined)
    return {
      problem:
        'The embedded database is on one machine. Set DATABASE_URL to the coordinator of a Citus cluster. lotkeeper backup and restore move the records there.',
    }
  const ended = await withLocalDatabase(config, distributeTables)
  if ('problem' in ended) return ended
  const { name, tables } = ended
  if (json) await results.write(`${JSON.stringify({ database: name, distributed: tables })}\n`)
  else
    await results.write(
      tables.length > 0
        ? `Distributed ${tables.length} tables of the ${name}: ${tables.join(', ')}.\n`
        : `All tables of the ${name} are distributed already.\n`,
    )
  return undefined
}

/** The tables distributed now, or the obstacle. */
async function distributeTables(
  database: LocalDatabase,
): Promise<{ readonly problem: string } | { readonly name: string; readonly tables: readonly string[] }> {
  const { name, cluster, schema } = database
  const fault = faultOf(schema)
  if (fault !== undefined) return { problem: fault }
  if (cluster === undefined)
    return {
      problem: `The ${name} does not have Citus, so its tables stay on one server. Install Citus on each node, run CREATE EXTENSION citus in the database, and add the workers: docs/operating.md, "When one machine is outgrown".`,
    }
  try {
    return { name, tables: await database.distribute() }
  } catch (error) {
    return { problem: `The tables of the ${name} cannot be distributed: ${(error as Error).message}` }
  }
}
