// Rules about locations. Source: §2.3.

import { glnAssigners, type Location, locationTypes, type MasterLocation } from '../contract/location.ts'
import { descriptionParts } from '../contract/location-description.ts'
import { isGiven } from '../contract/shape/field.ts'
import { isRefused, type Loose } from '../contract/shape/read-shape.ts'
import { coordinatesFault } from '../contract/text/coordinates.ts'
import { visibleTextRule } from './hidden-characters.ts'
import { assignedRule, checkDigitRule, digitsRule } from './identifier-rules.ts'
import type { PayloadSubject } from './payload.ts'
import { repeatedEntries, repeatedEntrySays } from './repeated-entries.ts'
import { type Context, rulesAbout, vendorKey } from './rule.ts'
import { repeatedSays, reportRepeated } from './unique-identifiers.ts'
import { type Missing, missingPart } from './written.ts'

type LocationSubject = Loose<MasterLocation>

const rule = rulesAbout<LocationSubject>()
const payloadRule = rulesAbout<PayloadSubject>()

const gln = {
  group: 'location',
  slug: 'gln',
  field: 'gln',
  scheme: 'GLN',
  section: '2.3',
  of: (location: LocationSubject) => location,
} as const

export const glnDigits = digitsRule(gln)
export const glnCheckDigit = checkDigitRule(gln)
const duns = { ...gln, slug: 'duns', field: 'duns', scheme: 'DUNS number' } as const
export const dunsDigits = digitsRule(duns)
export const identifiersAssigned = assignedRule('location', '2.3', [gln, duns])

export const textVisible = visibleTextRule<LocationSubject>('location', '2.3', (location) => location)

/** True when a part of the address is given. */
const hasAddress = ({ address }: Loose<Location>): boolean => Object.values(address ?? {}).some(isGiven)

/** True when the entry's own data distinguishes the location from others. */
export const isIdentified = (location: Loose<Location>): boolean =>
  isGiven(location.gln) || isGiven(location.duns) || hasAddress(location)

/** True when only the address identifies the location, and it has no phone number. */
export const isAddressOnly = (location: Loose<Location>): boolean =>
  hasAddress(location) && !isGiven(location.gln) && !isGiven(location.duns) && !isGiven(location.phoneNumber)

/** Most vendors in one message. */
const vendorsNamedMax = 3

/** Vendors without the location in their master data; few more than a message names. */
function vendorsUnawareOf(
  code: string,
  vendors: readonly string[],
  { facts }: Context<'masterLocations'>,
): readonly string[] {
  const unaware: string[] = []
  for (const vendor of vendors) {
    if (!facts.masterLocations.has(vendorKey(vendor, code))) unaware.push(vendor)
    if (unaware.length > vendorsNamedMax) break
  }
  return unaware
}

function vendorWords(vendors: readonly string[]): string {
  const named = vendors.slice(0, vendorsNamedMax).map((vendor) => JSON.stringify(vendor))
  const more = vendors.length > vendorsNamedMax ? ' and others' : ''
  return `${vendors.length === 1 ? 'vendor' : 'vendors'} ${named.join(', ')}${more}`
}

/** "Already set up" means known under data provider, vendor and location code (decision 0010). */
export const identified = rule({
  id: 'location/identified',
  severity: 'error',
  cites: '§2.3 identification rule',
  summary: 'A location that is not set up in master data carries a GLN, a DUNS number or an address.',
  remedy: 'Send gln, duns or address (an address needs phoneNumber too), or set the location up first.',
  onScreen: 'Enter a GLN, a DUNS number, or an address with its phone number. Or create the location first.',
  needs: ['masterLocations'],
  says: {
    unidentified: (code: string) => `Location ${JSON.stringify(code)} has no gln, duns or address, and needs one.`,
    notSetUp: (code: string, vendors: readonly string[]) =>
      `Location ${JSON.stringify(code)} has no gln, duns or address, and is not set up in the master data of ${vendorWords(vendors)}.`,
  },
  check(location, context, report) {
    if (isIdentified(location) || !isGiven(location.locationCode)) return
    const code = location.locationCode
    const { vendors } = context
    const unaware = vendorsUnawareOf(code, vendors, context)
    if (unaware.length > 0) report({ pointer: context.at, says: 'notSetUp', values: [code, unaware] })
    else if (vendors.length === 0) report({ pointer: context.at, says: 'unidentified', values: [code] })
  },
})

export const phoneWithAddress = rule({
  id: 'location/phone-with-address',
  severity: 'error',
  cites: '§2.3 phoneNumber',
  summary: 'A location identified by its address carries a phone number.',
  remedy: 'Send phoneNumber, for example +1.831.555.0100; or identify the location by gln or duns.',
  needs: ['masterLocations'],
  says: { missing: () => 'The location is identified by its address and has no phoneNumber.' },
  check(location, context, report) {
    if (!isAddressOnly(location)) return
    const { vendors } = context
    // Master data identifies the location, and its address only describes it.
    const setUp = vendors.length > 0 && vendorsUnawareOf(location.locationCode ?? '', vendors, context).length === 0
    if (!setUp) report({ pointer: `${context.at}/phoneNumber`, says: 'missing', values: [] })
  },
})

