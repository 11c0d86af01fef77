// Files of rows that are broken in any way and repaired again, and what an import makes of them.
import fc from 'fast-check'
import { csvRows } from 'lotkeeper-sheets/csv'
import type { ImportFile } from 'lotkeeper-sheets/import-file'
import { expect } from 'vitest'
import { differencesBetween } from '../../../src/contract/differences.ts'
import type { EventKindName } from '../../../src/contract/record-kinds.ts'
import { instantOf } from '../../../src/contract/shape/date-and-time.ts'
import { type ImportEnd, ImportRun, type Rejection } from '../../../src/intake/import-run.ts'
import { plainOptions } from '../../../src/intake/intake.ts'
import { rejectedEntry, rejectedFile } from '../../../src/intake/rejected-rows.ts'
import { type RecordCalls, sendRecord } from '../../../src/intake/send-record.ts'
import type { Payload } from '../records/payloads.ts'
import { now } from '../records/prove-rule.ts'
import { csvOf, eventHeadings, goodRow, shippingHeadings } from './import-files.ts'

type Row = readonly string[]
type Cells = Readonly<Record<string, string>>

/** Rows of a file as they should be, and as somebody handed them in. */
export interface BrokenFile {
  readonly kind: EventKindName
  readonly whole: readonly Row[]
  readonly broken: readonly Row[]
}

const lotAt = eventHeadings.indexOf('caseLotNumber')

const line = fc.record({ item: fc.constantFrom('TOM-1', 'TOM-2'), quantity: fc.integer({ min: 1, max: 90 }) })

/**
 * Events with keys of their own, that have as much in common as events can. Several orders may be
 * shipped at one time.
 */
const eventsOf = (kind: EventKindName) =>
  fc.uniqueArray(
    fc.record({
      vendor: fc.constantFrom('V-1', 'V-2'),
      shipTo: fc.constantFrom('DC-1', 'DC-2'),
      day: fc.constantFrom('04', '05', '06'),
      order: fc.constantFrom('PO-1', 'PO-2'),
      lines: fc.array(line, { minLength: 1, maxLength: 4 }),
    }),
    {
      minLength: 1,
      maxLength: 5,
      selector: ({ vendor, shipTo, day, order }) =>
        [vendor, shipTo, day, ...(kind === 'shippingEvent' ? [order] : [])].join(' '),
    },
  )

/**
 * Cells that cannot be read or may not be so; what can be read and is another valid value is no
 * break that a reader could see.
 */
const breaks: readonly Cells[] = [
  { eventDateTime: '2026-03-40T09:30:00-06:00' },
  { eventDateTime: '2026-03-04' },
  { eventDateTime: 'soon' },
  { eventDateTime: '' },
  { dataProviderVendorId: '' },
  { dataProviderVendorId: 'V'.repeat(101) },
  { shipToLocationCode: '' },
  { shipToLocationCode: 'D'.repeat(101) },
  { shipQuantity: 'many' },
  { shipQuantity: '' },
  { expirationDate: 'never' },
  { vendorItemCode: '' },
  { shipFromLocationCode: '' },
  { 'shipTo.gln': '12' },
  { caseGtin: '1.06E+13' },
]
/** A shipment may have no purchase order. */
const breaksOf = (kind: EventKindName) =>
  fc.constantFrom(...breaks, ...(kind === 'receivingEvent' ? [{ purchaseOrderNumber: '' }] : []))

const withCells = (row: Row, cells: Cells): Row => eventHeadings.map((name, at) => cells[name] ?? row[at] ?? '')

export const brokenFile: fc.Arbitrary<BrokenFile> = fc
  .constantFrom<EventKindName>('receivingEvent', 'shippingEvent')
  .chain((kind) => eventsOf(kind).chain((all) => brokenFileOf(kind, all)))

type Events = ReturnType<typeof eventsOf> extends fc.Arbitrary<infer All> ? All : never

function brokenFileOf(kind: EventKindName, all: Events): fc.Arbitrary<BrokenFile> {
  let lots = 0
  const whole = all.flatMap(({ vendor, shipTo, day, order, lines }) =>
    lines.map(({ item, quantity }) =>
      goodRow({
        dataProviderVendorId: vendor,
        shipToLocationCode: shipTo,
        eventDateTime: `2026-03-${day}T09:30:00-06:00`,
        purchaseOrderNumber: order,
        vendorItemCode: item,
        'product.itemDescription': `What ${item} is`,
        shipQuantity: String(quantity),
        caseLotNumber: `L${++lots}`,
      }),
    ),
  )
  const indexes = whole.map((_, i) => i)
  return fc
    .record({
      order: fc.oneof(
        fc.constant(indexes),
        fc.shuffledSubarray(indexes, { minLength: indexes.length }),
        // One row cut out and put elsewhere.
        fc.tuple(fc.nat(whole.length - 1), fc.nat(whole.length - 1)).map(([from, to]) => {
          const moved = indexes.filter((i) => i !== from)
          moved.splice(to, 0, from)
          return moved
        }),
      ),
      broken: fc.array(fc.tuple(fc.nat(whole.length - 1), breaksOf(kind)), { maxLength: 4 }),
    })
    .map(({ order, broken }) => ({
      kind,
      whole,
      broken: order.map((i) =>
        broken.filter(([at]) => at === i).reduce<Row>((row, [, cells]) => withCells(row, cells), whole[i] ?? []),
      ),
    }))
}

const fileOf = (content: string | Uint8Array, name: string): ImportFile => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return {
    name,
    size: bytes.length,
    bytes: async function* (start, end) {
      for (let at = start; at < Math.min(end, bytes.length); at += 997)
        yield bytes.subarray(at, Math.min(end, at + 997, bytes.length))
    },
  }
}

