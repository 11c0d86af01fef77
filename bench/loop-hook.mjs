// Loaded into the processes of the service by bench/traces.ts: on SIGUSR2 it writes the longest time
// that the main thread computed in one turn of the event loop, in milliseconds, and begins again.
// Time on the processor, since other work on the machine is no block of the program.
import { readFileSync, writeFileSync } from 'node:fs'

const computedMs = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

let before = computedMs()
let longest = 0
setInterval(() => {
  const now = computedMs()
  longest = Math.max(longest, now - before)
  before = now
}, 1).unref()

process.on('SIGUSR2', () => {
  writeFileSync(process.env.LOOP_FILE, String(longest))
  longest = 0
})
