// What a search finds by a part of it: blocks of records, each with the texts of its records and
// the grams of these. A write puts its records into awaiting_search; blocks are written later
// (decision 0064).
import { amongProviders, type Queryable, statement } from '../database/statement.ts'

/** Most records in one row of awaiting_search. */
const awaitingRecordsMax = 1_000

/** A query that puts records from a query with `id` into awaiting_search. */
export const searchAwaited = (from: string): string => `INSERT INTO awaiting_search (provider_id, since, id, record_ids)
  SELECT $1, clock_timestamp(), gen_random_uuid(), array_agg(w.id)
  FROM (SELECT id, row_number() OVER () - 1 AS n FROM ${from}) w
  GROUP BY w.n / ${awaitingRecordsMax}`

const waiting = statement.ofAll<{ provider: string }>(
  'providersToIndex',
  `SELECT DISTINCT a.provider_id AS provider FROM awaiting_search a WHERE ${amongProviders('a')}`,
)

/** Providers with records that wait. */
export const providersToIndex = async (db: Queryable): Promise<string[]> =>
  (await waiting(db)).map(({ provider }) => provider)

/** Some records that wait together, and for how long, in seconds. */
export interface AwaitingBatch {
  readonly id: string
  readonly recordIds: readonly string[]
  readonly seconds: number
}

/** Those that wait longest: up to `limit`, and up to `recordsMax` records but for a single one. */
export const awaitingBatches = statement<AwaitingBatch, { provider: string; limit: number; recordsMax: number }>(
  'awaitingBatches',
  `SELECT b.id, b.record_ids AS "recordIds", b.seconds
   FROM (
     SELECT a.id, a.since, a.record_ids, extract(epoch FROM now() - a.since)::float8 AS seconds,
            sum(cardinality(a.record_ids)) OVER (ORDER BY a.since, a.id) AS so_far
     FROM awaiting_search a
     WHERE a.provider_id = $provider
     ORDER BY a.since, a.id
     LIMIT $limit
   ) b
   WHERE b.so_far <= $recordsMax OR b.so_far = cardinality(b.record_ids)
   ORDER BY b.since, b.id`,
  { planned: 'each time' },
)

/** Records that wait, those that were stored last first; one may come several times. */
export const awaitingRecords = statement<{ id: string }, { provider: string; limit: number }>(
  'awaitingRecords',
  `SELECT w.id
   FROM awaiting_search a CROSS JOIN LATERAL unnest(a.record_ids) AS w (id)
   WHERE a.provider_id = $provider
   ORDER BY a.since DESC, a.id DESC
   LIMIT $limit`,
  { planned: 'each time' },
)

/** Events and master data are in blocks of their own: of places and products there are few. */
export type BlockKind = 'event' | 'masterData'

/** Records whose ids follow each other, and their texts: one line for each, `SearchText`. */
export interface SearchBlock {
  readonly kind: BlockKind
  /** It has the records from this id on, up to that of the next block. */
  readonly firstId: string
  readonly ids: readonly string[]
  readonly texts: string
}

/** Blocks that have these records, or would have them. */
export const blocksOf = statement<
  SearchBlock,
  { provider: string; wanted: readonly { kind: BlockKind; id: string }[] }
>(
  'searchBlocksOf',
  `SELECT b.kind, b.first_id AS "firstId", b.ids, b.texts
   FROM (
     SELECT DISTINCT n.kind, n.first_id
     FROM $wanted
     CROSS JOIN LATERAL (
       SELECT o.kind, o.first_id FROM search_block o
       WHERE o.provider_id = $provider AND o.kind = wanted.kind AND o.first_id <= wanted.id
       ORDER BY o.first_id DESC
       LIMIT 1
     ) n
   ) named
   CROSS JOIN LATERAL (
     SELECT o.kind, o.first_id, o.ids, o.texts FROM search_block o
     WHERE o.provider_id = $provider AND o.kind = named.kind AND o.first_id = named.first_id
     LIMIT 1
   ) b`,
  { rows: { wanted: { kind: 'text', id: 'uuid' } }, planned: 'each time' },
)