export const geoOneForm = rule({
  id: 'location/geo-one-form',
  severity: 'error',
  cites: '§2.3 geoLocation',
  summary: 'A position is given either as coordinates or as a fence.',
  remedy: 'Send gpsCoordinates or geoFence, not both and not neither; or leave geoLocation out.',
  says: { neither: () => 'geoLocation has neither form.', both: () => 'geoLocation has both forms.' },
  check({ geoLocation }, { at }, report) {
    if (geoLocation === undefined) return
    const forms = [geoLocation.gpsCoordinates, geoLocation.geoFence].filter((form) => form !== undefined).length
    if (forms !== 1) report({ pointer: `${at}/geoLocation`, says: forms === 0 ? 'neither' : 'both', values: [] })
  },
})

type Pair = readonly string[]

/** This program may accept a pair that an earlier one rejected. */
const pairFault = (pair: Pair): string => coordinatesFault(pair) ?? 'is no latitude and longitude'

/** Warns: validation of coordinate formats is not shown in the contract (decision 0005). */
export const coordinatesForm = rule({
  id: 'location/coordinates-form',
  severity: 'warning',
  cites: '§2.3 gpsCoordinates',
  summary: '`gpsCoordinates` is a latitude and a longitude, in degrees and minutes, that there are on Earth.',
  remedy: 'Send two texts, latitude first, for example ["36 40.66 N", "121 39.33 W"].',
  onScreen: 'Enter both, for example 36 40.66 N and 121 39.33 W.',
  says: { fault: (pair: Pair) => `gpsCoordinates ${JSON.stringify(pair)} ${pairFault(pair)}.` },
  check({ geoLocation }, { at }, report) {
    const pair = geoLocation?.gpsCoordinates
    if (pair && coordinatesFault(pair) !== undefined)
      report({ pointer: `${at}/geoLocation/gpsCoordinates`, says: 'fault', values: [pair] })
  },
})

export const fenceForm = rule({
  id: 'location/fence-form',
  severity: 'warning',
  cites: '§2.3 geoFence',
  summary: '`geoFence` is at least three pairs of latitude and longitude that there are on Earth.',
  remedy: 'Send the corners of the fence in order, each as [latitude, longitude].',
  onScreen: 'Enter the corners of the fence in order, each with latitude and longitude.',
  says: {
    fault: (corner: number, pair: Pair) =>
      `Corner ${corner} of the fence, ${JSON.stringify(pair)}, ${pairFault(pair)}.`,
    few: (corners: number) => `A fence of ${corners} corners encloses nothing.`,
  },
  check({ geoLocation }, { at }, report) {
    const fence = geoLocation?.geoFence
    if (fence === undefined) return
    for (const [corner, pair] of fence.entries()) {
      if (!pair || coordinatesFault(pair) === undefined) continue
      report({ pointer: `${at}/geoLocation/geoFence/${corner}`, says: 'fault', values: [corner + 1, pair] })
      return
    }
    if (fence.length < 3) report({ pointer: `${at}/geoLocation/geoFence`, says: 'few', values: [fence.length] })
  },
})

/**
 * A place that several vendors ship to has one code or one GLN, and may share one alternate code.
 */
const locationIdentity = ({ locationCode = '', gln: number }: LocationSubject): string =>
  isGiven(number) ? number : locationCode

export const alternateLocationCodeUnique = rule({
  id: 'location/alternate-location-code-unique',
  severity: 'warning',
  cites: '§2.3 alternateLocationCode',
  summary: 'No other location has the same `alternateLocationCode`.',
  remedy: 'Give every location its own alternate code, or correct the wrong one.',
  needs: ['heldBy'],
  says: repeatedSays('alternateLocationCode'),
  check(location, context, report) {
    if (!isGiven(location.alternateLocationCode)) return
    const { at, locations } = context
    const holders = () =>
      locations.map((one) => ({
        at: one.at,
        value: one.value.alternateLocationCode ?? '',
        sameAs: locationIdentity(one.value),
      }))
    const own = { at, sameAs: locationIdentity(location), code: location.locationCode }
    reportRepeated(
      { field: 'alternateLocationCode', value: location.alternateLocationCode, place: own },
      { entries: locations, holdersIn: holders, context, heldBy: context.facts.heldBy },
      report,
    )
  },
})

const phoneForm = /^\+\d{1,3}(\.\d{1,14}){1,5}$/

/** Warns: validation of phone numbers is not shown in the contract (decision 0005). */
export const phoneFormat = rule({
  id: 'location/phone-format',
  severity: 'warning',
  cites: '§2.3 phoneNumber',
  summary: '`phoneNumber` has the described format: country code and number groups separated by dots.',
  remedy: 'Send, for example, +1.831.555.0100.',
  says: { form: (text: string) => `phoneNumber is ${JSON.stringify(text)}; described is +1.999.999.999.` },
  check({ phoneNumber }, { at }, report) {
    if (isGiven(phoneNumber) && !phoneForm.test(phoneNumber))
      report({ pointer: `${at}/phoneNumber`, says: 'form', values: [phoneNumber] })
  },
})

