// Ends what was started, the last first, also when a later start fails. A process that is left over
// would keep this one running.

/** Registers something to end, and returns it. */
export type Ending = <Started extends { end(): unknown }>(started: Started) => Started

export async function untilEnded<Result>(work: (ending: Ending) => Promise<Result>): Promise<Result> {
  const ends: (() => unknown)[] = []
  try {
    return await work((started) => {
      ends.push(() => started.end())
      return started
    })
  } finally {
    for (const end of ends.reverse()) await end()
  }
}
