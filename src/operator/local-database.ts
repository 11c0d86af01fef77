// The database of the configuration, for commands that look at it without the service. Nothing is
// made or migrated by looking.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type OpenDatabase, reachDatabase } from '../store/database.ts'
import { type Cluster, type ProviderPlace, providerPlaces, readCluster } from '../store/distribute.ts'
import { faultText, migrate, type SchemaState, schemaState } from '../store/migrate.ts'
import { serverVersion } from '../store/providers.ts'

export interface LocalDatabase {
  /** What it is, as a person would name it. */
  readonly name: string
  /** Version of PostgreSQL. */
  readonly server: string
  readonly schema: SchemaState
  /** The Citus cluster that it is; undefined for one server. */
  readonly cluster: Cluster | undefined
  /** Applies what the schema lacks. */
  migrate(): Promise<void>
  /** Applies what the schema lacks and distributes the tables that are not; returns these. */
  distribute(): Promise<readonly string[]>
  /** Where each provider is, on a cluster whose tables are distributed. */
  places(): Promise<readonly ProviderPlace[]>
}

/** What `work` says of the database; `problem` when there is none, or it cannot be reached. */
export async function withLocalDatabase<Said>(
  config: Config,
  work: (database: LocalDatabase) => Promise<Said>,
): Promise<Said | { readonly problem: string }> {
  if (!isMade(config))
    return {
      problem: `There is no database in ${config.dataDir}. lotkeeper serve creates it. Or set DATA_DIR or DATABASE_URL.`,
    }
  let database: OpenDatabase | undefined
  try {
    const opened = await reachDatabase(config)
    if ('heldBy' in opened)
      return {
        problem: `The folder ${config.dataDir} is in use by ${opened.heldBy}. Stop that process, or set DATA_DIR.`,
      }
    database = opened
    const { pool, name } = database
    return await work({
      name,
      server: await serverVersion(pool),
      schema: await schemaState(pool),
      cluster: await readCluster(pool),
      migrate: async () => {
        await migrate(pool)
      },
      distribute: async () => {
        const migrated = await migrate(pool, undefined, { distribute: true })
        return migrated.is === 'current' ? migrated.distributed : []
      },
      places: () => providerPlaces(pool),
    })
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    return { problem: `The database cannot be opened: ${message || code || 'no cause given'}` }
  } finally {
    await database?.close().catch(() => undefined)
  }
}

/** False for an embedded database that is still to be made. */
export const isMade = ({ databaseUrl, dataDir }: Config): boolean =>
  databaseUrl !== undefined || existsSync(join(dataDir, 'database'))

/** Why this program must not touch the database, or undefined. */
export const faultOf = ({ unknown, altered }: SchemaState): string | undefined =>
  unknown.length > 0 || altered !== undefined ? faultText('database', unknown, altered) : undefined
