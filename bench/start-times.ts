// Time from the start of the process to the line that says it is ready: on an empty database, and
// on one it knows.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startServerProcess } from '../test/support/servers/server-process.ts'
import { asInstalled, type Place } from './service-under-load.ts'
import { median } from './statistics.ts'

export type StartTimes = readonly { readonly title: string; readonly readyMs: number }[]

/** Starts the service twice on a new database of either kind, as often as told. */
export async function measureStarts(databaseUrl: string, rounds: number): Promise<StartTimes> {
  const kinds = [
    { title: 'PostgreSQL', on: <Result>(work: (place: Place) => Promise<Result>) => onNewDatabase(databaseUrl, work) },
    { title: 'embedded', on: <Result>(work: (place: Place) => Promise<Result>) => inNewFolder(work) },
  ]
  const times: { title: string; readyMs: number }[] = []
  for (const { title, on } of kinds) {
    const firsts: number[] = []
    const seconds: number[] = []
    for (let round = 0; round < rounds; round++)
      await on(async (place) => {
        firsts.push(await readyMsAt(place))
        seconds.push(await readyMsAt(place))
      })
    times.push({ title: `start to ready, ${title}, first`, readyMs: median(firsts) })
    times.push({ title: `start to ready, ${title}, again`, readyMs: median(seconds) })
  }
  return times
}

async function readyMsAt(place: Place): Promise<number> {
  const server = await startServerProcess({ ...place, ...asInstalled })
  await server.end('SIGTERM')
  return server.readyMs
}

async function onNewDatabase<Result>(databaseUrl: string, work: (place: Place) => Promise<Result>): Promise<Result> {
  const name = 'bench_start'
  try {
    return await work({ DATABASE_URL: await createDatabase(databaseUrl, name) })
  } finally {
    await onConnection(databaseUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
  }
}

/** Creates a database on the server and gives its URL. */
export async function createDatabase(databaseUrl: string, name: string): Promise<string> {
  await onConnection(databaseUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`))
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Gives the embedded database a folder that is not there yet, and removes it afterwards. */
export async function inNewFolder<Result>(
  work: (place: { readonly DATA_DIR: string }) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'lotkeeper-bench-'))
  try {
    return await work({ DATA_DIR: join(folder, 'data') })
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Connects for a piece of work. */
export async function onConnection<Result>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
