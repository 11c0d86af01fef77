// The SQL of the store, for the tests of it: migrations as files, every statement, declared, and
// the texts that searches and listings are put together to.
import { listings } from '../../src/store/records/listing.ts'
import { searches } from '../../src/store/records/search.ts'
import { isShortRun } from '../support/runs.ts'
import { readMigrations } from './sql-checker.ts'
import { filesUnder, placeOf, textOf as readText } from './tree.ts'

/**
 * Statements of a provider that are also about the accounts of its partners, which are in its shard
 * and have ids of their own. Citus does not know that; they are never sent by way of it.
 */
export const statementsOfAccounts: readonly string[] = [
  'listPartners',
  'createPartner',
  'replacePartner',
  'deletePartner',
  'invitePartner',
  'revokePartnerKey',
  'partnersToCopyFor',
  'openSharedAccount',
]

export const migrationFiles = filesUnder('src/store/migrations', /\.sql$/)
export const migrations = await readMigrations(migrationFiles.map(readText).join('\n'))
/** Tables and partitions. */
export const tables = new Set([...migrations.tables, ...migrations.partitions.keys(), 'schema_migration'])

export const storeFiles = filesUnder('src/store', /\.ts$/)
for (const file of storeFiles) await import(placeOf(file))

/** The texts of each search with each two of its conditions, or with each one and its neighbour. */
export function* searchTexts({ isShort = isShortRun } = {}): Generator<string> {
  for (const { conditions, several, textOf } of searches.values()) {
    const all = [...conditions, ...several]
    // They stand in the text in the order in which they are declared.
    for (const [n, one] of all.entries())
      for (const other of all.slice(n, isShort ? n + 2 : undefined))
        for (const isBelow of [false, true]) {
          const { boundedScan, fullScan } = textOf([one, other], { isBelow })
          yield boundedScan
          if (fullScan !== undefined) yield fullScan
        }
  }
}

/** The texts of each listing with each of its conditions, orders and columns. */
export function* listingTexts(): Generator<string> {
  for (const { conditions, several, orders, values, sortedTexts, countText, valuesText } of listings.values())
    for (const [n, one] of [...conditions, ...several].entries()) {
      const used = [one, conditions[(n + 1) % conditions.length] ?? one]
      yield countText(used)
      for (const of of values) yield valuesText(used, { of, named: true })
      for (const by of orders) yield* sortedTexts(used, { by, ascending: true, isBehind: true })
    }
}