export interface Imported {
  readonly end: ImportEnd
  readonly rejections: readonly Rejection[]
  /** The file of rejected rows; empty when there are none. */
  readonly rejectedText: string
}

/** Imports a file; nobody is there to allow that lines are removed. */
export async function imported(
  calls: RecordCalls,
  content: string | Uint8Array,
  name: string,
  replace: boolean,
): Promise<Imported> {
  const rejections: Rejection[] = []
  const run = new ImportRun(
    fileOf(content, name),
    { intake: plainOptions, settings: { lotNumberRequiredFrom: '2026-01-01' }, now, parallel: 4 },
    {
      send: (record) =>
        sendRecord(calls, record, {
          replace,
          dryRun: false,
          mayRemove: async () => false,
          remedies: { replace: '', remove: '' },
        }),
      stopAsked: () => false,
      onNote: () => undefined,
      onColumns: () => undefined,
      onEnded: ({ rejected }) => {
        if (rejected !== undefined) rejections.push(rejected)
      },
      onProgress: () => undefined,
    },
  )
  const end = await run.run()
  const file = await rejectedFile(async function* () {
    for (const rejection of rejections) yield rejectedEntry(rejection)
  })
  let rejectedText = ''
  for await (const part of file?.parts ?? []) rejectedText += part
  return { end, rejections, rejectedText }
}

export const csvFile = (rows: readonly Row[], kind: EventKindName = 'receivingEvent'): string =>
  csvOf([kind === 'shippingEvent' ? shippingHeadings : eventHeadings, ...rows])

/** The rows of a file of rejected rows. */
async function rowsIn(rejectedText: string): Promise<readonly Row[]> {
  const all: Row[] = []
  const text = async function* () {
    yield rejectedText.slice(1)
  }
  for await (const rows of csvRows(text()))
    for (const { cells } of rows) all.push(eventHeadings.map((_, at) => cells[at]?.text ?? ''))
  return all.slice(1)
}

/** Puts the rejected rows right: each as it should be, in the order in which they should stand. */
export async function repaired(rejectedText: string, { kind, whole }: BrokenFile): Promise<string> {
  const lots = new Set((await rowsIn(rejectedText)).map((row) => row[lotAt]))
  return csvFile(
    whole.filter((row) => lots.has(row[lotAt])),
    kind,
  )
}

/** Puts some of the rejected rows right, each where it stands. */
export async function repairedInPart(
  rejectedText: string,
  { kind, whole }: BrokenFile,
  isRepaired: (row: number) => boolean,
): Promise<string> {
  const rows = await rowsIn(rejectedText)
  return csvFile(
    rows.map((row, i) => (isRepaired(i) ? (whole.find((one) => one[lotAt] === row[lotAt]) ?? row) : row)),
    kind,
  )
}

/** Payloads in an order that does not depend on the order of rows. */
export const inOrder = (payloads: readonly Payload[]): unknown[] =>
  payloads
    .map(({ id: _, ...payload }) => {
      const eventList = { ...payload.eventList, productList: sorted(payload.eventList.productList, 'caseLotNumber') }
      const productMasterDataList = sorted(payload.productMasterDataList, 'itemCode')
      return { place: JSON.stringify(eventList), payload: { ...payload, productMasterDataList, eventList } }
    })
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ payload }) => payload)

/** Expects each of them among the wanted ones. Texts are compared first: they hardly ever differ. */
export function expectAmong(payloads: readonly unknown[], wanted: readonly unknown[]): void {
  const texts = new Set(wanted.map((one) => JSON.stringify(one)))
  for (const one of payloads) if (!texts.has(JSON.stringify(one))) expect(wanted).toContainEqual(one)
}

const sorted = (list: readonly Payload[], by: string): Payload[] => [...list].sort((a, b) => (a[by] < b[by] ? -1 : 1))

/** What an import asks a service, answered from memory. */
export function serviceInMemory(): { readonly calls: RecordCalls; readonly payloads: () => readonly Payload[] } {
  const records = new Map<string, { payload: Payload; version: number }>()
  const keyOf = (kind: string, { eventList }: Payload) =>
    [
      ...[kind, eventList.dataProviderVendorId, eventList.shipToLocationCode, instantOf(eventList.eventDateTime)],
      ...(kind === 'shippingEvent' ? [eventList.shipFromLocationCode, eventList.purchaseOrderNumber] : []),
    ].join(' ')
  const holder = (id: string) => {
    const found = records.get(id)
    if (found === undefined) throw new Error(`There is no record ${id}.`)
    return found
  }
  return {
    payloads: () => [...records.values()].map(({ payload }) => payload),
    calls: {
      create: async ({ name }, payload, { dryRun }) => {
        const id = keyOf(name, payload)
        if (records.has(id)) return { is: 'taken', by: id, message: 'taken' }
        if (dryRun) return { is: 'judged' }
        records.set(id, { payload, version: 1 })
        return { is: 'created', ids: [id] }
      },
      findProduct: async () => undefined,
      read: async (_, id) => holder(id),
      compare: async (_, id, payload) => {
        const before = holder(id)
        const changes = differencesBetween(before.payload, payload)
        return Object.values(changes).every((pointers) => pointers.length === 0)
          ? { is: 'unchanged' }
          : { is: 'differs', version: before.version, changes }
      },
      replace: async (_, id, payload, version) => {
        if (holder(id).version !== version) return { is: 'stale', message: 'stale' }
        records.set(id, { payload, version: version + 1 })
        return { is: 'replaced' }
      },
    },
  }
}
