// Small questions that many parts of a page ask at once: they wait for each other, and are not asked when their part is gone.

/** A part that is scrolled past is gone by then, in milliseconds. */
const settledMs = 150
const inFlightMax = 4

const printing = matchMedia('print')
let inFlight = 0
const waiting: (() => void)[] = []

/** Runs `work` when its turn has come. Rejects with the reason of `signal` when it is given up before. */
export async function runQueued<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, settledMs))
  // What is drawn for paper alone is on it before an answer comes.
  if (printing.matches) await new Promise((resolve) => printing.addEventListener('change', resolve, { once: true }))
  signal.throwIfAborted()
  if (inFlight >= inFlightMax) await new Promise<void>((resolve) => waiting.push(resolve))
  else inFlight++
  try {
    signal.throwIfAborted()
    return await work()
  } finally {
    const next = waiting.shift()
    // The turn is handed on as it is.
    if (next === undefined) inFlight--
    else next()
  }
}
