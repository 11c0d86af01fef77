// Places in the form of the answer: received and sent quantities, one step back and one forward.
import { instantOf } from '../contract/shape/date-and-time.ts'
import { isGiven } from '../contract/shape/field.ts'
import { groupsOf } from '../groups.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import type { Balance } from './balances.ts'
import { type Link, placeId } from './links.ts'
import type { LotEvent } from './lot-event.ts'
import type { TracedPlace } from './lot-trace.ts'
import { addressLineOf, type Places } from './places.ts'
import { sumOf } from './quantities.ts'

export function* tracedPlaces(
  places: Places,
  balances: readonly Balance[],
  links: readonly Link[],
  /** Places that the lot was shipped to. */
  shippedTo: ReadonlySet<number>,
): Steps<TracedPlace[]> {
  const ofPlace = groupsOf(balances, ({ place }) => place)
  const previous = new Map<number, Set<number>>()
  const next = new Map<number, Set<number>>()
  for (const { from, to } of links) {
    previous.set(to, (previous.get(to) ?? new Set()).add(from))
    next.set(from, (next.get(from) ?? new Set()).add(to))
  }
  return yield* mapInSteps(places.list, (place, number) => {
    const own = ofPlace.get(number) ?? []
    const firstOf = (side: 'received' | 'sentOn') =>
      firstDateTime(own.flatMap((balance) => balance[side].events[0] ?? []))
    const [firstReceivedDateTime, firstSentOnDateTime] = [firstOf('received'), firstOf('sentOn')]
    const address = addressLineOf(place.fields)
    const { city, state } = place.fields.address ?? {}
    return {
      id: placeId(number),
      name: place.name,
      codes: [...place.codes],
      ...(place.gln !== undefined && { gln: place.gln }),
      ...(address !== undefined && { address }),
      ...(isGiven(city) && { city }),
      ...(isGiven(state) && { state }),
      ...(isGiven(place.fields.phoneNumber) && { phoneNumber: place.fields.phoneNumber }),
      role: roleOf({
        hasReceived: firstReceivedDateTime !== undefined,
        hasSentOn: firstSentOnDateTime !== undefined,
        isShippedTo: shippedTo.has(number),
      }),
      assumed: place.assumed,
      received: sumOf(own.map(({ received }) => received.quantities)),
      sentOn: sumOf(own.map(({ sentOn }) => sentOn.quantities)),
      ...(firstReceivedDateTime !== undefined && { firstReceivedDateTime }),
      ...(firstSentOnDateTime !== undefined && { firstSentOnDateTime }),
      previous: [...(previous.get(number) ?? [])].map(placeId),
      next: [...(next.get(number) ?? [])].map(placeId),
    }
  })
}

function roleOf({
  hasReceived,
  hasSentOn,
  isShippedTo,
}: {
  readonly hasReceived: boolean
  readonly hasSentOn: boolean
  readonly isShippedTo: boolean
}): TracedPlace['role'] {
  if (hasReceived) return hasSentOn ? 'between' : 'last'
  return isShippedTo && !hasSentOn ? 'expected' : 'first'
}

const firstDateTime = (events: readonly LotEvent[]): string | undefined =>
  events
    .map(({ event }) => event.eventDateTime)
    .sort((a, b) => instantOf(a) - instantOf(b))
    .at(0)
