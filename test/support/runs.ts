// How much of what can be tried a run of the tests tries.

const scope = process.env.TEST_SCOPE

/** True on the embedded database: what no database decides is proved on PostgreSQL. */
export const isSecondDatabase = process.env.TEST_SECOND_DATABASE === 'true'

/**
 * All cases in `npm run test:all`; else, and on the second database, one in ten, but `least` of
 * them.
 */
export const runs = (all: number, least = 20): number =>
  scope === 'all' && !isSecondDatabase ? all : Math.min(all, Math.max(least, Math.ceil(all / 10)))

/**
 * True in `npm test` and `npm run test:quick`: tests that take seconds, of what changes seldom, are
 * left out. A file that is named runs with all of its tests.
 */
export const isShortRun = scope === 'usual' || scope === 'quick'
