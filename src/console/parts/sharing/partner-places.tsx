// The places of a partner: those that are chosen, and the stored ones that can be.

import { useState } from 'preact/hooks'
import type { Place } from '../../../client/generated/shapes.ts'
import { joinGiven } from '../../records/record-summary.ts'
import {
  countedEvents,
  covers,
  placeKey,
  placesFor,
  placesOf,
  placeWords,
  type StoredPlace as Stored,
  storedKey,
  typedPlace,
} from '../../records/sharing-words.ts'
import type { RequestState } from '../../state/frame/request.ts'
import { TextField } from '../fields/text-field.tsx'
import { Loading } from '../frame/states.tsx'
import { TextList } from '../records/text-list.tsx'

interface Props {
  /** Of the partner. */
  readonly name: string
  /** Undefined for a new one. */
  readonly partnerId: string | undefined
  readonly places: readonly Place[]
  readonly stored: RequestState<readonly Stored[]>
  readonly onPlaces: (places: readonly Place[]) => void
}

/** Stored places that are offered immediately; typing narrows them. */
const offeredMax = 8

export function PartnerPlaces({ name, partnerId, places, stored, onPlaces }: Props) {
  const [typed, setTyped] = useState('')
  const known = stored.is === 'answered' ? stored.value : []
  const fitting = placesFor(known, typed, name).filter((one) => !places.some((place) => covers(place, one)))
  const text = typed.trim()
  const add = (more: readonly Place[]) =>
    onPlaces([...new Map([...places, ...more].map((place) => [placeKey(place), place])).values()])
  const addTyped = (more: readonly Place[]) => {
    add(more)
    setTyped('')
  }
  const typedIsKnown = known.some(({ gln, locationCode }) => text === gln || text === locationCode)
  return (
    <>
      {places.length === 0 ? (
        <p class="quiet">No place is chosen. Without a place the partner sees nothing.</p>
      ) : (
        <ul class="plain-list chosen-places" aria-label="Chosen places">
          {places.map((place) => (
            <ChosenPlace
              key={placeKey(place)}
              place={place}
              stored={known.filter((one) => covers(place, one))}
              onRemove={() => onPlaces(places.filter((one) => one !== place))}
            />
          ))}
        </ul>
      )}
      <TextField
        id="place-search"
        label="Add places that events are shipped to"
        spellcheck={false}
        value={typed}
        placeholder="Name, GLN, location code or vendor"
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault()
        }}
      />
      {stored.is === 'asking' && <Loading what="the stored places" />}
      {stored.is === 'failed' && (
        <p class="quiet">The stored places could not be loaded. Enter a GLN or a location code.</p>
      )}
      {fitting.length > 0 && (
        <ul class="plain-list offered-places" aria-label="Stored places">
          {fitting.slice(0, offeredMax).map((one) => (
            <li key={storedKey(one)}>
              <button type="button" onClick={() => add(placesOf(one, known))}>
                Add
                <span class="hidden">
                  {' '}
                  {one.locationName ?? ''} {one.locationCode}
                </span>
              </button>
              <StoredPlace place={one} partnerId={partnerId} />
            </li>
          ))}
        </ul>
      )}
      <p class="actions">
        {text !== '' && fitting.length > 1 && (
          <button type="button" onClick={() => addTyped(fitting.flatMap((one) => placesOf(one, known)))}>
            Add all {fitting.length} that match
          </button>
        )}
        {text !== '' && !typedIsKnown && (
          <button type="button" onClick={() => addTyped([typedPlace(text)])}>
            <span>
              Add {typedPlace(text).gln ? 'GLN' : 'location code'} “<bdi>{text}</bdi>”
            </span>
          </button>
        )}
        {fitting.length > offeredMax && (
          <span class="quiet small">{fitting.length - offeredMax} more. Type to narrow them.</span>
        )}
      </p>
    </>
  )
}

interface ChosenProps {
  readonly place: Place
  /** The stored places that it covers. */
  readonly stored: readonly Stored[]
  readonly onRemove: () => void
}

function ChosenPlace({ place, stored, onRemove }: ChosenProps) {
  const code = placeWords(place)
  const names = placeNames(stored)
  const counted = {
    events: stored.reduce((sum, { events }) => sum + events, 0),
    orMore: stored.some(({ orMore }) => orMore),
  }
  return (
    <li>
      <NamedPlace place={place} stored={stored} />
      <span class="quiet small number">{stored.length === 0 ? 'no events yet' : countedEvents(counted)}</span>
      <button type="button" class="plain in-line" onClick={onRemove}>
        Remove<span class="hidden"> {joinGiven(' ', names[0], code)}</span>
      </button>
    </li>
  )
}

const placeNames = (stored: readonly Stored[]): readonly string[] => [
  ...new Set(stored.flatMap(({ locationName }) => locationName ?? [])),
]

/** A place of a partner by its names, where it is stored, and its code. */
export function NamedPlace({ place, stored }: Pick<ChosenProps, 'place' | 'stored'>) {
  const names = placeNames(stored)
  return (
    <span>
      <TextList texts={names.slice(0, 2)} />
      {names.length > 0 && ' '}
      <bdi class={names.length > 0 ? 'quiet small' : undefined}>{placeWords(place)}</bdi>
    </span>
  )
}

interface StoredProps {
  readonly place: Stored
  readonly partnerId?: string | undefined
}

/** A place as it is stored, and who else sees it. */
export function StoredPlace({ place, partnerId }: StoredProps) {
  const { locationName, locationCode, gln, dataProviderVendorIds: vendors, lastEventDate, partner } = place
  const of = vendors.length > 2 ? `${vendors.length} vendors` : `vendor ${vendors.join(', ')}`
  return (
    <span class="stored-place">
      <bdi>{locationName ?? locationCode}</bdi>{' '}
      <span class="quiet small">
        <bdi>
          {joinGiven(' · ', gln && `GLN ${gln}`, locationName && `code ${locationCode}`, vendors.length > 0 && of)}
        </bdi>{' '}
        · {countedEvents(place)}, last {lastEventDate}
      </span>
      {partner && partner.id !== partnerId && (
        <span class="tag warning">
          shared with <bdi>{partner.name}</bdi>
        </span>
      )}
    </span>
  )
}
