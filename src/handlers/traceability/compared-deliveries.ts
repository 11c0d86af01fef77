// Compares the shipping and receiving events of a period (decision 0081).
import { dayAfter } from '../../contract/shape/date-and-time.ts'
import { comparedEventsMax, comparedLinesMax } from '../../operations/traceability/differences.ts'
import { findReceivers, findVendorsThatShip, selectDeliveries } from '../../store/traceability/delivery-events.ts'
import { compareDeliveries } from '../../tracing/delivery-comparison.ts'
import type { DeliveryDifference } from '../../tracing/delivery-difference.ts'
import type { DeliveryEvent } from '../../tracing/delivery-event.ts'
import { dateOf, deliveryDifference } from '../../tracing/difference-words.ts'
import { runCooperatively } from '../base/cooperative.ts'
import type { HandlerContext } from '../base/handler.ts'
import { gatherDeliveries } from './gathered-deliveries.ts'

export interface ComparedPeriod {
  readonly eventStartDate: string
  readonly eventEndDate: string
  readonly underWayDays: number
  readonly dataProviderVendorId: readonly string[] | undefined
}

export interface PeriodDifferences {
  /** Of the period, the latest first. */
  readonly differences: readonly DeliveryDifference[]
  readonly shipped: { readonly events: number; readonly lines: number }
  readonly received: { readonly events: number; readonly lines: number }
  readonly underWayLines: number
  readonly notCompared: { readonly shippedEvents: number; readonly receivedEvents: number }
}

/**
 * Days that are read before and after a period, besides those under way: a late receipt differs in
 * its date, and is not a shipment that never arrived.
 */
const extraDays = 7

/** The end of the last comparison of this process: they take their turns, for the memory's sake. */
let lastTurn: Promise<unknown> = Promise.resolve()

/** The differences of a period, or undefined when it has more than can be compared at once. */
export function comparePeriod(
  context: HandlerContext,
  provider: string,
  period: ComparedPeriod,
): Promise<PeriodDifferences | undefined> {
  const turn = lastTurn.then(() => compareNow(context, provider, period))
  lastTurn = turn.catch(() => undefined)
  return turn
}

async function compareNow(
  context: HandlerContext,
  provider: string,
  { eventStartDate, eventEndDate, underWayDays, dataProviderVendorId }: ComparedPeriod,
): Promise<PeriodDifferences | undefined> {
  const { store } = context
  const margin = underWayDays + extraDays
  const wanted = {
    provider,
    eventStartDate: dayAfter(eventStartDate, -margin),
    eventEndDate: dayAfter(eventEndDate, margin),
    dataProviderVendorId,
    limit: comparedEventsMax + 1,
  }
  const [shipped, received] = await Promise.all([
    selectDeliveries.shipped(store, wanted),
    selectDeliveries.received(store, wanted),
  ])
  const lines = [...shipped, ...received].reduce((sum, { lineCount }) => sum + lineCount, 0)
  if (shipped.length + received.length > comparedEventsMax || lines > comparedLinesMax) return undefined
  const gathered = {
    shipped: await gatherDeliveries(context, provider, 'shipped', shipped),
    received: await gatherDeliveries(context, provider, 'received', received),
  }
  const comparable = await chooseComparable(context, provider, gathered.shipped, gathered.received)
  const today = new Date().toISOString().slice(0, 10)
  const { differences, underWay } = await runCooperatively(
    compareDeliveries([...comparable.shipped, ...comparable.received], {
      daysUnderWay: underWayDays,
      knownUntil: wanted.eventEndDate < today ? wanted.eventEndDate : today,
    }),
  )
  const isInPeriod = (date: string) => date >= eventStartDate && date <= eventEndDate
  const countOf = (events: readonly DeliveryEvent[]) => {
    const own = events.filter(({ date }) => isInPeriod(date))
    return { events: own.length, lines: own.reduce((sum, event) => sum + event.lines.length, 0) }
  }
  return {
    differences: differences
      .filter((one) => isInPeriod(dateOf(one)))
      .map(deliveryDifference)
      .map((one) => ({ one, place: placeOf(one) }))
      .sort((some, other) => (isBehind(other.place, some.place) ? -1 : 1))
      .map(({ one }) => one),
    shipped: countOf(comparable.shipped),
    received: countOf(comparable.received),
    underWayLines: underWay.filter(({ event }) => isInPeriod(event.date)).length,
    notCompared: {
      shippedEvents: countOf(gathered.shipped).events - countOf(comparable.shipped).events,
      receivedEvents: countOf(gathered.received).events - countOf(comparable.received).events,
    },
  }
}

/** The place of a difference in the list. */
export interface DifferencePlace {
  readonly date: string
  /** Distinguishes differences of one date. */
  readonly text: string
}

export const placeOf = ({ date, kind, shipped, received }: DeliveryDifference): DifferencePlace => ({
  date,
  text: [shipped, received]
    .map(
      (side) =>
        side?.records
          .slice(0, 2)
          .map(({ id, pointer }) => `${id}${pointer.replace(/\D+/, ' ')}`)
          .join(' ') ?? '',
    )
    .join(' ')
    .concat(` ${kind}`),
})

/** True when a place comes after another in the list: the latest dates come first. */
export const isBehind = (some: DifferencePlace, other: DifferencePlace): boolean =>
  some.date < other.date || (some.date === other.date && some.text > other.text)

/**
 * Leaves out events without a counterpart: receipts of vendors that never send shipping events, and
 * shipments to places that never receive here, of vendors of which nothing was ever received.
 */
async function chooseComparable(
  { store }: HandlerContext,
  provider: string,
  shipped: readonly DeliveryEvent[],
  received: readonly DeliveryEvent[],
): Promise<{ readonly shipped: readonly DeliveryEvent[]; readonly received: readonly DeliveryEvent[] }> {
  const [shipping, receiving] = [shipped, received].map((events) => new Set(events.map(({ vendor }) => vendor)))
  const oneSided = shipped.filter(({ vendor }) => receiving?.has(vendor) !== true)
  const distinct = (texts: readonly string[]) => [...new Set(texts)]
  const [shippers, receivers] = await Promise.all([
    findVendorsThatShip(
      store,
      provider,
      distinct(received.map(({ vendor }) => vendor)).filter((vendor) => shipping?.has(vendor) !== true),
    ),
    findReceivers(
      store,
      provider,
      distinct(oneSided.map(({ vendor }) => vendor)),
      distinct(oneSided.map(({ shipTo }) => shipTo.code)),
    ),
  ])
  return {
    shipped: shipped.filter(
      ({ vendor, shipTo }) =>
        receiving?.has(vendor) === true || receivers.vendors.has(vendor) || receivers.places.has(shipTo.code),
    ),
    received: received.filter(({ vendor }) => shipping?.has(vendor) === true || shippers.has(vendor)),
  }
}
