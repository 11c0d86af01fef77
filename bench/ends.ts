// What was started is ended, the last first, also when starting the next thing failed: a process
// left over would keep this one.

/** Notes what is to be ended, and gives it back. */
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
