// Progress of a long command: a bar on a terminal, a line from time to time elsewhere. On stderr,
// so that stdout has only results.

const barMs = 200
const lineMs = 10_000
const barWidth = 24

/** Work that takes a while. */
interface Work {
  readonly done: number
  /** How many there are, where that is known. */
  readonly of?: number | undefined
  readonly unit: string
  /** How many an earlier run did. */
  readonly earlier?: number
  readonly more?: string
}

export class Progress {
  readonly #began = performance.now()
  readonly #isTerminal = process.stderr.isTTY === true
  #shown = 0
  #drawn = false

  /** Shows how much is done: `part` is 0 to 1. */
  show(part: number, { done, of, unit, earlier = 0, more = '' }: Work): void {
    const now = performance.now()
    if (now - this.#shown < (this.#isTerminal ? barMs : lineMs)) return
    this.#shown = now
    const seconds = (now - this.#began) / 1_000
    const rate = (done - earlier) / Math.max(seconds, 0.001)
    const left = part > 0.02 && part < 1 ? ` · ${duration((seconds / part) * (1 - part))} left` : ''
    const all = of === undefined ? '' : ` of ${of.toLocaleString('en')}`
    const text = `${done.toLocaleString('en')}${all} ${unit} · ${Math.round(rate).toLocaleString('en')}/s${left}${more}`
    if (!this.#isTerminal) {
      if (seconds * 1_000 >= lineMs) process.stderr.write(`${Math.round(part * 100)} % · ${text}\n`)
      return
    }
    const full = Math.round(part * barWidth)
    process.stderr.write(`\r\u001b[K${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${text}`)
    this.#drawn = true
  }

  /** Removes the bar before something else is printed. */
  clear(): void {
    if (this.#drawn) process.stderr.write('\r\u001b[K')
    this.#drawn = false
  }

  get seconds(): number {
    return (performance.now() - this.#began) / 1_000
  }
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3_600).toFixed(1)} h`
}

/** Bytes as people read them. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB']
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}
