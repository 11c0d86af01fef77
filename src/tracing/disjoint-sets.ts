// Union–find.

export class DisjointSets {
  readonly #above: number[] = []

  /** Adds a set of one thing and returns its number, from 0. */
  add(): number {
    return this.#above.push(this.#above.length) - 1
  }

  join(a: number, b: number): void {
    const [first, second] = [this.rootOf(a), this.rootOf(b)]
    // The lowest number is the root of a set, so roots do not depend on the order of joins.
    this.#above[Math.max(first, second)] = Math.min(first, second)
  }

  rootOf(thing: number): number {
    let root = thing
    for (let above = this.#above[root] ?? root; above !== root; above = this.#above[root] ?? root) root = above
    for (let at = thing; at !== root; ) {
      const above = this.#above[at] ?? root
      this.#above[at] = root
      at = above
    }
    return root
  }
}
