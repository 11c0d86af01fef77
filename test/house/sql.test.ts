// Every statement names one provider: read with PostgreSQL's own parser, so that no spelling hides
// one that does not.

import { describe, expect, test } from 'vitest'
import { isDeliveryKind, isEventKind, recordKinds } from '../../src/contract/record-kinds.ts'
import { capitalize } from '../../src/contract/text/capitalize.ts'
import { distributedTables, partitions, referenceTables } from '../../src/store/database/distribute.ts'
import { statements } from '../../src/store/database/statement.ts'
import { searches } from '../../src/store/records/search.ts'
import { faultsOf, readMigrations } from './sql-checker.ts'
import { listingTexts, migrationFiles, migrations, searchTexts, storeFiles, tables } from './store-sql.ts'
import { filesUnder, textOf } from './tree.ts'

/** Keys that do not begin with provider_id, and why they may. */
const keyExceptions: Readonly<Record<string, string>> = {
  provider_by_name: 'The operator names a provider before its id is known.',
  search_block_by_gram: 'An index of lists has no order of columns; each gram is of one provider.',
}

/** Statements without a provider, and why they may. */
const statementExceptions: Readonly<Record<string, string>> = {
  makeMigrationTable: 'The schema belongs to the whole database.',
  makeMigrationLock: 'The schema belongs to the whole database.',
  takeMigrationLock: 'The schema belongs to the whole database.',
  appliedMigrations: 'The schema belongs to the whole database.',
  noteMigration: 'The schema belongs to the whole database.',
  keysOfProvider: 'A key of a partner names the provider that shares.',
  listPartners: 'A partner has an account, which is a provider of its own.',
  createPartner: 'A partner has an account, whose id is in the shard of the provider.',
  replacePartner: 'What it takes away closes the account of the partner at once.',
  deletePartner: 'It closes the account of the partner at once.',
  invitePartner: 'An invitation is a key of the account of the partner.',
  revokePartnerKey: 'Keys of partners belong to the accounts of these.',
  providersOfKey: 'The operator revokes by key id alone, which is random and unique.',
  allKeys: 'The operator sees the keys of all providers.',
  insertProvider: 'The target is the name, which makes a provider once however often it is asked for.',
  insertFirstKey:
    'The target is the name: a provider and its first key are made once, however many starts ask for them.',
  providerByName: 'The operator names a provider before its id is known.',
  namedProviders: 'The operator looks after all of them.',
  accountsOfProviders: 'The accounts of several providers are looked for at once.',
  anyProvider: 'Asks whether the database is new.',
  providersAwaiting: 'Each provider gets a checkpoint of its own; who makes them has to learn of whom.',
  providersToRecount: 'Each provider gets a recount of its own; who runs them has to learn of whom.',
  providersToIndex: 'Each provider has blocks of its own; who writes them has to learn for whom.',
  providersToLookAt: 'Each provider has alerts of its own; who looks for them has to learn of whom.',
  countOpenAlerts: 'The metrics count the alerts of all providers, and name none.',
  enabledWebhooks: 'Each provider has webhooks of its own; who sends to them has to learn of whom.',
  providersToCorrect: 'Each provider has corrections of its own; who works on them has to learn of whom.',
  providersCountedByOthers: 'After an upgrade, the events of all providers are counted again, provider by provider.',
  providersSharing: 'Each provider has partners of its own; who copies for them has to learn for whom.',
  partnersToCopyFor: 'The accounts of its partners are providers of their own; it reads whether they are closed.',
  openSharedAccount: 'The account of a partner is a provider of its own, which the one that shares opens.',
  tablesOfCluster: 'Where tables are is the same for all providers; this reads the catalogue of Citus.',
  nodesOfProviders: 'The operator asks for the nodes of all providers; this reads the catalogue of Citus.',
  clusterNodes: 'The nodes of a cluster serve all providers; this reads the catalogue of Citus.',
  shardOfProvider: 'Where the rows of a provider are; this reads the catalogue of Citus.',
  makeHoldShard: 'A function that keeps a shard on its node; it reads the catalogue of Citus.',
  oneConnectionPerNode: 'It says how Citus runs the transaction, and reads nothing.',
  serverFacts: 'Asks what the server is and whether it takes writes; it reads no table.',
  defaultStatementLimit: 'A setting of the server; this reads the catalogue of PostgreSQL.',
  estimatedRows: 'The size of the whole database; this reads the catalogue of PostgreSQL.',
}

