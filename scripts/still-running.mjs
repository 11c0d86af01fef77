// Names the test files of a run that does not go on, and ends it: a child process or a worker that
// waits for ever is past every time limit of a test.

const tellAfterMs = 10 * 60_000
const endAfterMs = 30 * 60_000

export default class StillRunning {
  #running = new Map()
  #lastEnd = 0
  #timer

  onTestRunStart() {
    this.#lastEnd = Date.now()
    this.#timer = setInterval(() => this.#look(), tellAfterMs / 2).unref()
  }
  onTestModuleQueued(module) {
    this.#running.set(module.id, `${module.project.name}: ${module.relativeModuleId}`)
  }
  onTestModuleEnd(module) {
    this.#running.delete(module.id)
    this.#lastEnd = Date.now()
  }
  onTestRunEnd() {
    clearInterval(this.#timer)
  }

  #look() {
    const waited = Date.now() - this.#lastEnd
    if (waited < tellAfterMs) return
    const minutes = Math.round(waited / 60_000)
    const names = [...this.#running.values()].map((name) => `  ${name}\n`).join('')
    process.stderr.write(`No test file has ended for ${minutes} minutes. Running:\n${names || '  none\n'}`)
    if (waited > endAfterMs) process.exit(1)
  }
}