export const typeListed = rule({
  id: 'location/type-listed',
  severity: 'warning',
  cites: '§2.3 locationType',
  summary: '`locationType` is one of the listed values.',
  remedy: `Send one of: ${locationTypes.join(', ')}.`,
  says: { unlisted: (type: string) => `${JSON.stringify(type)} is not a listed location type.` },
  check({ locationType }, { at }, report) {
    if (isGiven(locationType) && !(locationTypes as readonly string[]).includes(locationType))
      report({ pointer: `${at}/locationType`, says: 'unlisted', values: [locationType] })
  },
})

/** The two organisations that the contract describes without naming, in common spellings. */
const namedAssigner = /^(GS1|GLOBALG\.?A\.?P\.?)( .{0,90})?$/i

export const glnAssignerListed = rule({
  id: 'location/gln-assigner-listed',
  severity: 'warning',
  cites: '§2.3 glnAssignedBy',
  summary:
    '`glnAssignedBy` is a listed value: a standards body (GS1), a farm assurance scheme (GLOBALG.A.P.), Internal, Trading Partner or Other.',
  remedy: `Send one of: ${glnAssigners.join(', ')}.`,
  says: { unlisted: (assigner: string) => `${JSON.stringify(assigner)} is none of the described assigners.` },
  check({ glnAssignedBy }, { at }, report) {
    if (!isGiven(glnAssignedBy)) return
    if (!(glnAssigners as readonly string[]).includes(glnAssignedBy) && !namedAssigner.test(glnAssignedBy))
      report({ pointer: `${at}/glnAssignedBy`, says: 'unlisted', values: [glnAssignedBy] })
  },
})

export const codeConflicting = payloadRule({
  id: 'location/code-conflicting',
  severity: 'error',
  cites: '§4.1 locationMasterList',
  summary: 'No two entries of the location list have one location code and different content.',
  remedy: 'Keep the entry that is right.',
  says: repeatedEntrySays('locationCode', 'other'),
  check(_payload, { locations, events }, report) {
    if (events.length > 0) repeatedEntries(locations, 'locationCode', false, report)
  },
})

export const codeRepeated = payloadRule({
  id: 'location/code-repeated',
  severity: 'warning',
  cites: '§4.1 locationMasterList',
  summary: 'No two entries of the location list are the same.',
  remedy: 'Send each location once.',
  says: repeatedEntrySays('locationCode', 'the same'),
  check(_payload, { locations, events }, report) {
    if (events.length > 0) repeatedEntries(locations, 'locationCode', true, report)
  },
})

/**
 * The list may have more locations than the two of an event; the same location twice counts once.
 */
export const twoLocations = payloadRule({
  id: 'location/two-locations',
  severity: 'error',
  cites: '§2.3 locationMasterList',
  summary: 'The location list of an event names at least two locations: where it was shipped from, and to.',
  remedy: 'Add the other location, or correct the code of the entry that is meant to describe it.',
  says: {
    one: (entries: number, code: string) =>
      `All ${entries} entries of locationMasterList have the location code ${JSON.stringify(code)}; at least two locations are needed.`,
  },
  check(_payload, { locations, events }, report) {
    const [first] = locations
    if (events.length === 0 || locations.length < 2 || !isGiven(first?.value.locationCode)) return
    const code = first.value.locationCode
    if (locations.every(({ value }) => value.locationCode === code))
      report({ pointer: '/locationMasterList', says: 'one', values: [locations.length, code] })
  },
})

/** Only within one create: a unique index covers stored locations. */
export const oneRecordPerCode = payloadRule({
  id: 'location/one-record-per-code',
  severity: 'error',
  cites: '§2.3 locationCode',
  summary: 'A create of several locations names each location code of a vendor once.',
  remedy: 'Keep one entry per vendor and location code.',
  says: { repeated: (firstAt: string) => `The entry at ${firstAt} has the same vendor and location code.` },
  check(_payload, { locations, events }, report) {
    if (events.length > 0) return
    const firsts = new Map<string, string>()
    for (const { at, value } of locations) {
      if (isRefused(value, 'dataProviderVendorId') || isRefused(value, 'locationCode')) continue
      if (!isGiven(value.dataProviderVendorId) || !isGiven(value.locationCode)) continue
      const key = vendorKey(value.dataProviderVendorId, value.locationCode)
      const first = firsts.get(key)
      if (first === undefined) firsts.set(key, at)
      else report({ pointer: `${at}/locationCode`, says: 'repeated', values: [first] })
    }
  },
})

/** The parts of a location description that are missing. */
export const missingDescription = (location: Loose<Location>): readonly Missing[] =>
  descriptionParts.filter(([, has]) => !has(location)).map(([part, , written]) => missingPart(part, written(location)))
