// Previews a partner's account: how many events it would have, some of them, and places that may be
// missing.

import type { ReceivingEventPayload } from '../../contract/payloads.ts'
import { isGiven } from '../../contract/shape/field.ts'
import { type GlnOf, isEnded, maskEvent, type Opened, openerOf, type Place } from '../../contract/sharing.ts'
import { foldName } from '../../contract/text/name-distance.ts'
import { previewEventsMax, previewExamplesMax } from '../../operations/sharing/partners.ts'
import type { Queryable } from '../../store/database/statement.ts'
import { readInPortions } from '../../store/records/record-versions.ts'
import type { PartnerSettings, StoredPartner } from '../../store/sharing/partners.ts'
import {
  type EventAt,
  type EventsAt,
  eventsAt,
  glnsOfLocations,
  locationsWithGln,
  type ShipToPlace,
  sharedEvents,
  shipToPlaces,
} from '../../store/sharing/shared-events.ts'
import { nextTurn } from '../base/cooperative.ts'

/** Events that are looked up at once, and ship-to location codes that are looked through. */
const eventsAtOnce = 100
const codesMax = 1_000
/** Events of which locations are looked up at once. */
const portionMax = 50

/** Time limit for each of two counts, in milliseconds. */
const countMsMax = 5_000

interface OpenedEvent {
  readonly id: string
  readonly payload: ReceivingEventPayload
  readonly opened: Opened
}

/** The account of the partner with these settings; `partner` already exists. */
export async function previewSharing(
  db: Queryable,
  provider: string,
  partner: StoredPartner | undefined,
  settings: PartnerSettings,
): Promise<object> {
  const now = new Date()
  const seen = new Set<string>()
  const shown: OpenedEvent[] = []
  let events = 0
  let orMore = false
  const endsAt = performance.now() + countMsMax
  for await (const some of candidates(db, provider, settings, now)) {
    const unseen = some.filter(({ id }) => !seen.has(id))
    for (const { id } of unseen) seen.add(id)
    const opened = await openedOf(db, provider, settings, { events: unseen, now })
    events += opened.length
    shown.push(...opened)
    shown.sort((a, b) => (a.id < b.id ? 1 : -1)).splice(previewExamplesMax)
    orMore = seen.size >= previewEventsMax || performance.now() > endsAt
    if (orMore) break
  }
  return {
    opened: { events, orMore },
    withdrawn: await withdrawnOf(db, provider, partner, { settings, now }),
    examples: shown.map(({ payload, opened }) => maskEvent(payload, opened)),
    notCovered: await missingPlaces(db, provider, settings),
  }
}

/** Events that may be shared, in portions; some more than once. */
async function* candidates(
  db: Queryable,
  provider: string,
  { places, grants }: PartnerSettings,
  now: Date,
): AsyncGenerator<readonly EventAt[]> {
  const glns = places.flatMap(({ gln }) => gln ?? [])
  const located = glns.length === 0 ? [] : await locationsWithGln(db, { provider, glns })
  const codes = new Set([...places, ...located].flatMap(({ locationCode }) => locationCode ?? []))
  const current = grants.filter((grant) => !isEnded(grant, now))
  const directions = new Set(current.flatMap(({ direction }) => direction ?? []))
  const searched: EventsAt[] = [
    ...[...directions].flatMap((direction) =>
      [...codes].map((code) => (direction === 'shipTo' ? { shipTo: code } : { shipFrom: code })),
    ),
    ...current.flatMap(({ lotCode }) => (lotCode === undefined ? [] : [{ lotCode }])),
  ]
  for (const at of searched) {
    let before: string | undefined
    for (;;) {
      const some = await eventsAt(db, provider, { at, before, limit: eventsAtOnce })
      if (some.length > 0) yield some
      if (some.length < eventsAtOnce) break
      before = some.at(-1)?.id
    }
  }
}

