// Memory and processor time of other processes, as Linux reports them. On other systems nothing is
// measured.
import { readdirSync, readFileSync } from 'node:fs'

const sampleEveryMs = 200

/** The first process of the PostgreSQL server that this process started. */
export const postgresqlPid = (): number | undefined =>
  descendantsOf(process.pid).find((pid) => textIn(pid, 'cmdline').includes('/postgres\0-D'))

/** Ids of all processes below this one. */
function descendantsOf(root: number): readonly number[] {
  const parents = processIds().map((pid) => ({ pid, parent: Number(statOf(pid)[1]) }))
  const below = (pid: number): number[] =>
    parents.filter(({ parent }) => parent === pid).flatMap(({ pid }) => [pid, ...below(pid)])
  return below(root)
}

/** A process and its descendants. */
export const processesOf = (root: number): readonly number[] => [root, ...descendantsOf(root)]

/** Processor time that a process and those it started have taken so far, in milliseconds. */
export function processorMs(root: number | undefined): number {
  let ticks = 0
  // Of a process and of those it started that have ended: user and system time each.
  for (const pid of root === undefined ? [] : processesOf(root))
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
  const watched = processesOf(root)
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
