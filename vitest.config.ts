import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Of the tests: `quick` those without a database and a build, `usual` each behaviour once, else all
 * of them.
 */
const scope = process.env.TEST_SCOPE
const isAll = scope !== 'quick' && scope !== 'usual'

const cores = availableParallelism()

const testsOf = (folder: string) => `test/${folder}/**/*.test.ts`

/** Tests that touch a store: all of them on PostgreSQL, and these on the embedded database. */
const onEmbedded = [
  ...['store', 'http'].map(testsOf),
  // Commands that open a database themselves, and starts of the service. Other commands, the client
  // and the console call the service like any program: no database decides what they do.
  ...['backup', 'first-run', 'operating', 'readme', 'restored-feed', 'stopping'].map(
    (name) => `test/cli/${name}.test.ts`,
  ),
]
// What of the console needs no page is in folders below, and pure.
const storeBound = [
  ...[...onEmbedded, testsOf('client'), testsOf('cli'), testsOf('console/pages')],
  'test/handlers/change-listeners.test.ts',
]

/**
 * Of HTTP, what no database decides: requests and answers, documents that are read and written. On
 * PostgreSQL only, with what is sent, copied and counted in the background, which the crash tests
 * run on both, and what takes long. On the embedded database `outcomes` calls every operation in
 * every way that it can end, and `store/database/every-statement` shows that it understands each
 * statement.
 */
const onceOverHttp = [
  ...['access-log', 'alerts', 'alike-lots', 'assistants', 'bad-input', 'bulk-corrections', 'changes', 'client-address'],
  ...['completed-events', 'completeness', 'compression', 'console', 'damage-table', 'damaged-exports', 'digital-links'],
  ...['early-answers', 'edited-settings', 'fda-filters', 'hostile-requests', 'identity-provider', 'keys'],
  ...['large-answers', 'large-pages', 'limits', 'log-secrets', 'lot-trace', 'matrix', 'methods', 'mistakes'],
  ...['open-pages', 'openapi', 'request-counts', 'request-headers', 'safe-headers', 'sessions', 'settings'],
  ...['sharing', 'sign-in-claims'],
  ...['archive', 'epcis-capture', 'import-repair', 'ship-notices'],
  ...['epcis', 'fda-corrections', 'fda-package', 'fda-spreadsheet', 'gap-causes'],
  ...['mock-recalls', 'partners', 'recounts', 'recounts-of-everything', 'shared-copies', 'webhooks'],
].map((name) => `test/http/**/${name}.test.ts`)
/** What a database decides: in every run on both. */
const onBoth = [
  testsOf('store'),
  ...['batches', 'conditions', 'lists', 'replacement', 'tenants', 'unique-identifiers', 'voids'].map(
    (name) => `test/http/**/${name}.test.ts`,
  ),
]
/** Tests that kill servers and measure how soon they are back: after the others. */
const crashes = testsOf('crashes')
/**
 * Proofs that take 4 s to a minute each, of what changes seldom. Together they took a third of `npm
 * test`. Single tests of this sort say `isShortRun`.
 */
