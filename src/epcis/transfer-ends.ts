// Where an event took place, and its sources and destinations: the places and the parties at both
// ends of a transfer. Source: CBV 2.0, 7.4.2.
import type { EpcisEvent } from './document.ts'
import { entriesOf, memberOf, textOf, wordOf } from './words.ts'

export interface TransferEnd {
  readonly end: 'source' | 'destination'
  /** `location`, `owning_party`, `possessing_party`, or a word of the sender. */
  readonly type: string
  readonly uri: string
  readonly pointer: string
}

/** Sources and destinations of an event, in the order in which it lists them. */
export const transferEnds = (event: EpcisEvent): readonly TransferEnd[] =>
  (['source', 'destination'] as const).flatMap((end) =>
    entriesOf(memberOf(event, `${end}List`)).flatMap((entry) => {
      const named = memberOf(entry, end)
      const uri = textOf(named)
      if (named === undefined || uri === undefined) return []
      return [{ end, type: wordOf(textOf(memberOf(entry, 'type')) ?? ''), uri, pointer: named.pointer }]
    }),
  )

/** The place that goods come from, or go to: the first that is listed. */
export const placeAt = (end: TransferEnd['end'], ends: readonly TransferEnd[]): TransferEnd | undefined =>
  ends.find((one) => one.end === end && one.type === 'location')

/** Where the event took place. */
export const sitesOf = (event: EpcisEvent) =>
  [memberOf(event, 'bizLocation'), memberOf(event, 'readPoint')].flatMap((found) => {
    const uri = textOf(found)
    return found === undefined || uri === undefined ? [] : [{ uri, pointer: found.pointer }]
  })
