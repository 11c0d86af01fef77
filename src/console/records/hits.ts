// The hits of a search in words, with the page of each. Pure.

import type { SearchHit } from '../../client/generated/shapes.ts'
import { eventKinds, isEventKind } from '../../contract/record-kinds.ts'
import { queryOf } from './filters.ts'
import { recordSections } from './record-sections.ts'

const headings: Readonly<Record<SearchHit['kind'], string>> = {
  lotCode: 'Lots',
  earlierLotCode: 'Lots before a correction',
  purchaseOrderNumber: 'Purchase orders',
  asnNumber: 'Ship notices (ASN)',
  billOfLadingNumber: 'Bills of lading',
  referenceDocumentNumber: 'Reference documents',
  palletId: 'Pallets (SSCC)',
  eventId: 'Event ids',
  masterProduct: 'Master products',
  itemCode: 'Items',
  caseGtin: 'Items by GTIN',
  location: 'Locations',
  dataProviderVendorId: 'Vendors',
  recordId: 'Records',
  payloadId: 'Payload ids',
}

/**
 * The hits by kind, the kind with the best hit first. A lot that was received and shipped is one,
 * since its trace has both.
 */
export function hitGroups(
  hits: readonly SearchHit[],
): readonly { readonly heading: string; readonly finds: readonly Find[] }[] {
  const groups = new Map<string, Map<string, Find>>()
  for (const hit of hits) {
    const find = findOf(hit)
    const finds = groups.get(find.kind) ?? new Map<string, Find>()
    const same = finds.get(find.title + find.to)
    finds.set(find.title + find.to, same === undefined ? find : { ...same, detail: `${same.detail} · ${dateOf(hit)}` })
    groups.set(find.kind, finds)
  }
  return [...groups].map(([heading, finds]) => ({ heading, finds: [...finds.values()] }))
}

interface Find {
  readonly title: string
  readonly kind: string
  readonly detail: string
  /** A path of the console. */
  readonly to: string
}

const dateOf = ({ record, eventDate }: SearchHit): string =>
  `${isEventKind(record) ? eventKinds[record].happened : ''} ${eventDate}`.trim()

/** The hit as a choice of a list. */
function findOf(hit: SearchHit): Find {
  const { kind, value, records, record, name, dataProviderVendorId, eventDate, voided } = hit
  const section = recordSections.find((one) => one.kind.name === record)
  const counted =
    records === 1
      ? [
          kind !== 'dataProviderVendorId' && dataProviderVendorId && `vendor ${dataProviderVendorId}`,
          eventDate && dateOf(hit),
        ]
      : [
          `${records >= 100 ? '100 or more' : records.toLocaleString('en')} ${section?.kind.nouns ?? 'records'}`,
          eventDate && `last ${dateOf(hit)}`,
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
    case 'billOfLadingNumber':
      return records === 1 ? record : section + queryOf({ [kind]: value })
    case 'masterProduct':
      return records === 1 ? record : `/products${queryOf({ itemCode: value })}`
    case 'location':
      return records === 1 ? record : `/locations${queryOf({ locationCode: value })}`
    default:
      return record
  }
}
