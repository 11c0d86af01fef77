// Places of a ship notice: its parties as locations of the payload, and as the source of lot codes.
// Missing values come from the settings of its sender, and a finding says so.

import { errorAt, type Place, quoted, warningAt, type X12Finding } from 'lotkeeper-x12/finding'
import type { Party } from 'lotkeeper-x12/segment-values'
import type { ShipNoticeSender } from '../contract/ship-notice-sender.ts'
import { describesSource, type Known, sourceOfLocation } from '../contract/source-of-location.ts'
import { isDigits } from '../contract/text/identifiers.ts'
import { Collected, type TakenElements } from './collected.ts'
import type { Consignment, NoticeLine } from './ship-notice.ts'

/** Stored locations of the vendor, by location code. */
export type StoredPlaces = ReadonlyMap<string, Known>

interface NamedPlaces {
  readonly sender: ShipNoticeSender
  readonly places: ReadonlyMap<string, { readonly locationCode: string; readonly locationName?: string }>
  readonly stored: StoredPlaces
}

/** The party that ships or receives, or the location that the settings have where there is none. */
export interface NoticePlace {
  readonly role: 'SF' | 'ST'
  readonly at: Place
  readonly party: Party | undefined
}

/** Findings that are reported once per notice, for any number of lines. */
type SayOnce = (key: string, finding: () => X12Finding) => void

/** What the places of a notice need of its reading. */
export interface PlaceReading extends NamedPlaces {
  readonly taken: TakenElements
  readonly say: SayOnce
}

const partyOf = ({ parties }: Pick<NoticeLine, 'parties'>, shipment: Consignment, role: string): Party | undefined =>
  parties.find((ofLevel) => ofLevel.has(role))?.get(role) ?? shipment.parties.get(role)

const defaultOf = ({ sender }: NamedPlaces, role: NoticePlace['role']): string | undefined =>
  role === 'SF' ? sender.shipFromLocationCode : sender.shipToLocationCode

/** The place of a line, or undefined with a finding. */
export function placeOf(
  line: NoticeLine,
  shipment: Consignment,
  role: NoticePlace['role'],
  reading: PlaceReading,
): NoticePlace | undefined {
  const party = partyOf(line, shipment, role)
  if (party !== undefined) return { role, at: party.role, party }
  const code = defaultOf(reading, role)
  const what = `The notice does not name the place that ${role === 'SF' ? 'ships (N1*SF)' : 'receives (N1*ST)'}.`
  reading.say(`no ${role} ${shipment.at.segment}`, () =>
    code === undefined
      ? errorAt(shipment.at, {
          message: what,
          remedy: `Send N1*SF and N1*ST with the codes of the places. If it is always the same place, enter ${role === 'SF' ? 'shipFromLocationCode' : 'shipToLocationCode'} in the settings of the sender.`,
          code: '3',
        })
      : warningAt(shipment.at, {
          message: `${what} The location of the settings is used, ${quoted(code)}.`,
          remedy: `Have the sender send N1*${role}.`,
          code: '3',
        }),
  )
  return code === undefined ? undefined : { role, at: shipment.at, party: undefined }
}

/** The code under which the location of the place is known. */
export function codeOfPlace({ party, role }: NoticePlace, named: NamedPlaces): string | undefined {
  if (party === undefined) return defaultOf(named, role)
  const { code, name } = party
  const mapped = mappedPlace(party, named)
  return mapped?.locationCode ?? code?.text ?? (named.sender.locationCodeIsName ? name?.text : undefined)
}

const mappedPlace = ({ code, name }: Party, { places }: NamedPlaces) =>
  places.get(code?.text ?? '') ?? places.get(name?.text ?? '')

/** The location of the payload at this index of its list. Adds to `places` where values stand. */
export function locationOf(
  place: NoticePlace,
  index: number,
  places: Map<string, Place>,
  reading: PlaceReading,
): Record<string, unknown> {
  const location = new Collected(places, reading.taken, `/locationMasterList/${index}`)
  places.set(`/locationMasterList/${index}`, place.at)
  const locationCode = codeOfPlace(place, reading)
  const { party } = place
  if (party === undefined) {
    location.put('locationCode', undefined, locationCode)
    location.put('locationName', undefined, reading.stored.get(locationCode ?? '')?.locationName ?? locationCode)
    return location.fields
  }
  const { code, name } = party
  const mapped = mappedPlace(party, reading)
  if (mapped !== undefined) {
    location.put('locationCode', code ?? name, mapped.locationCode)
    location.put('locationName', name, mapped.locationName ?? name?.text ?? mapped.locationCode)
    return location.fields
  }
  if (code === undefined) reading.say(`no code ${party.role.segment}`, () => withoutCode(party, locationCode))
  location.put('locationCode', code ?? name, locationCode)
  location.put('locationName', name ?? code, name?.text ?? code?.text)
  putNumbers(location, party)
  putAddress(location, party, reading)
  return location.fields
}

