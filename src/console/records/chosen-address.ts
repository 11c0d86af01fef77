// The address at which events are corrected that were chosen one by one in a list. Pure.
import { chosenEventsMax } from '../../operations/corrections/bulk-corrections.ts'

/** Before the ids of chosen events in an address, which a server never sees. */
const chosenMark = 'chosen='

/** Where events are corrected that were chosen one by one; undefined for more than one takes. */
export const chosenAddress = (ids: readonly string[]): string | undefined =>
  ids.length > chosenEventsMax ? undefined : `/corrections/new#${chosenMark}${ids.join(',')}`

/** The events that an address chooses; empty where it chooses none. */
export const chosenIn = (hash: string): readonly string[] =>
  hash.startsWith(chosenMark) ? hash.slice(chosenMark.length).split(',').filter(Boolean) : []
