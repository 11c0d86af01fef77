// Sets of things that turn out to be one: joined two by two, in any order, with the same end.

export class JoinedSets {
  readonly #above: number[] = []

  /** A thing that is one with nothing yet. Things are numbered from 0. */
  add(): number {
    return this.#above.push(this.#above.length) - 1
  }

  join(a: number, b: number): void {
    const [first, second] = [this.rootOf(a), this.rootOf(b)]
    // The lowest number stands for a set, so that what stands for it does not depend on the order of joining.
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
