// The locations of an event while its form is filled in: each code that the event refers to has its
// entry among the locations of the payload. Pure.
import type { MasterLocation } from '../../contract/location.ts'
import { allPlaceFieldsOf, eventKindList } from '../../contract/record-kinds.ts'
import type { Payload } from '../drafts/draft.ts'
import type { Choice } from './choices.ts'
import { type Fields, fieldsOf, joinGiven, listOf, textOf } from './record-summary.ts'

/** Of every kind of event. */
export const placeFields: readonly string[] = [...new Set(eventKindList.flatMap(allPlaceFieldsOf))]

/** One per code: that of the vendor before those of others. */
export function storedPlace(
  stored: readonly MasterLocation[],
  vendor: string,
  code: string,
): MasterLocation | undefined {
  const same = stored.filter(({ locationCode }) => locationCode === code)
  return same.find(({ dataProviderVendorId }) => dataProviderVendorId === vendor) ?? same[0]
}

/** Stored places to choose from: those of the vendor first, and one for each code. */
export function placeChoices(stored: readonly MasterLocation[], vendor: string): readonly Choice[] {
  const isOwn = ({ dataProviderVendorId }: MasterLocation) => dataProviderVendorId === vendor
  return stored
    .toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)) || a.locationCode.localeCompare(b.locationCode))
    .filter(({ locationCode }, i, all) => all.findIndex((one) => one.locationCode === locationCode) === i)
    .map((place) => ({
      value: place.locationCode,
      words: joinGiven(
        ' · ',
        place.locationName,
        joinGiven(', ', place.address?.city, place.address?.state),
        isOwn(place) ? '' : `vendor ${place.dataProviderVendorId}`,
      ),
    }))
}

/**
 * The entry for a stored location. Master data of the vendor need not be repeated; a location of
 * another vendor is described in full.
 */
function entryOf(place: MasterLocation, vendor: string): Fields {
  const { dataProviderVendorId, ...described } = place
  return dataProviderVendorId === vendor
    ? { locationCode: place.locationCode, locationName: place.locationName }
    : described
}

const isSameEntry = (one: Fields, other: Fields): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => JSON.stringify(value) === JSON.stringify(other[name]))

/**
 * The payload with another code at one end. A stored location brings its entry; a code that is
 * typed renames the entry that was typed before it, so that its details stay.
 */
export function withPlace(payload: Payload, field: string, code: string, stored: readonly MasterLocation[]): Payload {
  const event = fieldsOf(payload.eventList)
  const vendor = textOf(event.dataProviderVendorId)
  const before = textOf(event[field])
  const other = placeFields.filter((one) => one !== field).map((one) => textOf(event[one]))
  const { [field]: _, ...rest } = event
  const eventList = code === '' ? rest : { ...event, [field]: code }
  const entries = listOf(payload.locationMasterList)
  const isOwn = (entry: Fields) => before !== '' && entry.locationCode === before && !other.includes(before)
  const own = entries.find(isOwn)
  const others = own === undefined ? entries : entries.filter((entry) => entry !== own)
  const place = storedPlace(stored, vendor, code)
  const wasStored = storedPlace(stored, vendor, before)
  const isCopied = own !== undefined && wasStored !== undefined && isSameEntry(own, entryOf(wasStored, vendor))
  if (code === '' || others.some(({ locationCode }) => locationCode === code)) {
    // Keep the details that a person typed until there is a code for them.
    const kept = own !== undefined && code === '' && !isCopied && Object.keys(own).length > 1 ? entries : others
    return { ...payload, locationMasterList: kept, eventList }
  }
  const entry =
    place !== undefined
      ? entryOf(place, vendor)
      : own === undefined || isCopied
        ? { locationCode: code }
        : { ...own, locationCode: code }
  const at = own === undefined ? entries.length : entries.indexOf(own)
  return { ...payload, locationMasterList: [...others.slice(0, at), entry, ...others.slice(at)], eventList }
}

/** The index of the entry for a code among the locations; -1 when there is none. */
export const entryIndex = (payload: Payload, code: string): number =>
  code === '' ? -1 : listOf(payload.locationMasterList).findIndex(({ locationCode }) => locationCode === code)

/** The payload with another vendor: entries that were copied from master data follow it. */
export function withVendor(payload: Payload, vendor: string | undefined, stored: readonly MasterLocation[]): Payload {
  const { dataProviderVendorId: before, ...rest } = fieldsOf(payload.eventList)
  const eventList = vendor === undefined ? rest : { ...rest, dataProviderVendorId: vendor }
  const locationMasterList = listOf(payload.locationMasterList).map((entry) => {
    const code = textOf(entry.locationCode)
    const was = storedPlace(stored, textOf(before), code)
    const now = storedPlace(stored, vendor ?? '', code)
    const isCopied = was !== undefined && isSameEntry(entry, entryOf(was, textOf(before)))
    return isCopied && now !== undefined ? entryOf(now, vendor ?? '') : entry
  })
  return { ...payload, locationMasterList, eventList }
}
