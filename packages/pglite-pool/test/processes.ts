// Folders and second processes for the tests of the embedded database.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A new, empty folder with a path short enough for a Unix socket. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'lot-'))
}

/** A process of `child-process.ts` and the lines it has said so far. */
export interface Child {
  readonly process: ChildProcess
  readonly lines: string[]
  /**
   * Fulfilled when it has said at least `count` lines, or with its errors as exception when it
   * ended before.
   */
  said(count: number): Promise<void>
  /** kill -9; fulfilled when the process is gone. */
  kill(): Promise<void>
}

/** Starts a second process. */
export function startChild(task: 'open' | 'write', dataDir: string): Child {
  const script = fileURLToPath(new URL('./child-process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), script, task, dataDir], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  let errors = ''
  child.stderr.on('data', (data: Buffer) => {
    errors += data.toString()
  })
  const exited = once(child, 'close')
  const output = createInterface({ input: child.stdout })
  output.on('line', (line) => lines.push(line))
  return {
    process: child,
    lines,
    said: async (count) => {
      while (lines.length < count) {
        const ended = await Promise.race([once(output, 'line').then(() => false), exited.then(() => true)])
        if (ended && lines.length < count) throw new Error(`the child ended: ${errors}`)
      }
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Asks again every 20 ms until the answer is true. @throws Error after `limitMs`. */
export async function until(condition: () => boolean | Promise<boolean>, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not so within ${limitMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
