// A queue for small requests that many parts of a page send together. Requests of removed parts are
// not sent.

/** Delay in which a part that is scrolled past disappears, in milliseconds. */
const settledMs = 150
const inFlightMax = 4

const printing = matchMedia('print')
let inFlight = 0
const waiting: (() => void)[] = []

/** Queues `work`. Rejects with the reason of `signal` if it is aborted before. */
export async function runQueued<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, settledMs))
  // In print, nothing can arrive before the page is on paper.
  if (printing.matches) await new Promise((resolve) => printing.addEventListener('change', resolve, { once: true }))
  signal.throwIfAborted()
  if (inFlight >= inFlightMax) await new Promise<void>((resolve) => waiting.push(resolve))
  else inFlight++
  try {
    signal.throwIfAborted()
    return await work()
  } finally {
    const next = waiting.shift()
    // The slot passes to the next one.
    if (next === undefined) inFlight--
    else next()
  }
}
