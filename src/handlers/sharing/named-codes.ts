// Codes of master data that events name.
import type { MasterLocationPayload, MasterProductPayload, ReceivingEventPayload } from '../../contract/payloads.ts'
import type { RecordKindName } from '../../contract/record-kinds.ts'
import { isGiven } from '../../contract/shape/field.ts'
import type { NamedCode } from '../../store/sharing/shared-copies.ts'

/** One text for a code, to look it up by. */
export const nameOf = ({ kind, vendor, code }: NamedCode): string => JSON.stringify([kind, vendor, code])

/** The code of a product or location; undefined for other kinds. */
export function codeOf(kind: RecordKindName, content: object): NamedCode | undefined {
  const { locationMasterList, productMasterDataList } = content as Partial<MasterLocationPayload & MasterProductPayload>
  if (kind === 'location' && locationMasterList !== undefined)
    return { kind, vendor: locationMasterList.dataProviderVendorId, code: locationMasterList.locationCode }
  if (kind === 'masterProduct' && productMasterDataList !== undefined)
    return { kind, vendor: productMasterDataList.dataProviderVendorId, code: productMasterDataList.itemCode }
  return undefined
}

/** The codes that an event names, as the tables of events have them. */
export function codesNamedBy({ eventList: event, locationMasterList }: ReceivingEventPayload): NamedCode[] {
  const vendor = event.dataProviderVendorId
  const places = [
    event.shipFromLocationCode,
    event.shipToLocationCode,
    ...locationMasterList.map((one) => one.locationCode),
  ]
  const items = event.productList.flatMap((line) => [line.vendorItemCode, line.purchaserItemCode]).filter(isGiven)
  return [
    ...[...new Set(places)].map((code): NamedCode => ({ kind: 'location', vendor, code })),
    ...[...new Set(items)].map((code): NamedCode => ({ kind: 'masterProduct', vendor, code })),
  ]
}
