// Memory and processor time of other processes, as Linux reports them. On other systems nothing is
// measured.
import { readdirSync, readFileSync } from 'node:fs'

const sampleEveryMs = 200

/**
 * Ids of the processes this process started, directly or around, whose command line holds the text.
 */
export const descendantsRunning = (text: string): readonly number[] =>
  descendantsOf(process.pid).filter((pid) => textIn(pid, 'cmdline').includes(text))

/** Ids of all processes below this one. */
function descendantsOf(root: number): readonly number[] {
  const parents = processIds().map((pid) => ({ pid, parent: Number(statOf(pid)[1]) }))
  const below = (pid: number): number[] =>
    parents.filter(({ parent }) => parent === pid).flatMap(({ pid }) => [pid, ...below(pid)])
  return below(root)
}

/**
 * Processor time that all processes below this one have taken so far, in milliseconds: the service,
 * PostgreSQL and the load generator.
 */
export function processorMs(): number {
  let ticks = 0
  // Of a process and of those it started that have ended: user and system time each.
  for (const pid of descendantsOf(process.pid))
    ticks += statOf(pid)
      .slice(11, 15)
      .reduce((sum, part) => sum + Number(part), 0)
  return (ticks * 1000) / ticksPerSecond
}

/** The unit of times in /proc, the same on every Linux. */
const ticksPerSecond = 100

/**
 * What Linux reports of a process, from its state on. The name before, in parentheses, may itself
 * hold spaces and parentheses.
 */
function statOf(pid: number): readonly string[] {
  const stat = textIn(pid, 'stat')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/**
 * Watches a process and those it starts; `end` says how much the largest of them had in memory at
 * most, in MB.
 */
export function watchMemory(root: number): { end(): number } {
  let mostKb = 0
  // Workers are there from the start: looked for once, so that watching costs next to nothing.
  const watched = [root, ...descendantsOf(root)]
  const look = () => {
    for (const pid of watched) {
      const [, kb] = /^VmRSS:\s+(\d+) kB$/m.exec(textIn(pid, 'status')) ?? []
      mostKb = Math.max(mostKb, Number(kb ?? 0))
    }
  }
  const timer = setInterval(look, sampleEveryMs)
  return {
    end() {
      look()
      clearInterval(timer)
      return mostKb / 1024
    },
  }
}

function processIds(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    // Not Linux.
    return []
  }
}

function textIn(pid: number, file: 'stat' | 'status' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // Ended since the folder was listed.
    return ''
  }
}
