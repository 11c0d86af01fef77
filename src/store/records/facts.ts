// The facts that the rules of payloads ask for, for several payloads in one statement. Most
// payloads ask for none.
import type { NewExemptPlace } from '../../contract/exempt-place.ts'
import type { Location } from '../../contract/location.ts'
import type { MasterProduct } from '../../contract/product.ts'
import type { RecordKindName } from '../../contract/record-kinds.ts'
import type { Loose } from '../../contract/shape/read-shape.ts'
import { type Queryable, statement } from '../database/statement.ts'

/** A vendor and one of its codes. */
interface VendorCode {
  readonly vendor: string
  readonly code: string
}

/**
 * An identifier that §2 calls unique, and its holder: another vendor and code with another number
 * is another thing.
 */
interface UniqueIdentifier extends VendorCode {
  readonly field: 'eventId' | 'alternateItemCode' | 'alternateLocationCode'
  readonly value: string
  /** GTIN of the product, GLN of the location. */
  readonly number: string | undefined
}

/** The questions of one payload. */
export interface FactsRequest {
  readonly identifiers: readonly UniqueIdentifier[]
  readonly kind: RecordKindName
  readonly locations: readonly VendorCode[]
  readonly items: readonly VendorCode[]
  /** GLNs and DUNS numbers of locations of a vendor. */
  readonly numbers?: readonly VendorCode[] | undefined
  /** Keys of exempt places. */
  readonly exemptPlaces?: readonly string[] | undefined
  readonly payloadId: string | undefined
  /**
   * The record being replaced, if one is: a product is not its own double, and a payload id that
   * only that record has used comes with the content it stood for, because a retry of a stored
   * payload is no second use.
   */
  readonly replacedRecordId: string | undefined
}

export interface StoredFacts {
  /**
   * Of the identifiers that were asked, those that another record holds, and the oldest such
   * record.
   */
  readonly holders: readonly (Pick<UniqueIdentifier, 'field' | 'value' | 'code'> & { readonly id: string })[]
  /** Those with the codes and those with the numbers that were asked. */
  readonly locations: readonly (VendorCode & { readonly content: Loose<Location> })[]
  /** Of several master products with one code, the oldest. */
  readonly items: readonly (VendorCode & { readonly id: string; readonly content: Loose<MasterProduct> })[]
  /** Of the keys that were asked, those that the provider has declared. */
  readonly exemptPlaces: readonly { readonly key: string; readonly place: NewExemptPlace }[]
  /**
   * The record that used the payload id, another one first; and its content, when it is the record
   * being replaced.
   */
  readonly payloadId: { readonly usedBy: string; readonly replacedContent: unknown } | undefined
  /**
   * Number of the last recount when master data were looked up (decision 0052); undefined when none
   * were wanted.
   */
  readonly recount: number | undefined
}

interface FactRow {
  readonly fact: 'location' | 'item' | 'payload' | 'number' | 'exempt' | 'recount'
  readonly n: number
  readonly vendor: string
  readonly code: string
  readonly id: string
  readonly content: object | null
}

/** The column of the place of a row in its set. */
const placeOf = ['integer', (_: unknown, place: number) => place] as const

/** A master product; `own` is the record being replaced. */
interface WantedItem extends VendorCode {
  readonly own: string | null
}

/** The payload id of the `n`-th payload. */
interface WantedPayload {
  readonly n: number
  readonly payloadId: string
  readonly kind: RecordKindName
  readonly own: string | null
}

interface Wanted {
  readonly provider: string
  readonly locations: readonly VendorCode[]
  readonly items: readonly WantedItem[]
  readonly payloads: readonly WantedPayload[]
  readonly numbers: readonly VendorCode[]
  readonly exemptPlaces: readonly string[]
}

