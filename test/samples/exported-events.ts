// A stored event as exports see it, made from the canonical payload.

import type { ReceivingEventPayload } from '../../src/contract/payloads.ts'
import type { Finding } from '../../src/contract/shape/finding.ts'
import type { ExportedEvent } from '../../src/exports/exported-event.ts'
import type { Json } from './declared-shapes.ts'
import { samplePayload } from './payloads.ts'

/** The canonical event after `edit`, without master data besides its own lists. */
export function sampleExport(
  edit: (payload: Json) => void = () => undefined,
  gaps: readonly Finding[] = [],
): ExportedEvent {
  const changed = samplePayload('receivingEvent')
  edit(changed)
  const payload = changed as unknown as ReceivingEventPayload
  return {
    kind: 'receivingEvent',
    id: '01890000-0000-7000-8000-000000000001',
    version: 1,
    payload,
    locations: new Map(payload.locationMasterList.map((location) => [location.locationCode, location])),
    products: new Map(payload.productMasterDataList.map((product) => [product.itemCode, product])),
    gaps: () => gaps,
  }
}
