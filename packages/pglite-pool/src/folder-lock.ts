// An exclusive lock on a folder, for processes of one or of several hosts.
import { randomUUID } from 'node:crypto'
import {
  linkSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from './error-code.ts'

/** How often the holder touches the file, in milliseconds. */
const heartbeatMs = 1000

/** How long a lock of another host is watched for a heartbeat, in milliseconds. */
const heartbeatWaitMs = 3000

/** A lock that is held. */
export interface FolderLock {
  /** Gives the folder free. Does nothing when the lock was lost or released before. */
  release(): void
}

/** Who holds a lock, as written in the file. */
interface Holder {
  readonly pid: number
  readonly hostName: string
  /**
   * Tells hosts, boots and process namespaces apart: process ids mean something only within one.
   */
  readonly host: string
  /** When the process started, in clock ticks since boot; null where the system does not say. */
  readonly started: string | null
  readonly token: string
}

function readOrEmpty(read: () => string): string {
  try {
    return read().trim()
  } catch {
    return ''
  }
}

function hostIdentity(): string {
  const boot = readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))
  return [hostname(), boot, readOrEmpty(() => readlinkSync('/proc/self/ns/pid'))].join(' ')
}

/**
 * State, number of threads and start time of a process, where the system tells; fields of
 * /proc/<pid>/stat.
 */
function processStat(pid: number): { state: string; threads: number; started: string } | undefined {
  const text = readOrEmpty(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
  // The second field is the name in parentheses and may hold spaces and parentheses itself.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, started] = [fields[0], fields[19]]
  return state === undefined || started === undefined ? undefined : { state, threads: Number(fields[17]), started }
}

function processRuns(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
  // A process that was killed but not yet waited for still takes signals. Its threads may outlive
  // its first one.
  const stat = processStat(pid)
  return stat === undefined || stat.state !== 'Z' || stat.threads > 1
}

function parseHolder(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text)
    // Only this module writes the file: an object with a pid is whole.
    return typeof value === 'object' && value !== null && 'pid' in value ? (value as Holder) : undefined
  } catch {
    return undefined
  }
}

function describe(holder: Holder | undefined): string {
  if (holder === undefined) return 'a process that cannot be named'
  return holder.host === hostIdentity()
    ? `process ${holder.pid} on this machine`
    : `a process on host ${holder.hostName}`
}

/** Undefined when there is no such file. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function lastTouched(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}

/** Whether whoever wrote `text` into the file at `path` still lives. */
async function isAlive(path: string, text: string): Promise<boolean> {
  const holder = parseHolder(text)
  if (holder !== undefined && holder.host === hostIdentity()) {
    if (!processRuns(holder.pid)) return false
    const started = processStat(holder.pid)?.started
    return started === undefined || holder.started === null || started === holder.started
  }
  const before = lastTouched(path)
  const deadline = performance.now() + heartbeatWaitMs
  while (performance.now() < deadline) {
    await delay(100)
    const now = lastTouched(path)
    if (now === undefined) return false
    if (now !== before) return true
  }
  return false
}

/**
 * Moves a stale lock out of the way. Gives what was moved instead, put back, when another process
 * was faster.
 */
function discardStale(path: string, stale: string, token: string): string | undefined {
  const aside = `${path}.${token}.stale`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
  const moved = readFileSync(aside, 'utf8')
  try {
    if (moved === stale) return undefined
    linkSync(aside, path)
    return moved
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return moved
    throw error
  } finally {
    unlinkSync(aside)
  }
}

function keepTouching(path: string, text: string, onLost: () => void): FolderLock {
  const isOurs = (): boolean => readIfThere(path) === text
  const timer = setInterval(() => {
    try {
      if (isOurs()) {
        const now = new Date()
        utimesSync(path, now, now)
        return
      }
    } catch {
      // A folder that cannot be reached now may be reached at the next beat.
      return
    }
    clearInterval(timer)
    onLost()
  }, heartbeatMs)
  timer.unref()
  return {
    release: () => {
      clearInterval(timer)
      if (isOurs()) rmSync(path, { force: true })
    },
  }
}

/**
 * Takes the lock file `path` for this process, or says who holds it, as a phrase for a person. A
 * lock whose process is gone is taken over: at once when it ran here, after 3 s without a heartbeat
 * when it ran on another host.
 *
 * `onLost` is called when the file is no longer ours, as can happen to a process that was suspended
 * for seconds while another host took over. Whatever the lock protects must not be touched from
 * then on.
 * @throws Error of the system when the file cannot be written.
 */
export async function lockFolder(path: string, onLost: () => void): Promise<FolderLock | { heldBy: string }> {
  const token = randomUUID()
  const holder: Holder = {
    pid: process.pid,
    hostName: hostname(),
    host: hostIdentity(),
    started: processStat(process.pid)?.started ?? null,
    token,
  }
  const text = JSON.stringify(holder)
  const draft = `${path}.${token}`
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
  try {
    for (;;) {
      try {
        linkSync(draft, path)
        return keepTouching(path, text, onLost)
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error
      }
      const current = readIfThere(path)
      if (current === undefined) continue
      if (await isAlive(path, current)) return { heldBy: describe(parseHolder(current)) }
      const faster = discardStale(path, current, token)
      if (faster !== undefined) return { heldBy: describe(parseHolder(faster)) }
    }
  } finally {
    unlinkSync(draft)
  }
}
