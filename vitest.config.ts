import { defineConfig } from 'vitest/config'

/** Tests that touch a store; they run once per store, all others run once. */
const storeBound = [
  ...['store', 'handlers', 'http', 'client', 'cli'].map((folder) => `test/${folder}/**/*.test.ts`),
  // What of the console needs no page is in folders below, and pure.
  'test/console/*.test.ts',
]
const postgresqlOnly = '**/*.postgresql.test.ts'
/** Tests that kill servers and measure how soon they are back: after the others, and as many at once as the machine has cores at least. */
const crashes = 'test/crashes/**/*.test.ts'
const globalSetup = 'test/support/global-setup.ts'

export default defineConfig({
  // The packages of this repository are tested from their sources.
  ssr: { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } },
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What a test waits for comes late on a busy machine: a second, which is the default, was now and then too little.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'pure', include: ['test/**/*.test.ts'], exclude: [...storeBound, crashes], maxWorkers: 2 },
      },
      { extends: true, test: { name: 'packages', include: ['packages/*/test/**/*.test.ts'], maxWorkers: 2 } },
      {
        extends: true,
        test: { name: 'embedded', include: storeBound, exclude: [postgresqlOnly], globalSetup, maxWorkers: 2 },
      },
      {
        extends: true,
        test: { name: 'postgresql', include: storeBound, globalSetup, maxWorkers: 2 },
      },
      { extends: true, test: { name: 'crashes', include: [crashes], maxWorkers: 2, sequence: { groupOrder: 1 } } },
    ],
  },
})
