// `lotkeeper doctor`: checks the configuration and the services it names, and prints remedies for
// problems. Changes nothing.

import { statSync } from 'node:fs'
import { mkdtemp, open, rm, rmdir, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { lotkeeper } from '../client/client.ts'
import { ProblemError, UnreachableError } from '../client/failure.ts'
import { type Config, readConfig } from '../config.ts'
import { pluralize } from '../contract/text/pluralize.ts'
import { readOnlyRemedy } from '../store/database/opening-problem.ts'
import type { CommandEnd } from '../terminal/command-end.ts'
import { results, wrapText } from '../terminal/terminal.ts'
import { version } from '../version.ts'
import { type Check, ok, problem, quote, warning } from './check.ts'
import { evidenceChecks } from './evidence-report.ts'
import { faultOf, isMade, type LocalDatabase, withLocalDatabase } from './local-database.ts'

interface DoctorOptions {
  /** Address of the service, without a slash at its end. */
  readonly url: string
  readonly key?: string
  readonly json?: boolean
  /** Name of the provider whose node is requested. */
  readonly provider?: string
  /** Whether the address of the service was given: then it must respond. */
  readonly urlIsGiven: boolean
}

export async function doctor(options: DoctorOptions): Promise<CommandEnd> {
  let problems = 0
  const say = async (check: Check) => {
    if (check.is === 'problem') problems++
    await results.write(options.json ? `${JSON.stringify(check)}\n` : lineOf(check))
  }
  await say(ok('Lotkeeper', version))
  await say(nodeVersion())
  const config = readConfig(process.env)
  if ('problem' in config) await say(problem('configuration', config.problem, 'Correct the variable, or unset it.'))
  else {
    for (const check of settings(config, process.env)) await say(check)
    for (const check of await databaseChecks(config, options.provider)) await say(check)
    if (config.databaseUrl === undefined) for (const check of await folderChecks(config)) await say(check)
    await say(await portCheck(config))
  }
  for (const check of await serviceChecks(options)) await say(check)
  return problems === 0 ? undefined : { problem: `${pluralize(problems, 'problem')} found.` }
}

const marks = { ok: ['green', 'ok'], warning: ['yellow', 'warning'], problem: ['red', 'problem'] } as const

/** Width of the longest mark, and of the longest name of a variable. */
const [markWidth, aboutWidth] = [7, 27]

function lineOf({ is, about, found, remedy }: Check): string {
  const [style, word] = marks[is]
  const margin = ' '.repeat(markWidth + 2 + aboutWidth + 2)
  const text = wrapText(found, margin, results.width).slice(margin.length)
  const advice = remedy === undefined ? '' : wrapText(`→ ${remedy}`, margin, results.width)
  return `${results.styled(style, word.padEnd(markWidth))}  ${about.padEnd(aboutWidth)}  ${text}${advice}`
}

/** The oldest release line that is still maintained; later ones are fine too. */
const nodeMajorCared = 22

function nodeVersion(): Check {
  const major = Number(process.versions.node.split('.')[0])
  return major < nodeMajorCared
    ? warning('Node.js', process.versions.node, 'It works, but has reached its end of life. Install Node.js 24.')
    : ok('Node.js', process.versions.node)
}

/** Every variable of the service: a setting has the name of its variable. */
function settings({ identityProvider, ...config }: Config, env: NodeJS.ProcessEnv): readonly Check[] {
  return Object.entries({ ...config, ...signInSettings(identityProvider) }).map(([name, value]) => {
    const variable = name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
    const shown = value === undefined ? 'not set' : withoutPassword(String(value))
    return ok(variable, env[variable] ? shown : value === undefined ? shown : `${shown} (default)`)
  })
}

/** Without the secret. */
const signInSettings = (set: Config['identityProvider']) => ({
  oidcIssuer: set?.issuer,
  ...(set && {
    publicUrl: set.publicUrl,
    oidcClientId: set.clientId,
    oidcName: set.name,
    oidcScope: set.scope,
    oidcRoleClaim: set.roleClaim,
    oidcRoles: set.roleClaim && [...set.roles].map(([value, role]) => `${value}=${role}`).join(','),
    oidcProvider: set.provider,
    oidcTrustEmails: set.trustEmails,
  }),
})

function withoutPassword(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  if (url.password !== '') url.password = '***'
  if (url.searchParams.has('password')) url.searchParams.set('password', '***')
  return url.href
}

async function databaseChecks(config: Config, provider: string | undefined): Promise<readonly Check[]> {
  const about = 'database'
  if (!isMade(config)) {
    const code = await makingFault(resolve(config.dataDir))
    return [
      code === undefined
        ? warning(about, `There is none in ${resolve(config.dataDir)} yet.`, 'lotkeeper serve makes it when it starts.')
        : problem(
            about,
            `There is none in ${resolve(config.dataDir)}, and it cannot be created there (${code}).`,
            'Make the folder writable for this user, or set DATA_DIR to a writable one.',
          ),
    ]
  }
  const looked = await withLocalDatabase(config, async (database) => ({
    ...database,
    nodes: await clusterChecks(database, provider),
    evidence: await evidenceChecks(config, database),
  }))
  if ('problem' in looked) return [problem(about, looked.found, looked.remedy)]
  const { name, server, schema, nodes, evidence } = looked
  const fault = faultOf(schema)
  return [
    server.isReadOnly
      ? problem(
          about,
          `${name}; PostgreSQL ${server.version}, which is read-only: every write is answered with 503.`,
          readOnlyRemedy,
        )
      : ok(about, `${name}; PostgreSQL ${server.version}`),
    fault !== undefined
      ? problem('schema', fault, 'Do not start this version on this database.')
      : schema.missing.length > 0
        ? warning(
            'schema',
            `It lacks ${schema.missing.join(', ')}.`,
            'Run lotkeeper migrate, or start lotkeeper serve, which migrates too.',
          )
        : ok('schema', `up to date, at ${schema.applied.at(-1)}`),
    ...nodes,
    ...evidence,
  ]
}

/**
 * The tables that a Citus cluster has distributed, the providers on each node, and the node of one
 * of them.
 */
async function clusterChecks(database: LocalDatabase, provider: string | undefined): Promise<Check[]> {
  const [about, aboutProvider] = ['nodes', 'provider']
  const { cluster, places } = database
  if (cluster === undefined)
    return provider === undefined ? [] : [ok(aboutProvider, 'the database is one server: every provider is there')]
  const { version, distributed, missing } = cluster
  if (distributed.length === 0)
    return [
      warning(about, `${version}; no table is distributed.`, 'Run lotkeeper distribute with the service stopped.'),
    ]
  if (missing.length > 0)
    return [warning(about, `${version}; ${missing.join(', ')}: on the coordinator alone.`, 'Run lotkeeper distribute.')]
  const all = await places()
  const counts = new Map<string, number>()
  for (const { node } of all) counts.set(node, (counts.get(node) ?? 0) + 1)
  const nodes = [...counts].sort().map(([node, count]) => `${node} has ${count}`)
  const found = `${version}; ${distributed.length} tables are distributed; providers: ${nodes.join(', ') || 'none'}`
  const checks = [ok(about, found), ...(await nodeChecks(database))]
  if (provider === undefined) return checks
  const place = all.find(({ name }) => name === provider)
  return [
    ...checks,
    place === undefined
      ? problem(aboutProvider, `There is no provider ${quote(provider)}.`, 'lotkeeper keys list shows their names.')
      : ok(aboutProvider, `${quote(provider)} is on ${place.node}, in shard ${place.shard}`),
  ]
}

/** Nodes that do not answer, and what the role lacks for the moment at which one is back. */
async function nodeChecks({ db, mayRecoverWrites }: LocalDatabase): Promise<Check[]> {
  const about = 'nodes'
  const checks = db.nodes.away.map((node) =>
    problem(
      about,
      `${node} does not answer. Its providers get 503, and all others are served.`,
      'Start it, or repair the way to it.',
    ),
  )
  if (!(await mayRecoverWrites()))
    checks.push(
      warning(
        about,
        'The role may not run recover_prepared_transactions(). After a crash of a node some of its last writes are not readable before the next citus.recover_2pc_interval.',
        'As superuser, on each node that a service uses: GRANT EXECUTE ON FUNCTION recover_prepared_transactions() TO the role.',
      ),
    )
  return checks
}

/** Free bytes below which a disk is nearly full, and below which the service cannot continue. */
const [freeWarning, freeProblem] = [1024 ** 3, 64 * 1024 ** 2]

/** Type of a file system in memory, as statfs reports it. */
const tmpfs = 0x01021994

async function folderChecks(config: Config): Promise<readonly Check[]> {
  const folder = nearestFolder(resolve(config.dataDir))
  const { bavail, bsize, type } = await statfs(folder)
  const free = bavail * bsize
  const found = `${(free / 1024 ** 3).toFixed(1)} GiB free for ${config.dataDir}`
  const remedy = 'Free some space, or set DATA_DIR to a folder on a larger disk.'
  const checks = [
    free < freeProblem
      ? problem('disk space', found, remedy)
      : free < freeWarning
        ? warning('disk space', found, remedy)
        : ok('disk space', found),
  ]
  if (type === tmpfs)
    checks.push(warning('durability', `${config.dataDir} is in memory.`, 'Set DATA_DIR to a folder on a disk.'))
  // A file in a folder without a database would prevent creating one there.
  else if (isMade(config)) checks.push(await syncCheck(config.dataDir))
  return checks
}

/**
 * Why nothing can be created in a folder, or where it would be; the folder created for the test is
 * removed.
 */
async function makingFault(path: string): Promise<string | undefined> {
  try {
    await rmdir(await mkdtemp(join(nearestFolder(path), '.lotkeeper-doctor-')))
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

/** The folder, or the existing one above it. */
function nearestFolder(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) !== undefined || dirname(path) === path
    ? path
    : nearestFolder(dirname(path))
}

const syncs = 5

/** How long a durable write waits for the disk. */
async function syncCheck(folder: string): Promise<Check> {
  const path = join(folder, `.lotkeeper-doctor-${process.pid}`)
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      const began = performance.now()
      for (let i = 0; i < syncs; i++) {
        await file.write('lotkeeper')
        await file.sync()
      }
      return ok('durability', `a durable write takes ${((performance.now() - began) / syncs).toFixed(1)} ms`)
    } finally {
      await file.close()
      await rm(path, { force: true })
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return problem(
      'durability',
      `${folder} cannot be written to (${code ?? message}).`,
      'Make the folder writable for this user.',
    )
  }
}

async function portCheck({ host, port }: Config): Promise<Check> {
  const about = 'port'
  const place = `${port} on ${host}`
  const code = await listenFault(host, port)
  if (code === undefined) return ok(about, `${place} is free`)
  if (code !== 'EADDRINUSE')
    return problem(
      about,
      `Nothing can listen on ${place} (${code}).`,
      'Set HOST to an address of this machine, and PORT to a free port.',
    )
  const reachable = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host
  const running = await lotkeeperAt(`http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`)
  if (running === undefined)
    return problem(about, `${place} is in use by another program.`, 'Stop that program, or set PORT.')
  return ok(about, `${place} is in use by Lotkeeper ${running}`)
}

const listenFault = (host: string, port: number): Promise<string | undefined> =>
  new Promise((done) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    server.listen({ host, port }, () => server.close(() => done(undefined)))
  })

