// Payloads to send: the shipped examples, with what must differ made different.
import { readFileSync } from 'node:fs'
import {
  type EventKindName,
  eventKinds,
  isDeliveryKind,
  ofEventKinds,
  type RecordKindName,
  recordKinds,
} from '../../../src/contract/record-kinds.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests edit payloads freely, into wrong ones too
export type Payload = any

export const paths = Object.fromEntries(recordKinds.map(({ name, path }) => [name, path])) as Readonly<
  Record<RecordKindName, string>
>

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
  (kind: EventKindName) =>
  (edit: (payload: Payload) => void = () => undefined): Payload => {
    const payload = example(eventKinds[kind].sample.replace('.json', ''))
    delete payload.payloadId
    payload.eventList.eventDateTime = nextDateTime()
    // Before the first of these date times, and before those that tests choose.
    if (isDeliveryKind(kind)) payload.eventList.purchaseOrderDate = '2023-12-01'
    for (const line of payload.eventList.productList)
      for (const [field, date] of [
        ['harvestDate', '2026-01-29'],
        ['productionDate', '2026-01-30'],
        ['packagingDate', '2026-01-30'],
      ] as const)
        if (field in line) line[field] = date
    edit(payload)
    return payload
  }

const eventPayloads = ofEventKinds(payloadOfEvent)
export const { receivingEvent: eventPayload, shippingEvent: shippingPayload } = eventPayloads

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
  ...eventPayloads,
  masterProduct: productPayload,
  location: locationPayload,
}

const changeQuantity = (payload: Payload) => {
  payload.eventList.productList[0].shipQuantity += 1
}

/** A small change that keeps each kind of payload right. */
export const changed = {
  ...ofEventKinds(() => changeQuantity),
  masterProduct: (payload: Payload) => {
    payload.productMasterDataList.packSize = `${payload.productMasterDataList.packSize} x`
  },
  location: (payload: Payload) => {
    payload.locationMasterList.region = `${payload.locationMasterList.region ?? ''} x`
  },
}
