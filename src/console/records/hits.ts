// The hits of a search in words, with the page of each. Pure.
import type { SearchHit } from '../../client/generated/shapes.ts'
import { queryOf } from './filters.ts'
import { recordSections } from './record-sections.ts'

const headings: Readonly<Record<SearchHit['kind'], string>> = {
  lotCode: 'Lots',
  earlierLotCode: 'Lots before a correction',
  purchaseOrderNumber: 'Purchase orders',
  asnNumber: 'Ship notices (ASN)',
  eventId: 'Event ids',
  masterProduct: 'Master products',
  itemCode: 'Items received',
  location: 'Locations',
  dataProviderVendorId: 'Vendors',
  recordId: 'Records',
  payloadId: 'Payload ids',
}

/** The hits by kind, the kind with the best hit first. */
export function hitGroups(
  hits: readonly SearchHit[],
): readonly { readonly heading: string; readonly hits: readonly SearchHit[] }[] {
  const groups = new Map<string, SearchHit[]>()
  for (const hit of hits) groups.set(headings[hit.kind], [...(groups.get(headings[hit.kind]) ?? []), hit])
  return [...groups].map(([heading, hits]) => ({ heading, hits }))
}

interface Find {
  readonly title: string
  readonly kind: string
  readonly detail: string
  /** A path of the console. */
  readonly to: string
}

/** The hit as a choice of a list. */
export function findOf(hit: SearchHit): Find {
  const { kind, value, records, name, dataProviderVendorId, dateReceived, voided } = hit
  const section = recordSections.find((one) => one.kind.name === hit.record)
  const counted =
    records === 1
      ? [
          kind !== 'dataProviderVendorId' && dataProviderVendorId && `vendor ${dataProviderVendorId}`,
          dateReceived && `received ${dateReceived}`,
        ]
      : [
          `${records >= 100 ? '100 or more' : records.toLocaleString('en')} ${section?.kind.nouns ?? 'records'}`,
          dateReceived && `last received ${dateReceived}`,
        ]
  const words = kind === 'recordId' ? [section?.kind.noun, name, ...counted] : [name, ...counted]
  return {
    title: value,
    kind: headings[kind],
    detail: [voided && 'voided', ...words].filter(Boolean).join(' · '),
    to: pathOf(hit, section?.path ?? '/'),
  }
}

function pathOf({ kind, value, records, id }: SearchHit, section: string): string {
  const record = `${section}/${id}`
  switch (kind) {
    case 'lotCode':
      return `/trace${queryOf({ lotCode: value })}`
    case 'earlierLotCode':
      return `${record}/versions`
    case 'itemCode':
    case 'dataProviderVendorId':
    case 'purchaseOrderNumber':
    case 'asnNumber':
      return records === 1 ? record : `/events${queryOf({ [kind]: value })}`
    case 'masterProduct':
      return records === 1 ? record : `/products${queryOf({ itemCode: value })}`
    case 'location':
      return records === 1 ? record : `/locations${queryOf({ locationCode: value })}`
    default:
      return record
  }
}