/** Of ids or numbers, as PostgreSQL reads an array. */
const arrayText = (values: readonly (string | number)[]): string => `{${values.join(',')}}`

/** A block to store, with the grams of its texts. */
interface NewBlock extends SearchBlock {
  readonly grams: readonly number[]
}

const store = statement.any<{
  provider: string
  batches: readonly string[]
  blocks: readonly NewBlock[]
  emptied: readonly Pick<SearchBlock, 'kind' | 'firstId'>[]
}>(
  'storeSearchBlocks',
  `WITH held AS MATERIALIZED (
  SELECT a.id FROM awaiting_search a
  WHERE a.provider_id = $provider AND a.id = ANY ($batches::uuid[])
  ORDER BY a.since, a.id
  FOR UPDATE
), whole AS MATERIALIZED (
  SELECT true AS is_whole WHERE (SELECT count(*) FROM held) = cardinality($batches::uuid[])
), done AS (
  DELETE FROM awaiting_search a USING whole WHERE a.provider_id = $provider AND a.id = ANY ($batches::uuid[])
), removed AS (
  DELETE FROM search_block b USING $emptied, whole
  WHERE b.provider_id = $provider AND b.kind = emptied.kind AND b.first_id = emptied.first_id
), stored AS (
  INSERT INTO search_block (provider_id, kind, first_id, ids, texts, grams)
  SELECT $provider, blocks.kind, blocks.first_id, blocks.ids::uuid[], blocks.texts, blocks.grams::integer[]
  FROM $blocks CROSS JOIN whole
  ON CONFLICT (provider_id, kind, first_id) DO UPDATE SET ids = excluded.ids, texts = excluded.texts, grams = excluded.grams
)
SELECT is_whole FROM whole`,
  {
    rows: {
      blocks: {
        kind: 'text',
        first_id: ['uuid', ({ firstId }) => firstId],
        ids: ['text', ({ ids }) => arrayText(ids)],
        texts: 'text',
        grams: ['text', ({ grams }) => arrayText(grams)],
      },
      emptied: { kind: 'text', first_id: ['uuid', ({ firstId }) => firstId] },
    },
    planned: 'each time',
  },
)

/**
 * Stores the blocks of all records of these batches, which then wait no longer. False when another
 * process did, and nothing was stored: each takes those that wait longest, so that two have some
 * of them in common.
 */
export const storeSearchBlocks = store

/** Text that has all these parts, by the grams that it has. */
interface WantedText {
  readonly kind: BlockKind
  readonly parts: readonly string[]
  readonly grams: readonly number[]
}

/**
 * The newest blocks, up to `limit` for each text, in which it may be. Ids come first, and of these
 * blocks as many texts are read as it takes: a block is out of its row, and takes longer than it.
 */
export const findSearchBlocks = statement<
  SearchBlock & { readonly n: number },
  { provider: string; wanted: readonly WantedText[]; limit: number }
>(
  'findSearchBlocks',
  `SELECT f.n, f.kind, f.first_id AS "firstId", f.ids, f.texts
   FROM $wanted
   CROSS JOIN LATERAL (
     SELECT wanted.n, b.kind, b.first_id, b.ids, b.texts
     FROM (
       SELECT g.kind, g.first_id
       FROM search_block g
       WHERE g.provider_id = $provider AND g.kind = wanted.kind AND g.grams @> wanted.grams::integer[]
       ORDER BY g.first_id DESC
       OFFSET 0
     ) c
     CROSS JOIN LATERAL (
       SELECT o.kind, o.first_id, o.ids, o.texts FROM search_block o
       WHERE o.provider_id = $provider AND o.kind = c.kind AND o.first_id = c.first_id
       LIMIT 1
     ) b
     WHERE (SELECT bool_and(strpos(b.texts, p.part) > 0) FROM jsonb_array_elements_text(wanted.parts) AS p (part))
     LIMIT $limit
   ) f`,
  {
    rows: {
      wanted: {
        n: ['integer', (_, place) => place],
        kind: 'text',
        parts: ['jsonb', ({ parts }) => JSON.stringify(parts)],
        grams: ['text', ({ grams }) => arrayText(grams)],
      },
    },
    planned: 'each time',
  },
)