function withoutCode({ role, name }: Party, used: string | undefined): X12Finding {
  const message = `N1*${role.text} has no code (N104)${name === undefined ? '' : ` beside the name ${quoted(name.text)}`}.`
  if (used !== undefined)
    return warningAt(role, {
      message: `${message} The name is used as code, as the settings of the sender say.`,
      remedy: 'Have the sender send the code of the place.',
      code: '1',
    })
  return errorAt(role, {
    message,
    remedy:
      'Have the sender send the code of the place, or assign its name to a location code in the settings of the sender (places). If names are as good as codes, set locationCodeIsName there.',
    code: '1',
  })
}

function putNumbers(location: Collected, { code, qualifier }: Party): void {
  if (qualifier === 'UL') location.putText('gln', code)
  if (qualifier === '1' || (qualifier === '9' && isDigits(code?.text ?? '', [9]))) location.putText('duns', code)
}

function putAddress(location: Collected, party: Party, { sender, say }: PlaceReading): void {
  const hasAddress = party.streets.length > 0 || party.city !== undefined
  if (hasAddress) {
    const address = location.within('address')
    address.putText('streetAddress1', party.streets[0])
    address.putText('streetAddress2', party.streets[1])
    address.putText('city', party.city)
    address.putText('state', party.state)
    address.putText('postalCode', party.postalCode)
    address.putText('country', party.country)
    location.put('address', party.streets[0] ?? party.city, address.fields)
  }
  if (party.phone !== undefined) location.put('phoneNumber', party.phone, phoneOf(party.phone.text))
  else if (hasAddress && sender.locationPhoneNumber !== undefined) {
    location.put('phoneNumber', undefined, sender.locationPhoneNumber)
    say(`no phone ${party.role.segment}`, () =>
      warningAt(party.role, {
        message: `N1*${party.role.text} has an address and no phone number (PER). That of the settings is used, ${sender.locationPhoneNumber}.`,
        remedy: 'Have the sender send PER with a telephone number, e.g. PER*IC**TE*8315550100.',
        code: '3',
      }),
    )
  }
}

/** Ten digits are a number of North America. */
function phoneOf(written: string): string {
  const [, area, exchange, line] = /^(?:\+?1)?(\d{3})(\d{3})(\d{4})$/.exec(written.replaceAll(/[ ().-]/g, '')) ?? []
  return area === undefined ? written : `+1.${area}.${exchange}.${line}`
}

/** The party that the settings name, else the ship-from place, if the settings say that it is. */
export function putSource(
  fields: Collected,
  { line, shipment, from }: { readonly line: NoticeLine; readonly shipment: Consignment; readonly from: NoticePlace },
  named: NamedPlaces,
): void {
  const { sender } = named
  const byRole = sender.tlcSourceRole === undefined ? undefined : partyOf(line, shipment, sender.tlcSourceRole)
  const party = byRole ?? (sender.tlcSourceIsShipFrom ? from.party : undefined)
  if (party !== undefined) putParty(fields, party)
  const code = byRole === undefined ? codeOfPlace(from, named) : byRole.code?.text
  const isFound = () =>
    describesSource(fields.fields) || Object.keys(fields.fields).some((field) => field.startsWith('tlcSourceReference'))
  if (byRole === undefined && sender.tlcSourceIsShipFrom && !isFound()) {
    // The stored location has the other values.
    for (const [field, value] of Object.entries(sourceOfLocation(named.stored.get(code ?? '') ?? {}, undefined)))
      fields.put(field, undefined, value)
    if ('tlcSourceAddress1' in fields.fields) fields.put('tlcSourcePhoneNumber', undefined, sender.locationPhoneNumber)
  }
  if ((party !== undefined || sender.tlcSourceIsShipFrom) && !isFound())
    fields.put('tlcSourceReferenceOther', party?.code, code)
}

function putParty(fields: Collected, source: Party): void {
  const { qualifier, code } = source
  if (qualifier === 'UL') fields.putText('tlcSourceReferenceGln', code)
  else if ((qualifier === '1' || qualifier === '9') && isDigits(code?.text ?? '', [9]))
    fields.putText('tlcSourceReferenceDuns', code)
  else if (qualifier === 'FA') fields.putText('tlcSourceReferenceFfrn', code)
  fields.putText('tlcSourceName', source.name)
  fields.putText('tlcSourceAddress1', source.streets[0])
  fields.putText('tlcSourceAddress2', source.streets[1])
  fields.putText('tlcSourceCity', source.city)
  fields.putText('tlcSourceState', source.state)
  fields.putText('tlcSourcePostalCode', source.postalCode)
  fields.putText('tlcSourceCountry', source.country)
  if (source.phone !== undefined) fields.put('tlcSourcePhoneNumber', source.phone, phoneOf(source.phone.text))
}
