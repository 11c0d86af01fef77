// Counts of values by size, for a histogram.

export class Histogram {
  readonly bounds: readonly number[]
  /**
   * How many values were at most the bound of their place and above the one before; the last place
   * is for those above all.
   */
  readonly counts: number[]
  sum = 0

  /** `bounds` ascend. */
  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = new Array(bounds.length + 1).fill(0)
  }

  get count(): number {
    return this.counts.reduce((sum, one) => sum + one, 0)
  }

  add(value: number): void {
    let place = 0
    while (place < this.bounds.length && value > (this.bounds[place] as number)) place++
    this.counts[place] = (this.counts[place] as number) + 1
    this.sum += value
  }
}
