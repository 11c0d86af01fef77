// Payloads to send: the shipped examples, with what must differ made different.
import { readFileSync } from 'node:fs'

// biome-ignore lint/suspicious/noExplicitAny: tests edit payloads freely, into wrong ones too
export type Payload = any

export const paths = {
  receivingEvent: '/data-provider/events/receiving',
  shippingEvent: '/data-provider/events/shipping',
  masterProduct: '/data-provider/products',
  location: '/data-provider/locations',
} as const

const example = (name: string): Payload =>
  JSON.parse(readFileSync(new URL(`../../../examples/${name}.json`, import.meta.url), 'utf8'))

let minutes = 0

/** Files share modules: each begins with the same date times, whatever ran before it. */
export const restartDateTimes = (): void => {
  minutes = 0
}

/** A datetime no other payload of the test file has. */
export const nextDateTime = (): string =>
  new Date(Date.UTC(2026, 1, 1) + ++minutes * 60_000).toISOString().replace('.000Z', '-05:00')

/**
 * A complete payload of an event without a finding, at a date time of its own, after `edit`.
 */
const payloadOfEvent =
  (name: string) =>
  (edit: (payload: Payload) => void = () => undefined): Payload => {
    const payload = example(name)
    delete payload.payloadId
    payload.eventList.eventDateTime = nextDateTime()
    // Before the first of these date times, and before those that tests choose.
    payload.eventList.purchaseOrderDate = '2023-12-01'
    for (const line of payload.eventList.productList)
      for (const [field, date] of [
        ['harvestDate', '2026-01-29'],
        ['packagingDate', '2026-01-30'],
      ] as const)
        if (field in line) line[field] = date
    edit(payload)
    return payload
  }

export const eventPayload = payloadOfEvent('receiving-event')
export const shippingPayload = payloadOfEvent('shipping-event')

export function productPayload(edit: (payload: Payload) => void = () => undefined): Payload {
  const payload = example('master-product')
  delete payload.payloadId
  payload.productMasterDataList.itemCode = `ITEM-${++minutes}`
  edit(payload)
  return payload
}

export function locationPayload(edit: (payload: Payload) => void = () => undefined): Payload {
  const payload = example('location')
  delete payload.payloadId
  payload.locationMasterList.locationCode = `LOC-${++minutes}`
  edit(payload)
  return payload
}

/** A fresh payload of each kind. */
export const payloadOf = {
  receivingEvent: eventPayload,
  shippingEvent: shippingPayload,
  masterProduct: productPayload,
  location: locationPayload,
}

const changeQuantity = (payload: Payload) => {
  payload.eventList.productList[0].shipQuantity += 1
}

/** A small change that keeps each kind of payload right. */
export const changed = {
  receivingEvent: changeQuantity,
  shippingEvent: changeQuantity,
  masterProduct: (payload: Payload) => {
    payload.productMasterDataList.packSize = `${payload.productMasterDataList.packSize} x`
  },
  location: (payload: Payload) => {
    payload.locationMasterList.region = `${payload.locationMasterList.region ?? ''} x`
  },
}
