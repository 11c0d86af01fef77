// Loaded into the service by `npm run bench:traces`: the longest block of its event loop, by the
// clock and by the processor time of its thread, which other work on the machine does not lengthen.
// SIGUSR2 writes both to a file, in milliseconds, and begins anew.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

const file = process.env.LOOP_DELAY_FILE
const lookMs = 1

/** Milliseconds on the processor; 0 where the system does not say. Linux only. */
function threadMs() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return 0
  }
}

let longest = { clockMs: 0, processorMs: 0 }
let [clock, processor] = [performance.now(), threadMs()]
function look() {
  const [now, used] = [performance.now(), threadMs()]
  longest = {
    clockMs: Math.max(longest.clockMs, now - clock - lookMs),
    processorMs: Math.max(longest.processorMs, used - processor),
  }
  ;[clock, processor] = [now, used]
}

if (file !== undefined) {
  setInterval(look, lookMs).unref()
  process.on('SIGUSR2', () => {
    look()
    writeFileSync(`${file}.new`, JSON.stringify(longest))
    renameSync(`${file}.new`, file)
    longest = { clockMs: 0, processorMs: 0 }
  })
}
