// Work in steps: long computations yield between their steps, so that a server can answer others.

/** Work that yields after each step, and returns its result at the end. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** How many items of a long list make one step: about a millisecond of work. */
const itemsPerStep = 100

/** Runs all steps without a pause, where nobody waits. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Maps a list, and yields from time to time. */
export function* mapInSteps<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Steps<Result[]> {
  const results: Result[] = []
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % itemsPerStep === 0) yield
    results.push(map(item, index))
  }
  return results
}
