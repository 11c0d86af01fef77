// Files to be imported, made in memory, and what they are read into.

import { csvLine } from 'lotkeeper-sheets/csv'
import type { ImportFile } from 'lotkeeper-sheets/import-file'
import { type TextSheet, workbookBytes } from 'lotkeeper-sheets/text-workbook'
import { isDeliveryKind, isEventKind } from '../../../src/contract/record-kinds.ts'
import { type IntakeOptions, plainOptions, readIntake } from '../../../src/intake/intake.ts'
import type { Intake, IntakeRecord } from '../../../src/intake/intake-record.ts'
import {
  cellTextOf,
  furtherListsOf,
  type Part,
  receivingTable,
  shippingTable,
  type Table,
} from '../../../src/intake/template.ts'
import type { Payload } from '../records/payloads.ts'

/** A file of these bytes, read in pieces of `pieceLength`. */
export function memoryFile(content: string | Uint8Array, name: string, pieceLength = 7_000): ImportFile {
  const all = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return {
    name,
    size: all.length,
    bytes: async function* (start, end) {
      for (let at = start; at < Math.min(end, all.length); at += pieceLength)
        yield all.subarray(at, Math.min(end, at + pieceLength, all.length))
    },
  }
}

export async function intakeOf(
  content: string | Uint8Array,
  name: string,
  options: Partial<IntakeOptions> = {},
  pieceLength?: number,
): Promise<Intake[]> {
  const all: Intake[] = []
  for await (const one of readIntake(memoryFile(content, name, pieceLength), { ...plainOptions, ...options }))
    all.push(one)
  return all
}

export const recordsIn = (all: readonly Intake[]): IntakeRecord[] => all.filter((one) => one.is === 'record')

/** The columns of sheets that a mapping has to say the meaning of, with what is proposed for each. */
export const proposedIn = (all: readonly Intake[]): Readonly<Record<string, string | null>> =>
  Object.fromEntries(
    all
      .flatMap((one) => (one.is === 'fault' ? (one.columns?.columns ?? []) : one.is === 'columns' ? one.columns : []))
      .map(({ title, column }) => [title, column]),
  )

/** Everything that was told and is no record. */
export const toldIn = (all: readonly Intake[]): string =>
  all.map((one) => ('text' in one ? `${one.is}: ${one.text}` : '')).join('\n')

export async function workbookOf(sheets: readonly Pick<TextSheet, 'name' | 'rows'>[]): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const part of workbookBytes(
    { title: 'Test', creator: 'Test' },
    sheets.map((sheet) => ({ ...sheet, widths: [20] })),
  ))
    parts.push(part)
  return Buffer.concat(parts)
}

export const csvOf = (rows: readonly (readonly string[])[]): string => rows.map(csvLine).join('')

export const eventHeadings = receivingTable.columns.map(({ heading }) => heading)
export const shippingHeadings = shippingTable.columns.map(({ heading }) => heading)

/** The rows of our template that hold a payload: one per product line. */
export function rowsOf(payload: Payload, { columns, kind }: Table = receivingTable): string[][] {
  const event = payload.eventList
  const placeOf = (part: string, lines: Payload) =>
    payload.locationMasterList.find(({ locationCode }: Payload) =>
      [event, ...Object.values<Payload>(lines)].some((named) => locationCode === named?.[`${part}LocationCode`]),
    )
  const delivery = { shipFrom: payload.locationMasterList[0], shipTo: payload.locationMasterList[1] }
  const row = (lines: Payload, { vendorItemCode }: Payload) => {
    const parts: Record<Part, Payload> = {
      payload,
      event,
      product: payload.productMasterDataList.find(({ itemCode }: Payload) => itemCode === vendorItemCode),
      ...(isDeliveryKind(kind.name) ? delivery : {}),
      ...lines,
    }
    return columns.map((column) => cellTextOf(column, parts[column.part] ?? placeOf(column.part, lines)))
  }
  const lists = isEventKind(kind.name) ? furtherListsOf[kind.name] : []
  return [
    ...lists.flatMap((list) => (event[list] ?? []).map((line: Payload) => row({ [list]: line }, line))),
    ...event.productList.map((line: Payload) => row({ line }, line)),
  ]
}

/** A row of our template with these columns, the others blank. */
const rowWith = (cells: Readonly<Record<string, string>>): string[] => eventHeadings.map((name) => cells[name] ?? '')

/** A complete row: one line of one event. */
export const goodRow = (changes: Readonly<Record<string, string>> = {}): string[] =>
  rowWith({
    dataProviderVendorId: 'V-1',
    purchaseOrderNumber: 'PO-1',
    eventDateTime: '2026-03-04T09:30:00-06:00',
    shipFromLocationCode: 'SHIP-FROM',
    shipToLocationCode: 'SHIP-TO',
    vendorItemCode: 'TOM-1',
    shipQuantity: '40',
    shipQuantityUom: 'case',
    caseLotNumber: 'HG-2026-061',
    tlcSourceReferenceGln: '0614141000012',
    'shipFrom.locationName': 'Harbor Greenhouse',
    'shipFrom.gln': '0614141000012',
    'shipTo.locationName': 'River Warehouse',
    'shipTo.gln': '0614141999996',
    'product.itemDescription': 'Vine tomatoes 12 lb',
    ...changes,
  })
