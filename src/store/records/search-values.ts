// Compares the values by which records are found with those that their current versions have
// (decision 0075). A record that was replaced meanwhile is left out.
import { ofEventKinds, type RecordKindName } from '../../contract/record-kinds.ts'
import { columnsOfPart, type Queryable, type RowColumns, statement } from '../database/statement.ts'
import type { VersionName } from '../evidence/damaged-record.ts'
import { writtenEvents } from './events.ts'
import { locations } from './locations.ts'
import { masterProducts } from './master-products.ts'
import type { WrittenKind } from './record-writer.ts'
import type { Found } from './records.ts'

/** A current version, and the search values that it has. */
interface ExpectedSearch<Search> extends Found<Search>, VersionName {}

/** A record whose search values are others: names of columns, or `codes` for rows of codes. */
export interface OtherSearch extends VersionName {
  readonly differing: readonly string[]
}

export type Compare<Search> = (
  db: Queryable,
  provider: string,
  expected: readonly ExpectedSearch<Search>[],
) => Promise<OtherSearch[]>

function comparisonOf<Search>({ rows }: WrittenKind<Search>): Compare<Search> {
  const { plural, table, stored, codes: codeTable, columns, compared } = rows
  const ofStored = Object.fromEntries(stored.map(([, name]) => [name, columns[name] as RowColumns<Search>[string]]))
  const sent: RowColumns<ExpectedSearch<Search>> = {
    id: 'uuid',
    version: 'integer',
    compared: ['text', ({ search }) => compared?.(search)],
    ...columnsOfPart(ofStored, ({ search }: ExpectedSearch<Search>) => search),
  }
  const { codes: ofCodes } = rows.sets
  const run = statement<OtherSearch, { provider: string; asked: readonly ExpectedSearch<Search>[] }>(
    `compareSearchOf${plural}`,
    `WITH asked AS MATERIALIZED (
  SELECT * FROM $asked
), other_codes AS (
  ${
    ofCodes === undefined
      ? 'SELECT a.id FROM asked a WHERE false'
      : `SELECT d.id FROM (
    (SELECT codes.id, codes.field, codes.code, codes.unfolded FROM $codes
     EXCEPT
     SELECT c.id, c.field, c.code, c.unfolded FROM ${codeTable} c WHERE c.provider_id = $provider AND c.id = ANY (ARRAY(SELECT id FROM asked)))
    UNION ALL
    (SELECT c.id, c.field, c.code, c.unfolded FROM ${codeTable} c WHERE c.provider_id = $provider AND c.id = ANY (ARRAY(SELECT id FROM asked))
     EXCEPT
     SELECT codes.id, codes.field, codes.code, codes.unfolded FROM $codes)
  ) d`
  }
), found AS (
  SELECT a.id, a.version, array_remove(ARRAY[
    ${stored.map(([column, name]) => `CASE WHEN e.${column} IS DISTINCT FROM a.${name} THEN '${column.replaceAll('"', '')}' END`).join(',\n    ')},
    CASE WHEN r.compared IS DISTINCT FROM a.compared THEN 'compared' END,
    CASE WHEN a.id IN (SELECT id FROM other_codes) THEN 'codes' END
  ], NULL) AS differing
  FROM asked a
  CROSS JOIN LATERAL (
    SELECT r.compared FROM record r WHERE r.provider_id = $provider AND r.id = a.id AND r.version = a.version LIMIT 1
  ) r
  CROSS JOIN LATERAL (SELECT * FROM ${table} e WHERE e.provider_id = $provider AND e.id = a.id LIMIT 1) e
)
SELECT id, version, differing FROM found WHERE cardinality(differing) > 0 ORDER BY id`,
    { rows: { asked: sent, ...(ofCodes && { codes: ofCodes }) } },
  )
  return (db, provider, expected) => run(db, { ...rows.rowsOf(expected), provider, asked: expected })
}

/** Compares current versions of records of one kind. */
export const compareSearch = {
  ...ofEventKinds((kind) => comparisonOf(writtenEvents[kind])),
  masterProduct: comparisonOf(masterProducts),
  location: comparisonOf(locations),
}

/** Up to `limit` search rows of records that are not there, or are voided. */
export const searchRowsWithoutRecord = statement<
  { id: string; kind: RecordKindName },
  { provider: string; limit: number }
>(
  'searchRowsWithoutRecord',
  `SELECT f.id, f.kind
   FROM (
     SELECT e.id, e.kind FROM event e WHERE e.provider_id = $provider
     UNION ALL
     SELECT e.id, 'masterProduct' FROM master_product e WHERE e.provider_id = $provider
     UNION ALL
     SELECT e.id, 'location' FROM location e WHERE e.provider_id = $provider
   ) f
   WHERE (
     SELECT true FROM record r WHERE r.provider_id = $provider AND r.id = f.id AND r.kind = f.kind AND r.content_hash <> '' LIMIT 1
   ) IS NULL
   ORDER BY f.id
   LIMIT $limit`,
)

/** Whether an account has copies, which are found by values of their originals. */
export const isPartnerAccount = statement.any<{ provider: string }>(
  'isPartnerAccount',
  `SELECT true FROM partner_account WHERE provider_id = $provider`,
)