/** Constant fragments that statements of several files have. */
const sharedFragments = ['versionRaised', 'besideAccount', 'accountCloses', 'keyIsValid', 'hashedColumns']

/**
 * The source text of each declaration of a statement: to the first closing parenthesis that ends a
 * line outside of a string.
 */
const declarations = storeFiles.flatMap((file) =>
  [
    ...textOf(file).matchAll(
      /^(?:export )?const \w+ = (?:statement|loggedStatement|webhookStatement|leaseStatements|search)\b(?:[^`']|'[^'\n]*'|`[^`]*`)*?\)$/gm,
    ),
  ].map(([text]) => ({ file, text })),
)

describe('migrations', () => {
  test('the test sees the tables and keys', () => {
    expect(migrationFiles.length).toBeGreaterThan(0)
    expect(migrations.tables.size).toBeGreaterThan(0)
    expect(migrations.keyCount).toBeGreaterThan(0)
  })

  test('every primary key, unique rule and index begins with provider_id, but for the exceptions, each needed', () => {
    const names = migrations.faults.map(({ name }) => name)
    expect(migrations.faults.filter(({ name }) => keyExceptions[name] === undefined)).toEqual([])
    expect(Object.keys(keyExceptions).filter((name) => !names.includes(name))).toEqual([])
  })

  test('every table is distributed or a reference table, and the keys of those distributed begin with provider_id', () => {
    expect([...distributedTables, ...referenceTables].sort()).toEqual([...migrations.tables, 'schema_migration'].sort())
    expect([...partitions].sort()).toEqual([...migrations.partitions.keys()].sort())
    const distributed = new Set<string>(distributedTables)
    const faults = migrations.faults.filter(({ name }) => name !== 'search_block_by_gram')
    expect(faults.filter(({ table = '' }) => distributed.has(table))).toEqual([])
    expect(faults.map(({ table }) => table).sort()).toEqual(['provider'])
  })

  test('no statistics are kept of the providers of a distributed table (decision 0086)', () => {
    expect(distributedTables.filter((table) => !migrations.withoutStatistics.has(table))).toEqual([])
  })

  test.each([
    'CREATE TABLE t (id uuid PRIMARY KEY)',
    'CREATE TABLE t (provider_id uuid NOT NULL)',
    'CREATE TABLE t (provider_id uuid, id uuid, PRIMARY KEY (id, provider_id))',
    'CREATE TABLE t (provider_id uuid, id uuid UNIQUE, PRIMARY KEY (provider_id, id))',
    'CREATE TABLE t (provider_id uuid, n bigserial, PRIMARY KEY (provider_id, n))',
    'CREATE TABLE t (provider_id uuid, n int GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (provider_id, n))',
    `CREATE TABLE t (provider_id uuid, n int DEFAULT nextval('s'), PRIMARY KEY (provider_id, n))`,
    'CREATE INDEX i ON t (code, provider_id)',
    'CREATE INDEX i ON t (lower(code))',
    'ALTER TABLE t ADD CONSTRAINT u UNIQUE (code)',
    'CREATE SEQUENCE s',
    'CREATE TRIGGER g AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION f()',
    'TRUNCATE t',
    'CREATE VIEW v AS SELECT provider_id, id FROM t',
  ])('the test refuses %s', async (sql) => {
    expect((await readMigrations(sql)).faults).not.toEqual([])
  })
})

describe('statements', () => {
  test('the test sees them all: as many as are declared in the sources', () => {
    expect(statements.size).toBeGreaterThan(0)
    const leases = declarations.flatMap(({ text }) => /= leaseStatements\b.*?\bname: '(\w+)'/s.exec(text)?.[1] ?? [])
    expect(leases.length).toBeGreaterThan(0)
    const ofLeases = leases.flatMap((name) => ['claim', 'renew', 'release'].map((verb) => `${verb}${name}`))
    const single = declarations.filter(({ text }) => !/= leaseStatements\b/.test(text))
    const names = single.flatMap(({ text }) => {
      const name = /\(\s*'(\w+)'/.exec(text)?.[1] ?? ''
      return /^.*= search\b/.test(text) ? [name, `${name}Far`] : [name]
    })
    /**
     * Those of each kind of record, made in records.ts, with one more of a kind with a hash of its
     * search rows; and those of each kind of event, which void, select, compare and read lots. The
     * search values of copies are those of their originals.
     */
    const ofWritten = ['create*', 'replace*', 'import*']
    const ofMasterData = [...ofWritten, 'compareSearchOf*']
    const ofKeys = ['holderOf*']
    const ofEvents = [
      ...ofMasterData,
      ...['replace*InPlace', 'search*', 'search*Far'],
      ...['void*', 'findVoided*', 'importVoided*', 'count*', 'marksOf*'],
      ...['ByDate', 'ByCode', 'ByPlaceAndDate', 'DownByDate', 'DownByCode', 'OfLot', 'OfAlikeLots'].map(
        (how) => `select*${how}`,
      ),
    ]
    const ofDeliveries = ['readCompared*', 'select*ToCompare']
    const ofKinds = [
      ...recordKinds.flatMap(({ name, ...kind }) =>
        [
          ...(isEventKind(name) ? ofEvents : ofMasterData),
          ...('key' in kind ? ofKeys : []),
          ...(isDeliveryKind(name) ? ofDeliveries : []),
        ].map((statement) => statement.replace('*', `${capitalize(name)}s`)),
      ),
      ...[...ofWritten, 'replace*InPlace'].map((statement) => statement.replace('*', 'CopiedEvents')),
    ]
    expect(ofKinds.length).toBeGreaterThan(0)
    expect([...names, ...ofLeases, ...ofKinds].sort()).toEqual([...statements.keys()].sort())
    expect([...searches.keys()].sort()).toEqual(recordKinds.map(({ name }) => `search${capitalize(name)}s`).sort())
  })

  test('every statement keeps to the provider of $1, but for the exceptions, each needed', async () => {
    const faults = new Map<string, readonly string[]>()
    for (const [name, sql] of statements) {
      const found = await faultsOf(sql, tables)
      if (found.length > 0) faults.set(name, found)
    }
    // Reads no table and so has no fault, and names no provider either.
    faults.set('serverFacts', statements.get('serverFacts')?.includes('$1') ? [] : ['names no provider'])
    expect([...faults].filter(([name]) => statementExceptions[name] === undefined)).toEqual([])
    expect(Object.keys(statementExceptions).filter((name) => !faults.get(name)?.length)).toEqual([])
  })

  test('a search or a listing keeps to the provider, whichever order, column and conditions are in use', async () => {
    const faults: string[] = []
    for (const sql of [...searchTexts(), ...listingTexts()]) faults.push(...(await faultsOf(sql, tables)))
    expect(faults).toEqual([])
  })

  test.each([
    'SELECT detail FROM record_version WHERE record_id = $2',
    'SELECT detail FROM record_version WHERE record_id = $2 AND provider_id = $1',
    'SELECT detail FROM record_version WHERE provider_id = $1 OR record_id = $2',
    'SELECT detail FROM record_version WHERE provider_id = $2',
    'SELECT detail FROM record_version WHERE provider_id <> $1',
    'SELECT detail FROM record_version WHERE provider_id = provider_id',
    'SELECT detail FROM record_version WHERE NOT (provider_id = $1)',
    'SELECT 1 FROM location l JOIN record_version v ON v.record_id = l.id WHERE l.provider_id = $1',
    'SELECT 1 FROM location l JOIN record_version v ON l.provider_id = $1 WHERE l.provider_id = $1',
    'SELECT 1 FROM location l LEFT JOIN record_version v ON v.provider_id = $1 AND l.provider_id = $1',
    'SELECT 1 FROM location l RIGHT JOIN record_version v ON v.provider_id = $1 WHERE l.provider_id = $1',
    'SELECT 1 FROM location l JOIN record_version v ON v.provider_id = l.provider_id WHERE l.provider_id = v.provider_id',
    'SELECT 1 FROM location l, record_version v WHERE l.provider_id = $1 AND v.record_id = l.id',
    'SELECT 1 FROM location l WHERE l.provider_id = $1 AND EXISTS (SELECT 1 FROM master_product p WHERE p.id = l.id)',
    'SELECT 1 FROM location l WHERE l.provider_id = $1 AND EXISTS (SELECT 1 FROM location k WHERE k.provider_id = l.provider_id)',
    'SELECT l.id, (SELECT r.version FROM record r WHERE r.provider_id = l.provider_id AND r.id = l.id) FROM location l WHERE l.provider_id = $1',
    'SELECT 1 FROM location l CROSS JOIN LATERAL (SELECT 1 FROM record r WHERE r.provider_id = l.provider_id AND r.id = l.id LIMIT 1) k WHERE l.provider_id = $1',
    'SELECT (SELECT count(*) FROM location) FROM location WHERE provider_id = $1',
    'SELECT 1 FROM location WHERE provider_id = $1 UNION ALL SELECT 1 FROM location',
    'WITH a AS (SELECT id FROM location) SELECT id FROM a',
    'WITH location AS (SELECT 1 AS id) SELECT id FROM location',
    'SELECT 1 FROM pg_stat_activity',
    'SELECT 1 FROM location l WHERE l.provider_id = $1 AND EXISTS (SELECT 1 FROM location l WHERE l.id = $2)',
    'UPDATE location SET version = 2 WHERE id = $2',
    'UPDATE location l SET version = 2 FROM record_version v WHERE l.provider_id = $1 AND v.record_id = l.id',
    'UPDATE location SET provider_id = $2 WHERE provider_id = $1',
    'DELETE FROM location',
    'DELETE FROM location l USING record_version v WHERE v.provider_id = $1',
    'INSERT INTO location (id, provider_id) VALUES ($1, $2)',
    'INSERT INTO location (provider_id, id) VALUES ($1, $2), ($3, $4)',
    'INSERT INTO location SELECT $1, $2',
    'INSERT INTO location (provider_id, id) SELECT provider_id, id FROM location WHERE provider_id = $1',
    'INSERT INTO location (provider_id, id) VALUES ($1, (SELECT id FROM master_product))',
    'INSERT INTO location (provider_id, id) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
    'INSERT INTO location (provider_id, id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    'INSERT INTO location (provider_id, id) VALUES ($1, $2) ON CONFLICT (provider_id, id) DO UPDATE SET provider_id = $3',
    'SELECT id FROM location WHERE provider_id = $1 FOR UPDATE SKIP LOCKED',
    'SELECT pg_advisory_xact_lock(1) FROM location WHERE provider_id = $1',
    `SELECT nextval('s') FROM location WHERE provider_id = $1`,
    'SELECT 1 FROM location WHERE provider_id = $1; DELETE FROM location',
    'TRUNCATE location',
    'LISTEN records',
    'MERGE INTO location l USING record_version v ON l.provider_id = $1 WHEN MATCHED THEN DELETE',
  ])('the test refuses %s', async (sql) => {
    expect(await faultsOf(sql, tables)).not.toEqual([])
  })

  test.each([
    'SELECT detail FROM record_version WHERE provider_id = $1 AND record_id = $2',
    'SELECT 1 FROM location l JOIN record_version v ON v.provider_id = l.provider_id WHERE $1 = l.provider_id',
    'SELECT 1 FROM location l LEFT JOIN record_version v ON v.provider_id = l.provider_id WHERE l.provider_id = $1',
    'SELECT 1 FROM location l, record_version v WHERE l.provider_id = $1 AND v.provider_id = $1',
    'SELECT 1 FROM location WHERE provider_id = $1 AND EXISTS (SELECT 1 FROM location WHERE provider_id = $1)',
    'WITH a AS (SELECT id FROM location WHERE provider_id = $1) SELECT id FROM a JOIN unnest($2::uuid[]) AS u (x) ON a.id = u.x',
    'INSERT INTO location (provider_id, id) VALUES ($1, $2) ON CONFLICT (provider_id, id) DO NOTHING',
  ])('the test lets pass %s', async (sql) => {
    expect(await faultsOf(sql, tables)).toEqual([])
  })

  test('nothing is put into the text of a statement but a constant fragment of the same file', () => {
    const fragments = declarations.flatMap(({ file, text }) =>
      [...text.matchAll(/\$\{([^}]*)\}/g)].map(([, name = '']) => ({ file, name })),
    )
    /**
     * A literal of the file, of which parts may in turn be constant fragments; the
     * events of declared kinds; or a function of the store of a word in quotes.
     */
    const isConstant = ({ file, name }: { file: string; name: string }): boolean => {
      if (
        sharedFragments.includes(name) ||
        /^(?:awaitingInserted|purgesInserted|searchAwaited|amongProviders)\('\w+'\)$/.test(name)
      )
        return true
      const ofKinds =
        /(?:(?:onEvents|onDeliveries|onWalks|linesIn|lineCountIn)\(|\w+\((?:counted|shareable)\)$|(?:allEvents|counted|shareable|sentOn|events\.\w+)\.\w+$)/
      if (name === 'inDates' || new RegExp(`^const ${name} = ${ofKinds.source}`, 'm').test(textOf(file))) return true
      const [, literal] = new RegExp(`^const ${name} =\\s+(\`[^\`]*\`|'[^']*')$`, 'm').exec(textOf(file)) ?? []
      const parts = [...(literal ?? '').matchAll(/\$\{([^}]*)\}/g)].map(([, part = '']) => part)
      return literal !== undefined && parts.every((part) => /^\w+$/.test(part) && isConstant({ file, name: part }))
    }
    expect(fragments.length).toBeGreaterThan(0)
    expect(fragments.filter((fragment) => !isConstant(fragment))).toEqual([])
  })

  test('every parameter is declared: no name is in texts of statements alone', () => {
    const whole = storeFiles.map(textOf).join('\n')
    const undeclared = storeFiles.flatMap((file) => {
      const text = textOf(file)
      const names = Array.from(text.matchAll(/(?<![\w`}])\$([a-z]\w*)/gi), ([, name = '']) => name)
      const isDeclared = (name: string) =>
        new RegExp(`(?<![$\\w])${name}\\b`).test(text) || new RegExp(`(?<![$\\w])${name}\\??: `).test(whole)
      return [...new Set(names)].filter((name) => !isDeclared(name)).map((name) => `${file}: $${name}`)
    })
    expect(undeclared).toEqual([])
  })

  test('the store sends nothing but declared statements, migrations and the words around a transaction', () => {
    const calls = storeFiles.flatMap((file) =>
      [...textOf(file).matchAll(/\.query\b(?:<\w+>)?\((.*?)\)/g)].map(([, what]) => `${file}: ${what}`),
    )
    expect(calls.sort()).toEqual([
      'src/store/database/cluster-nodes.ts: query',
      `src/store/database/migrate.ts: 'BEGIN'`,
      `src/store/database/migrate.ts: 'COMMIT'`,
      `src/store/database/migrate.ts: 'ROLLBACK'`,
      'src/store/database/migrate.ts: { ...query, ...inItsTime }',
      'src/store/database/migrate.ts: { text: sql, ...inItsTime }',
      'src/store/database/monitored-database.ts: query',
      'src/store/database/monitored-database.ts: query',
      `src/store/database/server-check.ts: 'BEGIN'`,
      `src/store/database/server-check.ts: 'ROLLBACK'`,
      'src/store/database/server-pool.ts: ...(asked as unknown as [string]',
      'src/store/database/server-pool.ts: query',
      'src/store/database/server-pool.ts: query',
      'src/store/database/server-pool.ts: query',
      'src/store/database/statement.ts: { ...prepared, ...provider, text: numbered, values }',
      'src/store/database/watched-client.ts: ...(asked as unknown as [string]',
      'src/store/records/listing.ts: { text, values, provider: values[0] as string }',
      'src/store/records/search.ts: { text, values, provider }',
    ])
  })
})

describe('outside the store', () => {
  const others = filesUnder('src', /\.tsx?$/).filter((file) => !file.startsWith('src/store/'))
  const sqlForm =
    /['"`]\s*(?:(?:SELECT|INSERT|UPDATE|DELETE(?!'| \/)|WITH|BEGIN|COMMIT|ROLLBACK|TRUNCATE)\b|select\s[^'"`]*\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|with\s+\w+\s+as\s*\()/

  test('no string is SQL, and nothing is sent to a database', () => {
    expect(others.length).toBeGreaterThan(0)
    const offenders = others.filter((file) => sqlForm.test(textOf(file)) || /\.query\s*[<(]/.test(textOf(file)))
    expect(offenders).toEqual([])
  })

  test('the test refuses SQL in a string', () => {
    for (const text of [
      "'SELECT 1'",
      '`\n  WITH a AS (SELECT 1) SELECT 2`',
      "'delete from location'",
      "'BEGIN'",
      "'DELETE FROM a'",
    ])
      expect(text).toMatch(sqlForm)
    for (const text of [
      "'with the same filters'",
      "'select a record'",
      "'update it'",
      "'DELETE'",
      '`DELETE /keys/{id}`',
    ])
      expect(text).not.toMatch(sqlForm)
  })
})
