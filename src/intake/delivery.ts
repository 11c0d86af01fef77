// Events in sheets that have dates without a time of day. Each gets its own event date time on that
// date. Source: §2.4 rule 2; decision 0048.
import type { ReceivingEvent } from '../contract/receiving-event.ts'
import { type EventKindName, eventKinds, isDeliveryKind } from '../contract/record-kinds.ts'
import { textHash } from './text-hash.ts'

/** Fields with the reference documents of an event. */
export const documentFields = [
  'purchaseOrderNumber',
  'billOfLadingNumber',
  'asnNumber',
] as const satisfies readonly (keyof ReceivingEvent)[]

/** Fields that distinguish the deliveries of one vendor to one place on one day. */
export const deliveryFields = ['shipFromLocationCode', ...documentFields] as const

/** How many times of day are tried for a delivery until no other event has one of them. */
export const deliveryTimesMax = 20

/**
 * The text that identifies a delivery of a vendor, or another event: of those, all that is stated
 * about it. Blanks around a code, and how many are within it, make no difference.
 */
export function deliveryIdentity(
  event: Readonly<Record<string, unknown>>,
  kind: EventKindName = 'receivingEvent',
): string {
  const textOf = (field: string) =>
    String(event[field] ?? '')
      .trim()
      .replaceAll(/\s+/g, ' ')
  if (isDeliveryKind(kind)) return deliveryFields.map(textOf).join('\u0000')
  const { lists } = eventKinds[kind]
  const fields = Object.keys(event).filter((field) => field !== 'eventDateTime' && !Object.hasOwn(lists, field))
  return JSON.stringify([kind, ...fields.sort().map((field) => [field, textOf(field)])])
}

const secondsOfDay = 86_400

/**
 * The time of day of a delivery, `HH:mm:ss`, from `earliest` to the end of the day. It depends only
 * on the text that identifies the delivery, so another file, another order of rows or a part of the
 * file gives the same time.
 */
export function deliveryTime(identity: string, earliest: string, attempt: number): string {
  const [hours = 0, minutes = 0, seconds = 0] = earliest.split(':').map(Number)
  const first = hours * 3_600 + minutes * 60 + seconds
  const second = first + (textHash(`${identity}\u0000${attempt}`) % (secondsOfDay - first))
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0')
  return `${two(second / 3_600)}:${two((second / 60) % 60)}:${two(second % 60)}`
}
