// Failures of background work that is tried again every few seconds: reported, but rarely.

/**
 * How often the same failure is reported, in milliseconds, and how many other failures in that
 * time.
 */
const reportMs = 600_000
const reportsMax = 20

/** Reports failures of one kind of work; `name` is how the sentence begins: `Sending webhooks`. */
export function rareReports(name: string, report: (what: string) => void): (error: unknown) => void {
  /** When each failure was last reported. */
  const reported = new Map<string, number>()
  return (error) => {
    const message = error instanceof Error ? error.message : String(error)
    const now = performance.now()
    for (const [known, at] of reported) if (now - at > reportMs) reported.delete(known)
    if (reported.has(message) || reported.size >= reportsMax) return
    reported.set(message, now)
    report(`${name} failed: ${message}`)
  }
}
