// How long tests wait for something: longer by as much as the machine has more to do than it has cores.
import { availableParallelism, loadavg } from 'node:os'

/**
 * Processes that want a core, for each core there is, in the last minute; from 1 to 10. Measured anew
 * each time: files share this module, and the first of a worker begins on a machine with little to do.
 */
const load = (): number => Math.min(10, Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()))

/** What takes so long on a quiet machine may take so long now, in whole milliseconds. */
export const allowMs = (quietMs: number): number => Math.ceil(quietMs * load())

/** Processor time of this process so far, in milliseconds: nothing that others do on the machine is in it. */
export const processorMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Processor time of some work, in milliseconds: the least of three runs, because the process also
 * collects garbage and compiles, which on a busy machine was up to 100 ms within one of them.
 */
export function leastProcessorMs(work: () => void): number {
  const runs = Array.from({ length: 3 }, () => {
    const began = processorMs()
    work()
    return processorMs() - began
  })
  return Math.min(...runs)
}