/** Those of these events that would be shared. */
async function openedOf(
  db: Queryable,
  provider: string,
  settings: PartnerSettings,
  { events, now }: { readonly events: readonly EventAt[]; readonly now: Date },
): Promise<OpenedEvent[]> {
  const opened: OpenedEvent[] = []
  let portion: Omit<OpenedEvent, 'opened'>[] = []
  const judge = async () => {
    const glnOf = await glnsOf(db, provider, settings, portion)
    const open = openerOf(settings, glnOf)
    for (const one of portion) {
      const lines = open(one.payload, now)
      if (lines !== undefined) opened.push({ ...one, opened: lines })
    }
    portion = []
    await nextTurn()
  }
  for await (const { id, body } of readInPortions(db, provider, events)) {
    portion.push({ id, payload: JSON.parse(body) as ReceivingEventPayload })
    if (portion.length >= portionMax) await judge()
  }
  await judge()
  return opened
}

/** GLNs of the two locations of each of these events, where a place is named by its GLN. */
async function glnsOf(
  db: Queryable,
  provider: string,
  { places }: PartnerSettings,
  events: readonly Pick<OpenedEvent, 'payload'>[],
): Promise<GlnOf> {
  if (events.length === 0 || !places.some(({ gln }) => gln !== undefined)) return () => undefined
  const locations = events.flatMap(({ payload: { eventList: event } }) =>
    [event.shipToLocationCode, event.shipFromLocationCode].map((locationCode) => ({
      dataProviderVendorId: event.dataProviderVendorId,
      locationCode,
    })),
  )
  const stored = await glnsOfLocations(db, { provider, locations })
  const glns = new Map(
    stored.map(({ dataProviderVendorId, locationCode, gln }) => [
      JSON.stringify([dataProviderVendorId, locationCode]),
      gln,
    ]),
  )
  return (...location) => glns.get(JSON.stringify(location))
}

/** Events that the partner sees and would not see any more. */
async function withdrawnOf(
  db: Queryable,
  provider: string,
  partner: StoredPartner | undefined,
  { settings, now }: { readonly settings: PartnerSettings; readonly now: Date },
): Promise<object> {
  if (partner === undefined) return { events: 0, orMore: false }
  const shared = await sharedEvents(db, { provider, partner: partner.id, limit: previewEventsMax + 1 })
  const endsAt = performance.now() + countMsMax
  let [events, looked] = [0, 0]
  while (looked < Math.min(shared.length, previewEventsMax) && performance.now() < endsAt) {
    const some = shared.slice(looked, Math.min(looked + eventsAtOnce, previewEventsMax))
    events += some.length - (await openedOf(db, provider, settings, { events: some, now })).length
    looked += some.length
  }
  return { events, orMore: looked < shared.length }
}

/** Letters that a name must have to be looked for in another. */
const nameLengthMin = 4

/** Places that are not the partner's, and have its name or a GLN of its places. */
async function missingPlaces(
  db: Queryable,
  provider: string,
  { name, places }: PartnerSettings,
): Promise<readonly object[]> {
  const all = await shipToPlaces(db, { provider, after: undefined, codes: codesMax, eventsMax: previewEventsMax + 1 })
  const own = all.filter((place) => coversPlace(places, place))
  const glns = new Set([...places, ...own].flatMap(({ gln }) => gln ?? []))
  const folded = foldName(name)
  const isNamed = ({ locationName }: ShipToPlace): boolean =>
    folded.length >= nameLengthMin && isGiven(locationName) && foldName(locationName).includes(folded)
  return all
    .filter((place) => !own.includes(place) && ((place.gln !== null && glns.has(place.gln)) || isNamed(place)))
    .map(placeView)
}

const isSameGln = ({ gln }: Place, place: ShipToPlace): boolean => gln !== undefined && gln === place.gln

/** Whether one of these is the place, for some of its vendors at least. */
export const hasPlace = (places: readonly Place[], place: ShipToPlace): boolean =>
  places.some(
    (one) =>
      isSameGln(one, place) ||
      (one.locationCode === place.locationCode &&
        (one.dataProviderVendorId === undefined || place.dataProviderVendorIds.includes(one.dataProviderVendorId))),
  )

/** Whether they are the place for each of its vendors. */
const coversPlace = (places: readonly Place[], place: ShipToPlace): boolean =>
  place.dataProviderVendorIds.every((vendor) => hasPlace(places, { ...place, dataProviderVendorIds: [vendor] }))

/** A place as it is shown: its events are counted up to some 10,000. */
export const placeView = ({ events, ...place }: ShipToPlace): object => ({
  ...place,
  events: Math.min(events, previewEventsMax),
  orMore: events > previewEventsMax,
})
