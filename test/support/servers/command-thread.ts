// Commands in threads that have loaded the command line: of the 0.26 s of processor time that one
// takes in a process of its own, most is its start.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { CommandRun } from './server-process.ts'

/** Threads without a command. */
const idle: Worker[] = []

/** Runs one command of the program at this address to its end. */
export async function runInThread(
  program: URL,
  args: readonly string[],
  env: Record<string, string>,
  input: string,
): Promise<CommandRun> {
  const thread = idle.pop() ?? new Worker(new URL('command-thread.mjs', import.meta.url), { workerData: program.href })
  // It ends with the tests.
  thread.unref()
  const ended = once(thread, 'message')
  thread.postMessage({ args, env, input })
  const [run] = (await ended) as [CommandRun]
  idle.push(thread)
  return run
}