// Planned at each execution, it takes 350 µs of PostgreSQL's processor time instead of 90. Of many
// locations with one number, the first by code are read, here and in masterDataThen.
const facts = statement<FactRow, Wanted>(
  'facts',
  `SELECT 'location' AS fact, locations.n, locations.vendor, locations.code, l.id, l.content
   FROM location l, $locations
   WHERE l.provider_id = $provider AND l."dataProviderVendorId" = locations.vendor AND l."locationCode" = locations.code
   UNION ALL
   SELECT 'item', items.n, items.vendor, items.code, p.id, v.body::jsonb -> 'productMasterDataList'
   FROM $items
   CROSS JOIN LATERAL (
     SELECT id FROM master_product
     WHERE provider_id = $provider AND "dataProviderVendorId" = items.vendor AND "itemCode" = items.code AND id IS DISTINCT FROM items.own
     ORDER BY id
     LIMIT 1
   ) p
   CROSS JOIN LATERAL (
     SELECT detail[1] AS body FROM record_version
     WHERE provider_id = $provider AND record_id = p.id AND version = (SELECT version FROM record WHERE provider_id = $provider AND id = p.id)
     LIMIT 1
   ) v
   UNION ALL
   SELECT 'payload', payloads.n, '', '', v.record_id, v.content
   FROM $payloads
   CROSS JOIN LATERAL (
     SELECT record_id, CASE WHEN record_id = payloads.own THEN detail[1]::jsonb END AS content
     FROM record_version
     WHERE provider_id = $provider AND payload_id = payloads.payload_id AND kind = payloads.kind
     ORDER BY record_id IS NOT DISTINCT FROM payloads.own, version DESC
     LIMIT 1
   ) v
   UNION ALL
   SELECT 'number', numbers.n, numbers.vendor, l.code, l.id, l.content
   FROM $numbers
   CROSS JOIN LATERAL (
     (SELECT g."locationCode" AS code, g.id, g.content
      FROM location g
      WHERE g.provider_id = $provider AND g."dataProviderVendorId" = numbers.vendor AND (g.content ->> 'gln') = numbers.code
      ORDER BY g."locationCode"
      LIMIT 20)
     UNION ALL
     (SELECT d."locationCode", d.id, d.content
      FROM location d
      WHERE d.provider_id = $provider AND d."dataProviderVendorId" = numbers.vendor AND (d.content ->> 'duns') = numbers.code
      ORDER BY d."locationCode"
      LIMIT 20)
   ) l
   UNION ALL
   SELECT 'exempt', 0, '', s.key, s.provider_id, s.value::jsonb
   FROM declared_setting s
   WHERE s.provider_id = $provider AND s.kind = 'exemptPlace' AND s.key = ANY ($exemptPlaces::text[])
   UNION ALL
   SELECT 'recount', c.number, '', '', c.provider_id, NULL FROM recount c WHERE c.provider_id = $provider`,
  {
    rows: {
      locations: { n: placeOf, vendor: 'text', code: 'text' },
      items: { n: placeOf, vendor: 'text', code: 'text', own: 'uuid' },
      payloads: { n: 'integer', payload_id: ['text', ({ payloadId }) => payloadId], kind: 'text', own: 'uuid' },
      numbers: { n: placeOf, vendor: 'text', code: 'text' },
    },
    planned: 'once',
  },
)

interface HolderRow extends Pick<UniqueIdentifier, 'field' | 'value' | 'code'> {
  readonly n: number
  readonly id: string
}

/** An identifier of the `n`-th payload. */
interface WantedIdentifier extends UniqueIdentifier {
  readonly n: number
  readonly own: string | null
  readonly kind: RecordKindName
}

// Asked apart from the other facts, at the same time: hardly a payload has such an identifier.
const holders = statement<HolderRow, { provider: string; identifiers: readonly WantedIdentifier[] }>(
  'identifierHolders',
  `WITH wanted AS (
     SELECT * FROM $identifiers
   )
   SELECT w.n, w.field, w.value, w.code, h.id
   FROM wanted w
   CROSS JOIN LATERAL (
     SELECT c.id FROM event_code c
     WHERE c.provider_id = $provider AND c.kind = w.kind AND c.field = 'eventId' AND c.code = w.value AND c.id IS DISTINCT FROM w.own
     ORDER BY c.id
     LIMIT 1
   ) h
   WHERE w.field = 'eventId'
   UNION ALL
   SELECT w.n, w.field, w.value, w.code, h.id
   FROM wanted w
   CROSS JOIN LATERAL (
     SELECT p.id
     FROM master_product p
     WHERE p.provider_id = $provider AND p."alternateItemCode" = w.value AND p.id IS DISTINCT FROM w.own
       AND (p."dataProviderVendorId", p."itemCode") IS DISTINCT FROM (w.vendor, w.code)
       AND (w.number IS NULL OR p.gtin IS DISTINCT FROM w.number)
     ORDER BY p.id
     LIMIT 1
   ) h
   WHERE w.field = 'alternateItemCode'
   UNION ALL
   SELECT w.n, w.field, w.value, w.code, h.id
   FROM wanted w
   CROSS JOIN LATERAL (
     SELECT l.id FROM location l
     WHERE l.provider_id = $provider AND l."alternateLocationCode" = w.value AND l.id IS DISTINCT FROM w.own
       AND l."locationCode" <> w.code
       AND (w.number IS NULL OR (l.content ->> 'gln') IS DISTINCT FROM w.number)
     ORDER BY l.id
     LIMIT 1
   ) h
   WHERE w.field = 'alternateLocationCode'`,
  {
    rows: {
      identifiers: {
        n: 'integer',
        field: 'text',
        value: 'text',
        vendor: 'text',
        code: 'text',
        number: 'text',
        own: 'uuid',
        kind: 'text',
      },
    },
    planned: 'once',
  },
)