const patienceMs = 3_000

/** Version of the Lotkeeper at an address; undefined for another program. */
async function lotkeeperAt(address: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${address}/openapi.json`, { signal: AbortSignal.timeout(patienceMs) })
    const { info } = (await response.json()) as {
      readonly info?: { readonly title?: string; readonly version?: string }
    }
    return info?.title === 'Lotkeeper' ? info.version : undefined
  } catch {
    return undefined
  }
}

/** Difference of clocks, in milliseconds, that is reported: keys expire, and events have a date. */
const skewMax = 5_000

async function serviceChecks({ url, key, urlIsGiven }: DoctorOptions): Promise<readonly Check[]> {
  const remedy = 'Start it with lotkeeper serve, or set LOTKEEPER_URL to its address.'
  let ready: Response
  let why: string | undefined
  const asked = Date.now()
  try {
    ready = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(patienceMs) })
    why = await whyNotReady(ready)
  } catch {
    const found = `Nothing answers at ${url}.`
    return [urlIsGiven ? problem('service', found, remedy) : warning('service', found, remedy), checkKeyFormat(key)]
  }
  const running = await lotkeeperAt(url)
  if (running === undefined) return [problem('service', `What answers at ${url} is not Lotkeeper.`, remedy)]
  const service = `Lotkeeper ${running} at ${url}`
  return [
    !ready.ok
      ? problem(
          'service',
          `${service} is not ready${why === undefined ? '.' : `: ${why}`}`,
          'Repair what it names; the service then goes on by itself. Its log has more.',
        )
      : running === version
        ? ok('service', service)
        : warning('service', service, `This program is ${version}; install the same version.`),
    clockCheck(ready.headers.get('date'), asked),
    key ? await keyCheck(url, key) : checkKeyFormat(key),
  ]
}

/** The cause that a service gives while it is not ready. */
async function whyNotReady(ready: Response): Promise<string | undefined> {
  try {
    const { why } = (await ready.json()) as { readonly why?: unknown }
    return typeof why === 'string' ? why : undefined
  } catch {
    return undefined
  }
}

const checkKeyFormat = (key: string | undefined): Check =>
  key
    ? warning('key', 'A key is set. Only the service can check it.', 'Start the service.')
    : warning('key', 'LOTKEEPER_KEY is not set.', 'Set it to a key: lotkeeper keys create --help')

function clockCheck(date: string | null, asked: number): Check {
  // The header has whole seconds: half a second is added, and half of the round trip.
  const skew = Date.parse(date ?? '') + 500 - (asked + Date.now()) / 2
  if (Number.isNaN(skew))
    return warning('clock', 'The service sends no Date header.', 'Check whether a proxy removes it.')
  const seconds = (Math.abs(skew) / 1_000).toFixed(0)
  return Math.abs(skew) > skewMax
    ? warning(
        'clock',
        `The service is ${seconds} s ${skew > 0 ? 'ahead' : 'behind'}.`,
        'Synchronize the clocks of both machines.',
      )
    : ok('clock', 'agrees with that of the service')
}

async function keyCheck(url: string, key: string): Promise<Check> {
  try {
    const { body } = await lotkeeper({ url, key, retries: 0 }).readOwnKey({})
    const until = body.expiresDateTime === null ? 'never expires' : `expires ${body.expiresDateTime}`
    return ok('key', `${body.keyId} of provider ${body.provider}, role ${body.role}; ${until}`)
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    if (error instanceof ProblemError && error.outcome === 'notAuthenticated')
      return problem('key', 'The service does not accept it.', 'Set LOTKEEPER_KEY to a valid key: lotkeeper keys list')
    const isOfService = error instanceof ProblemError || error instanceof UnreachableError
    return problem(
      'key',
      found,
      isOfService ? 'The key was not checked. Run doctor again when the service answers.' : 'Copy the whole key again.',
    )
  }
}
