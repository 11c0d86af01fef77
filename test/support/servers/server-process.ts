// The built program as a process of its own, to be started as a user starts it and killed as a
// machine kills it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { allowMs } from '../patience.ts'
import { isShortRun } from '../runs.ts'
import { runInThread } from './command-thread.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** The profiles of who runs the tests are not met. */
const noProfiles = { XDG_CONFIG_HOME: '/nowhere' }

const programIn = (checkout: string): string => join(checkout, 'dist/cli/main.js')
const program = programIn(root)

export interface ServerProcess {
  readonly address: string
  /** Printed on the first start of a database. */
  readonly firstKey: string | undefined
  readonly output: () => string
  /** From spawn to the line that says it is ready, in milliseconds. */
  readonly readyMs: number
  /** Process id; of the primary when there are workers. */
  readonly pid: number
  /** Ends it with a signal; resolves to its exit code, or null after SIGKILL. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
  /** Stops it where it is, as a machine that hangs, until `resume()`; of one process. */
  halt(): void
  resume(): void
  /**
   * Sends a signal to it and all its workers, as a terminal does; needs `ownGroup`. Resolves to its
   * exit code.
   */
  endGroup(signal: 'SIGINT'): Promise<number | null>
  /** Its exit code, once it ended. */
  readonly ended: Promise<number | null>
  /** Resolves when none of its processes is left. */
  readonly allEnded: Promise<unknown>
}

interface StartOptions {
  /**
   * The processes get a group of their own, which Ctrl+C in the terminal of the tests does not
   * reach.
   */
  readonly ownGroup?: boolean
  /** Options of Node itself, before the program. */
  readonly nodeOptions?: readonly string[]
  /** A program that runs it, and its arguments. */
  readonly under?: readonly string[]
  /** Folder of another checkout, whose build is started. */
  readonly checkout?: string | undefined
  /** Node that runs it. */
  readonly node?: string | undefined
}

/**
 * `lotkeeper serve` on a free port, as one process unless told otherwise, without waiting for
 * anything.
 */
export function spawnServer(
  env: Record<string, string>,
  { ownGroup = false, nodeOptions = [], under = [], checkout = root, node = process.execPath }: StartOptions = {},
) {
  const [file, ...args] = [...under, node, ...nodeOptions, programIn(checkout), 'serve']
  return spawn(file ?? node, args, {
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'silent', WORKERS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: ownGroup,
  })
}

/**
 * The same, and waits until it is ready; throws with its output when it does not get ready, and
 * leaves no process then.
 */
export async function startServerProcess(
  env: Record<string, string>,
  options: StartOptions = {},
): Promise<ServerProcess> {
  const began = performance.now()
  const child = spawnServer(env, options)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  // Workers share its output, which is closed when the last of them is gone.
  const allEnded = once(child, 'close')
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const readyMsMax = allowMs(60_000)
  const address = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      // Else it stays behind, and holds its folder and port.
      child.kill('SIGKILL')
      reject(new Error(`Not ready after ${readyMsMax} ms:\n${output}`))
    }, readyMsMax)
    const look = () => {
      const [, found] = /ready at (http:\S+)/.exec(output) ?? []
      if (found === undefined) return
      clearTimeout(timer)
      resolve(found)
    }
    child.stdout.on('data', look)
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`Ended with ${code} before it was ready:\n${output}`))
    })
  })
  const readyMs = performance.now() - began
  return {
    address,
    readyMs,
    output: () => output,
    get firstKey() {
      return /lk_\w+_[\w-]{43}/.exec(output)?.[0]
    },
    pid: child.pid ?? 0,
    ended,
    allEnded,
    end(signal) {
      child.kill(signal)
      return ended
    },
    halt: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    endGroup(signal) {
      if (child.pid === undefined) throw new Error('The server has not started, and has no group.')
      process.kill(-child.pid, signal)
      return ended
    },
  }
}

/** Ends a process as kill -9 does. Throws when none was found: 0 would be the tests themselves. */
export function killProcess(pid: number | undefined): asserts pid is number {
  if (pid === undefined) throw new Error('There is no process to be killed.')
  process.kill(pid, 'SIGKILL')
}

export interface CommandRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Commands that ran in a process of their own since this module was loaded. */
const ranAlone = new Set<string>()

/**
 * Runs one command to its end, with `input` on its stdin. Commands that only call the service run in
 * threads; where all tests run, each does so after its first time, which is in a process of its own,
 * and one without an environment may open a database, which threads cannot.
 */
export async function runCommand(
  args: readonly string[],
  env: Record<string, string>,
  input = '',
): Promise<CommandRun> {
  const [command = ''] = args
  const names = Object.keys(env)
  const isKnown = isShortRun || (names.length > 0 && ranAlone.has(command))
  if (isKnown && names.every((name) => name.startsWith('LOTKEEPER_')))
    return runInThread(new URL('../../../dist/cli/program.js', import.meta.url), args, { ...noProfiles, ...env }, input)
  ranAlone.add(command)
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, WORKERS: '1', ...noProfiles, ...env },
    stdio: 'pipe',
  })
  child.stdin.on('error', () => undefined).end(input)
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  await once(child, 'close')
  return { code: child.exitCode, stdout, stderr }
}