/** True when a payload asks for nothing, and the store need not be asked. */
export const asksNothing = ({
  locations,
  items,
  numbers,
  exemptPlaces,
  payloadId,
  identifiers,
}: FactsRequest): boolean =>
  locations.length === 0 &&
  items.length === 0 &&
  numbers === undefined &&
  exemptPlaces === undefined &&
  payloadId === undefined &&
  identifiers.length === 0

export const noStoredFacts: StoredFacts = {
  locations: [],
  items: [],
  exemptPlaces: [],
  payloadId: undefined,
  holders: [],
  recount: undefined,
}

/**
 * The records that hold the identifiers of several payloads; nothing is asked when there are none.
 */
async function findHolders(
  db: Queryable,
  provider: string,
  requests: readonly FactsRequest[],
): Promise<readonly HolderRow[]> {
  const identifiers = requests.flatMap((request, n) =>
    request.identifiers.map((one) => ({ ...one, n, own: request.replacedRecordId ?? null, kind: request.kind })),
  )
  return identifiers.length === 0 ? [] : holders(db, { provider, identifiers })
}

/** The questions of several payloads, each once, numbered in their first order. */
class Distinct<One> {
  readonly asked: One[] = []
  readonly #numbers = new Map<string, number>()

  numberOf(one: One, ...key: readonly (string | null)[]): number {
    const name = key.join('\u0000')
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#numbers.set(name, this.asked.length)
    return this.asked.push(one) - 1
  }
}

/**
 * Reads the facts for several payloads; answers in their order. Events of one provider mostly name
 * the same places and items: each is read once, and its content is shared.
 */
export async function findFactsOfMany(
  db: Queryable,
  provider: string,
  requests: readonly FactsRequest[],
): Promise<StoredFacts[]> {
  const locations = new Distinct<VendorCode>()
  const items = new Distinct<WantedItem>()
  const numbers = new Distinct<VendorCode>()
  const wanted = requests.map((request) => {
    // Only a master product could be found as its own double.
    const own = request.kind === 'masterProduct' ? (request.replacedRecordId ?? null) : null
    return {
      locations: request.locations.map((one) => locations.numberOf(one, one.vendor, one.code)),
      items: request.items.map((one) => items.numberOf({ ...one, own }, one.vendor, one.code, own)),
      numbers: (request.numbers ?? []).map((one) => numbers.numberOf(one, one.vendor, one.code)),
    }
  })
  const payloads = requests.flatMap(({ payloadId, kind, replacedRecordId }, n) =>
    payloadId === undefined ? [] : [{ n, payloadId, kind, own: replacedRecordId ?? null }],
  )
  const exemptPlaces = [...new Set(requests.flatMap((request) => request.exemptPlaces ?? []))]
  const asked = { locations: locations.asked, items: items.asked, numbers: numbers.asked, exemptPlaces }
  const [rows, held] = await Promise.all([
    facts(db, { ...asked, payloads, provider }),
    findHolders(db, provider, requests),
  ])
  const withNumber = rows.filter(({ fact }) => fact === 'number')
  const found = {
    location: new Map<number, FactRow>(),
    item: new Map<number, FactRow>(),
    payload: new Map<number, FactRow>(),
  }
  for (const row of rows)
    if (row.fact === 'location' || row.fact === 'item' || row.fact === 'payload') found[row.fact].set(row.n, row)
  const exempt = rows.filter(({ fact }) => fact === 'exempt')
  const recount = rows.find(({ fact }) => fact === 'recount')?.n
  return wanted.map((one, i) => {
    const used = found.payload.get(i)
    return {
      locations: [
        ...one.locations.flatMap((n) => {
          const row = found.location.get(n)
          return row === undefined ? [] : [foundLocation(row)]
        }),
        ...withNumber.filter(({ n }) => one.numbers.includes(n)).map(foundLocation),
      ],
      items: one.items.flatMap((n) => {
        const { vendor, code, id, content } = found.item.get(n) ?? notFound
        return content === null ? [] : [{ vendor, code, id, content: content as Loose<MasterProduct> }]
      }),
      exemptPlaces: exempt
        .filter(({ code }) => requests[i]?.exemptPlaces?.includes(code))
        .map(({ code, content }) => ({ key: code, place: content as NewExemptPlace })),
      payloadId: used && { usedBy: used.id, replacedContent: used.content ?? undefined },
      recount:
        one.locations.length + one.items.length + one.numbers.length > 0 || requests[i]?.exemptPlaces !== undefined
          ? recount
          : undefined,
      holders: held.filter(({ n }) => n === i),
    }
  })
}

const foundLocation = ({ vendor, code, content }: FactRow) => ({ vendor, code, content: content as Loose<Location> })

const notFound: Pick<FactRow, 'vendor' | 'code' | 'id' | 'content'> = { vendor: '', code: '', id: '', content: null }