const slow = [
  ...['patterns', 'packed'].map((name) => `test/house/${name}.test.ts`),
  // Processes that start, stop, give up or are upgraded, and several of them.
  ...['backup', 'first-run', 'operating', 'stopping', 'workers.postgresql', 'metrics-of-workers.postgresql'].map(
    (name) => `test/cli/${name}.test.ts`,
  ),
  ...['backup', 'embedded-database', 'folder-lock', 'giving-up'].map(
    (name) => `packages/pglite-pool/test/${name}.test.ts`,
  ),
  ...['distribute.postgresql', 'migrated-database', 'plans.postgresql', 'recounts', 'searches.postgresql'].map(
    (name) => `test/store/**/${name}.test.ts`,
  ),
  ...['connections.postgresql', 'epcis-round-trip.postgresql', 'races.postgresql'].map(
    (name) => `test/http/**/${name}.test.ts`,
  ),
  // What the guides say, packages as they are installed, and many records.
  'test/cli/readme.test.ts',
  'test/console/pages/frame/guide.test.ts',
  'test/client/package.test.ts',
  'packages/{sheets,x12}/test/package.test.ts',
  'test/cli/fda-round-trip.test.ts',
  'test/console/pages/records/many-events.postgresql.test.ts',
  ...[
    'archive',
    'bulk-corrections',
    'fda-filters',
    'identity-provider',
    'large-pages',
    'recounts',
    'recounts-of-everything',
    'shared-copies',
    'sharing',
    'webhooks',
  ].map((name) => `test/http/**/${name}.test.ts`),
  'test/handlers/change-listeners.test.ts',
  'test/intake/hostile-files.test.ts',
  // Journeys through what is seldom touched: sign-in elsewhere, outages, recounts, archives, purges,
  // mock recalls, corrections of many events, drawings, events of 5,000 lines, links to packages,
  // partners, webhooks.
  ...[
    'away',
    'corrections',
    'docs',
    'drawing',
    'hostile',
    'identity-provider',
    'large-event',
    'mock-recall',
    'package-links',
    'recounting',
    'sharing',
  ].map((name) => `test/console/pages/**/${name}.test.ts`),
  ...['archive', 'changes', 'correct', 'partners', 'prompt', 'pull', 'restored-feed', 'retention', 'time-zones'].map(
    (name) => `test/cli/${name}.test.ts`,
  ),
]
const globalSetup = 'test/support/global-setup.ts'

/** What of the console needs stand-ins for the globals of a page: no other file may meet them. */
const inPage = 'test/console/{state,files}/*.test.ts'

/** Packages that are pure. */
const formats = 'packages/{sheets,x12}/test/*.test.ts'

const pure = {
  name: 'pure',
  include: ['test/**/*.test.ts', formats],
  exclude: [...storeBound, crashes, inPage, ...(isAll ? [] : slow)],
}
const page = { name: 'page', include: [inPage], isolate: true }
const packages = {
  name: 'packages',
  include: ['packages/*/test/**/*.test.ts'],
  exclude: [formats, ...(isAll ? [] : slow)],
}
const embedded = {
  name: 'embedded',
  include: isAll ? onEmbedded : onBoth,
  exclude: ['**/*.postgresql.test.ts', ...onceOverHttp, ...(isAll ? [] : slow)],
  globalSetup,
  env: { TEST_SECOND_DATABASE: 'true' },
}
const postgresql = {
  name: 'postgresql',
  include: storeBound,
  // README starts the embedded database.
  exclude: ['test/cli/readme.test.ts', ...(isAll ? [] : slow)],
  globalSetup,
}
const afterTheOthers = {
  name: 'crashes',
  include: [crashes],
  sequence: { groupOrder: 1 },
  isolate: true,
  maxWorkers: cores,
}

/** Half a minute and more each: one that begins last keeps one worker busy and the others idle. */
const longest = [
  'crashes/faults',
  'crashes/recounts',
  'crashes/deliveries',
  'frame/access',
  'cli/backup',
  'server/outcomes',
  'records/writing',
  'cli/stopping',
  'database/searches.postgresql',
  'exchange/import',
  'sharing/shared-copies',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => longest.some((name) => moduleId.endsWith(`/${name}.test.ts`))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const projects =
  scope === 'quick' ? [pure, page] : [pure, page, packages, embedded, postgresql, ...(isAll ? [afterTheOthers] : [])]

export default defineConfig({
  // The packages of this repository are tested from their sources.
  ssr: { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } },
  test: {
    // One more than cores: with as many, a sixth of the processor time went by while tests waited for
    // pages, processes and leases.
    maxWorkers: cores + 1,
    // Files share modules: 18 files of HTTP tests take 42 s, 58 with modules of their own.
    isolate: false,
    // It offers its sources under the same condition as ours, and Node does not run them.
    server: { deps: { inline: [/@modelcontextprotocol\/client/, 'eventsource'] } },
    // Keeps transformed modules in node_modules, for the next run.
    experimental: { fsModuleCache: true },
    globalSetup: 'scripts/generate.mjs',
    setupFiles: 'test/support/set-up.ts',
    reporters: ['default', './scripts/still-running.mjs'],
    sequence: { sequencer: LongestFirst },
    projects: projects.map((test) => ({ extends: true, test })),
  },
})
