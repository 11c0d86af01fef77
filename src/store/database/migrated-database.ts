// Opens the database and brings its schema up to date.
import { type OpenDatabase, openDatabase, reachDatabase } from './database.ts'
import { connectionTimedOut } from './database-errors.ts'
import type { DatabasePlace } from './database-place.ts'
import { faultText, migrate } from './migrate.ts'
import { folderInUse, inOneLine, openingProblem } from './opening-problem.ts'
import { poolerProblem, serverProblem } from './server-check.ts'

/** An open database, or why there is none, in one line for the operator. */
export type MigratedDatabase = { readonly database: OpenDatabase } | { readonly problem: string }

/** Opens the database for a server. */
export const openMigratedDatabase = (place: DatabasePlace): Promise<MigratedDatabase> =>
  openMigrated(place, openDatabase, poolerProblem)

/** Opens the database for a command, through a running server where there is one. */
export const reachMigratedDatabase = (place: DatabasePlace): Promise<MigratedDatabase> =>
  openMigrated(place, reachDatabase, async () => undefined)

async function openMigrated(
  place: DatabasePlace,
  open: typeof openDatabase,
  checkPooler: typeof poolerProblem,
): Promise<MigratedDatabase> {
  let database: OpenDatabase | undefined
  const closedWith = async (problem: string) => {
    await database?.close().catch(() => undefined)
    return { problem }
  }
  try {
    const opened = await open(place)
    if ('heldBy' in opened) return { problem: inOneLine(folderInUse(place.dataDir, opened.heldBy)) }
    database = opened
    const { pool } = opened
    const unusable =
      place.databaseUrl !== undefined
        ? await whenItAnswers(async () => (await serverProblem(pool)) ?? (await checkPooler(pool)))
        : undefined
    if (unusable !== undefined) return await closedWith(inOneLine(unusable))
    const migrated = await whenItAnswers(() => migrate(pool))
    if (migrated.is === 'current') return { database }
    return await closedWith(faultText('database', migrated))
  } catch (error) {
    return closedWith(inOneLine(openingProblem(error, place)))
  }
}

/** How often a start tries to connect: half a minute in all. */
const startTriesMax = 10

/** Works on a database that may be too busy to take a connection in time. */
async function whenItAnswers<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (error) {
      if (!connectionTimedOut(error) || tried === startTriesMax) throw error
    }
  }
}
