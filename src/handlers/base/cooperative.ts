// Long computations that yield to the event loop.
import { mapInSteps, type Steps } from '../../steps.ts'

/** Longest run before yielding to the event loop, in milliseconds. */
const turnMsMax = 8

/** Runs the steps and yields to the event loop after each slice of time. */
export async function runCooperatively<Result>(steps: Steps<Result>): Promise<Result> {
  const slice = new Slice()
  for (;;) {
    do {
      const step = steps.next()
      if (step.done) return step.value
    } while (!slice.isOver)
    await slice.next()
  }
}

/** The time that a long computation may take until others have their turn. */
export class Slice {
  #endsAt = performance.now() + turnMsMax

  get isOver(): boolean {
    return performance.now() >= this.#endsAt
  }

  async next(): Promise<void> {
    await nextTurn()
    this.#endsAt = performance.now() + turnMsMax
  }
}

/** Resolves in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** The output of `JSON.stringify`, one element of a list after another. */
export function* jsonOf(body: object): Steps<string> {
  const members: string[] = []
  for (const [name, value] of Object.entries(body)) {
    const text = Array.isArray(value)
      ? `[${(yield* mapInSteps<unknown, string>(value, (element) => JSON.stringify(element))).join(',')}]`
      : JSON.stringify(value)
    members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join(',')}}`
}
