// The facts that the rules of one payload ask for, in one statement. Most payloads ask for none.
import type { Location } from '../contract/location.ts'
import type { Loose } from '../contract/read-shape.ts'
import type { RecordKindName } from '../contract/record-kinds.ts'
import { type Queryable, statement } from './statement.ts'

/** A vendor and a code of its. */
interface VendorCode {
  readonly vendor: string
  readonly code: string
}

export interface StoredFacts {
  readonly locations: readonly (VendorCode & { readonly content: Loose<Location> })[]
  /** Of several master products with one code, the oldest. */
  readonly items: readonly (VendorCode & { readonly id: string })[]
  /** The record that used the payload id, another one first; and its content, when it is the record being replaced. */
  readonly payloadId: { readonly usedBy: string; readonly ownContent: unknown } | undefined
}

const facts = statement<{ fact: string; vendor: string; code: string; id: string; content: Loose<Location> | null }>(
  'facts',
  `SELECT 'location' AS fact, w.vendor, w.code, l.id, l.content
   FROM location l, unnest($2::text[], $3::text[]) AS w (vendor, code)
   WHERE l.provider_id = $1 AND l."dataProviderVendorId" = w.vendor AND l."locationCode" = w.code
   UNION ALL
   SELECT 'item', w.vendor, w.code, p.id, NULL
   FROM unnest($4::text[], $5::text[]) AS w (vendor, code)
   CROSS JOIN LATERAL (
     SELECT id FROM master_product
     WHERE provider_id = $1 AND "dataProviderVendorId" = w.vendor AND "itemCode" = w.code AND id IS DISTINCT FROM $8::uuid
     ORDER BY id
     LIMIT 1
   ) p
   UNION ALL
   (SELECT 'payload', '', '', record_id, CASE WHEN record_id = $8::uuid THEN body::jsonb END
    FROM record_version
    WHERE provider_id = $1 AND payload_id = $6 AND kind = $7
    ORDER BY record_id IS NOT DISTINCT FROM $8::uuid, version DESC
    LIMIT 1)`,
)

/**
 * Looks up what is wanted. `own` is the record being replaced, if one is: a product is not its own double, and a payload id
 * that only that record has used comes with the content it stood for, because a retry of a stored payload is no second use.
 */
export async function findFacts(
  db: Queryable,
  provider: string,
  kind: RecordKindName,
  wanted: {
    readonly locations: readonly VendorCode[]
    readonly items: readonly VendorCode[]
    readonly payloadId: string | undefined
  },
  own: string | undefined,
): Promise<StoredFacts> {
  if (wanted.locations.length === 0 && wanted.items.length === 0 && wanted.payloadId === undefined)
    return { locations: [], items: [], payloadId: undefined }
  const rows = await facts(db, [
    provider,
    wanted.locations.map(({ vendor }) => vendor),
    wanted.locations.map(({ code }) => code),
    wanted.items.map(({ vendor }) => vendor),
    wanted.items.map(({ code }) => code),
    wanted.payloadId ?? null,
    kind,
    own ?? null,
  ])
  const used = rows.find(({ fact }) => fact === 'payload')
  return {
    locations: rows.flatMap(({ fact, vendor, code, content }) =>
      fact === 'location' && content !== null ? [{ vendor, code, content }] : [],
    ),
    items: rows.filter(({ fact }) => fact === 'item'),
    payloadId: used && { usedBy: used.id, ownContent: used.content ?? undefined },
  }
}
