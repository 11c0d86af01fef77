// How often the crash tests kill, and what they say of it.

import { allowMs } from '../patience.ts'
import type { CrashLog } from './crash-load.ts'

/**
 * Kinds of kills that share the cycles: of the server on either store, of the engine's thread, of
 * PostgreSQL, of processes among several.
 */
const kindsOfKills = 5

/** Kills of each kind. `CRASH_CYCLES` says how many there are in all. */
export const cycles = Math.ceil(Number(process.env.CRASH_CYCLES ?? 20) / kindsOfKills)

/** The load makes the same choices for the same seed: `CRASH_SEED`. */
export const seed = Number(process.env.CRASH_SEED ?? 1)

/** Ready again so soon, in milliseconds. */
export const readyMsMax = allowMs(5_000)

/** Time allowed for a test of so many kills, in milliseconds. */
export const timeFor = (kills: number): number => allowMs(120_000 + kills * 30_000)

/** `npm run crashes`: shows progress, and does what takes long or needs more than npm brings. */
export const isLongRun = process.env.CRASH_PROGRESS !== undefined

/** Says how far a long run is. */
export function progress(what: string, cycle: number, of: number): void {
  if (process.env.CRASH_PROGRESS !== undefined)
    console.log(`${new Date().toISOString().slice(11, 19)} ${what}: ${cycle} of ${of}`)
}

export const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/** One line of the table that a run ends with. */
export function report(what: string, kills: number, log: CrashLog, readyMs: readonly number[]): void {
  const { stale, reads, retries } = log.counts
  const ready = `${Math.round(median(readyMs))} ms (median), ${Math.round(Math.max(...readyMs))} ms (most)`
  console.log(
    `| ${what} | ${kills} kills | ${log.acknowledgedCount} writes acknowledged, 0 lost, 0 half, 0 double | ${reads} reads, ${stale} stale, ${retries} retries right | ready again in ${ready} |`,
  )
}
