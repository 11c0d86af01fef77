// The configured database, for commands that read it without the service. Reading creates and
// migrates nothing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type DatabaseWithNodes, mayRecoverWrites, withNodes } from '../store/database/cluster-nodes.ts'
import { type OpenDatabase, reachDatabase } from '../store/database/database.ts'
import { type Cluster, type ProviderPlace, providerPlaces, readCluster } from '../store/database/distribute.ts'
import { faultText, migrate, type SchemaState, schemaState } from '../store/database/migrate.ts'
import { folderInUse, inOneLine, type OpeningProblem, openingProblem } from '../store/database/opening-problem.ts'
import { poolerProblem, readServerFacts, type ServerFacts, serverProblem } from '../store/database/server-check.ts'

export interface LocalDatabase {
  /** Its name for people. */
  readonly name: string
  readonly server: ServerFacts
  readonly schema: SchemaState
  /** Its Citus cluster; undefined for a single server. */
  readonly cluster: Cluster | undefined
  /** For commands that read more of it. */
  readonly db: DatabaseWithNodes
  /** Applies missing migrations. */
  migrate(): Promise<void>
  /** Applies missing migrations, distributes tables that are not distributed, and returns these. */
  distribute(): Promise<readonly string[]>
  /** The node of each provider, on a cluster whose tables are distributed. */
  places(): Promise<readonly ProviderPlace[]>
  /** Whether the role may end the writes that a node of a cluster has prepared. */
  mayRecoverWrites(): Promise<boolean>
}

/** A database that cannot be worked on; `problem` is all of it in one line. */
export interface Unopened extends OpeningProblem {
  readonly problem: string
}

const unopened = (why: OpeningProblem): Unopened => ({ ...why, problem: inOneLine(why) })

/** The result of `work` on the database, or why there is none or it cannot be used. */
export async function withLocalDatabase<Said>(
  config: Config,
  work: (database: LocalDatabase) => Promise<Said>,
): Promise<Said | Unopened> {
  if (!isMade(config))
    return unopened({
      found: `There is no database in ${config.dataDir}.`,
      remedy: 'lotkeeper serve creates it. Or set DATA_DIR or DATABASE_URL.',
    })
  let database: OpenDatabase | undefined
  try {
    const opened = await reachDatabase(config)
    if ('heldBy' in opened) return unopened(folderInUse(config.dataDir, opened.heldBy))
    database = opened
    const { pool, name } = database
    const unusable =
      config.databaseUrl === undefined ? undefined : ((await serverProblem(pool)) ?? (await poolerProblem(pool)))
    if (unusable !== undefined) return unopened(unusable)
    return await work({
      name,
      db: await withNodes(pool),
      server: await readServerFacts(pool),
      schema: await schemaState(pool),
      cluster: await readCluster(pool),
      migrate: async () => {
        await migrate(pool)
      },
      distribute: async () => {
        const migrated = await migrate(pool, { distribute: true })
        return migrated.is === 'current' ? migrated.distributed : []
      },
      places: () => providerPlaces(pool),
      mayRecoverWrites: () => mayRecoverWrites(pool),
    })
  } catch (error) {
    return unopened(openingProblem(error, config))
  } finally {
    await database?.close().catch(() => undefined)
  }
}

/** False for an embedded database that does not exist yet. */
export const isMade = ({ databaseUrl, dataDir }: Config): boolean =>
  databaseUrl !== undefined || existsSync(join(dataDir, 'database'))

/** Why this program must not touch the database, or undefined. */
export const faultOf = (schema: SchemaState): string | undefined =>
  schema.unknown.length > 0 || schema.altered !== undefined ? faultText('database', schema) : undefined
