// How many cases a property is tried with.

const isAll = process.env.TEST_SCOPE === 'all'

/** All of them in `npm run test:all`; else one in ten, but 20 at least. */
export const runs = (all: number): number => (isAll ? all : Math.min(all, Math.max(20, Math.ceil(all / 10))))
