// Opens the database and brings its schema up to date.
import { type DatabasePlace, type OpenDatabase, openDatabase, reachDatabase } from './database.ts'
import { connectionTimedOut } from './database-errors.ts'
import { faultText, type Migrated, migrate } from './migrate.ts'

/** An open database, or why there is none, in one line for the operator. */
export type MigratedDatabase = { readonly database: OpenDatabase } | { readonly problem: string }

/** Opens the database for a server. */
export const openMigratedDatabase = (place: DatabasePlace): Promise<MigratedDatabase> =>
  openMigrated(place, openDatabase)

/** Opens the database for a command, through a running server where there is one. */
export const reachMigratedDatabase = (place: DatabasePlace): Promise<MigratedDatabase> =>
  openMigrated(place, reachDatabase)

/** Why a database could not be opened: the words of the system, or its code where it has none. */
export function openingProblem(error: unknown): { readonly problem: string } {
  const { message, code } = error as Error & { code?: string }
  return { problem: `The database cannot be opened: ${message || code || 'no cause given'}` }
}

async function openMigrated(place: DatabasePlace, open: typeof openDatabase): Promise<MigratedDatabase> {
  let database: OpenDatabase | undefined
  try {
    const opened = await open(place)
    if ('heldBy' in opened)
      return {
        problem: `The folder ${place.dataDir} is in use by ${opened.heldBy}. Stop that process, or set DATA_DIR to another folder.`,
      }
    database = opened
    const migrated = await migrateWithRetry(database.pool)
    if (migrated.is === 'current') return { database }
    await database.close()
    return {
      problem:
        migrated.is === 'newer'
          ? faultText('database', migrated.unknown, undefined)
          : faultText('database', [], migrated.file),
    }
  } catch (error) {
    await database?.close().catch(() => undefined)
    return openingProblem(error)
  }
}

/** How often a start tries to connect: half a minute in all. */
const startTriesMax = 10

/** Migrates a database that may be too busy to take a connection in time. */
async function migrateWithRetry(pool: OpenDatabase['pool']): Promise<Migrated> {
  for (let tried = 1; ; tried++) {
    try {
      return await migrate(pool)
    } catch (error) {
      if (!connectionTimedOut(error) || tried === startTriesMax) throw error
    }
  }
}
