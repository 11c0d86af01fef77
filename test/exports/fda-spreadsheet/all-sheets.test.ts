// FDA's workbook of all kinds of events: every row is what a plain recount of the events says, and
// whoever imports the workbook and makes it again gets the same rows.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exemptionReasonNames } from '../../../src/contract/exempt-place.ts'
import { type EventKindName, eventKinds } from '../../../src/contract/record-kinds.ts'
import type { AnyExportedEvent } from '../../../src/exports/exported-event.ts'
import type { ExportFilters } from '../../../src/exports/fda-spreadsheet/event-lines.ts'
import { type KindSheet, kindSheets, receiving, sheetsFor } from '../../../src/exports/fda-spreadsheet/kind-sheets.ts'
import { pairsMax, rowsAtMost, sheetRows } from '../../../src/exports/fda-spreadsheet/sheet-rows.ts'
import { fdaWorkbook } from '../../../src/exports/fda-spreadsheet/spreadsheet.ts'
import { Tally } from '../../../src/exports/fda-spreadsheet/tally.ts'
import { sheetNames } from '../../../src/operations/traceability/export-fda.ts'
import { intakeOf, recordsIn, toldIn } from '../../support/files/import-files.ts'
import { readWorkbook, whole } from '../../support/files/read-workbook.ts'
import type { Payload } from '../../support/records/payloads.ts'
import { runs } from '../../support/runs.ts'

interface Stored {
  readonly kind: EventKindName
  readonly payload: Payload
  /** Of a receipt, why its source is exempt. */
  readonly reason?: (typeof exemptionReasonNames)[number]
}

const sheetFor = (kind: EventKindName): KindSheet => sheetsFor(kind)[0] ?? receiving

const exportedOf = ({ kind, payload, reason }: Stored, n = 0): AnyExportedEvent => ({
  kind,
  id: `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  version: 1,
  payload,
  ...(reason && { exemption: { reason } }),
  locations: new Map(payload.locationMasterList.map((one: Payload) => [one.locationCode, one])),
  products: new Map(payload.productMasterDataList.map((one: Payload) => [one.itemCode, one])),
  gaps: () => [],
})

async function workbookOf(events: readonly Stored[], filters: ExportFilters = {}): Promise<Uint8Array> {
  const batches = async function* (kind: EventKindName) {
    yield events.filter((one) => one.kind === kind).map(exportedOf)
  }
  const others = kindSheets.filter((sheet) => sheet !== receiving)
  const request = {
    ...{ provider: 'Harbor Greens', filters, madeAt: new Date('2026-04-01T00:00:00Z'), gaps: false },
    others: others.map((sheet) => ({ sheet, read: () => batches(sheet.kind.name), rows: 10 })),
  }
  return whole(fdaWorkbook(request, batches('receivingEvent'), new Tally(false), { lines: 10, judging: false }))
}

/** The rows of each kind in an order of their own, since a date has no time of day. */
async function rowsIn(workbook: Uint8Array): Promise<Readonly<Record<string, readonly string[]>>> {
  const sheets = await readWorkbook(workbook)
  return Object.fromEntries(
    kindSheets.map(({ name, columns }) => [
      name,
      (sheets.get(name) ?? [])
        .slice(1)
        .map((row) => JSON.stringify(columns.map((_, i) => row[i] ?? '')))
        .sort(),
    ]),
  )
}

// Places, foods and events as farms, packers, docks and kitchens have them.

const locations = Array.from({ length: 6 }, (_, n) => ({
  locationCode: `L-${n}`,
  locationName: ['Dune Farm', 'Kelp Cove, Inc.', 'Häfen №4'][n % 3] as string,
  ...(n !== 2 && { phoneNumber: `+1.831.555.010${n}` }),
  address: {
    streetAddress1: `${n} Quay Street`,
    ...(n === 3 && { streetAddress2: 'Gate B, behind the cold store' }),
    city: 'Watsonville',
    ...(n !== 1 && { state: 'CA', postalCode: `0950${n}` }),
    ...(n % 2 === 0 && { country: 'USA' }),
  },
}))
const location = fc.constantFrom(...locations)

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })
const numbered = (name: string, count = 3) => fc.integer({ min: 1, max: count }).map((n) => `${name} ${n}`)
const lotCode = fc.oneof(fc.constantFrom('007', '1E5', "O'Brien", '=1+1', 'NA-2291'), numbered('LOT', 6))

const products = fc
  .uniqueArray(
    fc.record(
      {
        itemCode: numbered('ITEM', 4),
        itemDescription: numbered('Food', 4),
        brandName: numbered('Brand'),
        productCommodity: fc.constantFrom('Lettuce', 'Shrimp'),
        productVariety: numbered('Variety'),
        packSize: fc.constantFrom('12 lb', '24 ct'),
        packStyle: fc.constantFrom('carton', 'NA crate'),
        acceptableSpeciesName: fc.constantFrom('Cod', 'Tuna'),
        scientificName: fc.constantFrom('Gadus morhua', 'Thunnus; thynnus'),
      },
      { requiredKeys: ['itemCode', 'itemDescription'] },
    ),
    { minLength: 1, maxLength: 4, selector: ({ itemCode }) => itemCode },
  )
  .map((some) => some as readonly Payload[])

const without = (fields: Payload): Payload => JSON.parse(JSON.stringify(fields))

const line = (itemCodes: readonly string[], more: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc
    .record({
      vendorItemCode: fc.constantFrom(...itemCodes),
      shipQuantity: fc.constantFrom(1, 40, 12.5, 0.1 + 0.2, 1_000_000),
      shipQuantityUom: fc.constantFrom('case', 'lb', 'bin'),
      ...more,
    })
    .map(without)

const ofLot = {
  caseLotNumber: maybe(lotCode),
  vendorItemDescription: maybe(numbered('Described')),
  tlcSourceReferenceFfrn: maybe(fc.constantFrom('14532865782', '11111111112')),
  tlcSourceReferenceUrl: maybe(fc.constantFrom('https://lots.example/7')),
}
const lineFields: Partial<Record<EventKindName, Readonly<Record<string, fc.Arbitrary<unknown>>>>> = {
  harvestingEvent: { growingAreaName: maybe(numbered('Field')), containerName: maybe(numbered('Pond')) },
  coolingEvent: {},
}

const code = maybe(location.map(({ locationCode }) => locationCode))
const date = maybe(fc.constantFrom('2026-03-02', '2026-03-03'))
const ofReceived = {
  ...{ receivedDate: date, growingAreaName: maybe(numbered('Field')), containerName: maybe(numbered('Pond')) },
  ...{ harvesterName: maybe(numbered('Crew')), harvesterPhoneNumber: maybe(fc.constant('+1.831.555.0177')) },
  ...{ harvestDate: date, coolingDate: date, harvestLocationCode: code, coolingLocationCode: code },
}
const ofExempt = { receivedDate: date, exemptSourceLocationCode: location.map(({ locationCode }) => locationCode) }
/** One that says nothing is an empty row, which no reader of sheets sees. */
const seedLine = fc
  .record({ seedType: numbered('Seed'), seedPackingDate: date, seedPackerLocationCode: code })
  .map(without)

const documents = {
  referenceDocumentType: maybe(fc.constantFrom('Harvest Log', 'Work Order')),
  referenceDocumentNumber: maybe(numbered('WO-7; ', 6)),
  referenceDocumentType2: maybe(fc.constantFrom('Invoice')),
  referenceDocumentNumber2: maybe(numbered('No.')),
}
const tripFields = {
  harvestStartDate: maybe(fc.constantFrom('2026-02-27', '2026-02-28')),
  harvestEndDate: maybe(fc.constantFrom('2026-03-01', '2026-03-02')),
  harvestAreaList: maybe(fc.array(fc.constantFrom('NMFS 5A', '36.6 N, 121.9 W'), { minLength: 1, maxLength: 3 })),
}
/** Runs of one day are told apart by their documents alone, so each has its own. */
const own = { referenceDocumentNumber2: fc.uuid() }

const places: Readonly<Record<string, readonly string[]>> = {
  harvestingEvent: ['harvestLocationCode', 'shipToLocationCode'],
  coolingEvent: ['coolingLocationCode', 'shipToLocationCode', 'harvestLocationCode'],
  initialPackingEvent: ['packingLocationCode'],
  firstLandBasedReceivingEvent: ['receivingLocationCode'],
  transformationEvent: ['transformationLocationCode'],
}
const chainKinds = Object.keys(places) as readonly EventKindName[]

const eventOf = (kind: EventKindName): fc.Arbitrary<Stored> =>
  fc.tuple(products, fc.array(location, { minLength: 3, maxLength: 3 }), fc.boolean()).chain(([foods, at, exempt]) => {
    const lines = (least: number, fields = lineFields[kind] ?? ofLot) =>
      fc.array(
        line(
          foods.map(({ itemCode }) => itemCode),
          fields,
        ),
        {
          minLength: least,
          maxLength: 4,
        },
      )
    const codes = Object.fromEntries((places[kind] ?? []).map((field, i) => [field, at[i]?.locationCode]))
    return fc
      .record({
        day: fc.constantFrom('2026-03-07', '2026-03-08'),
        hour: fc.integer({ min: 10, max: 23 }),
        fields: fc.record({
          ...documents,
          ...(kind === 'firstLandBasedReceivingEvent' && tripFields),
          ...((kind === 'transformationEvent' || kind === 'initialPackingEvent') && own),
        }),
        productList: lines(1),
        ...(kind === 'transformationEvent' && { ingredientList: lines(0) }),
        ...(kind === 'initialPackingEvent' && {
          receivedList: lines(0, exempt ? ofExempt : ofReceived),
          seedList: fc.array(seedLine, { maxLength: 2 }),
        }),
      })
      .map(({ day, hour, fields, ...lists }) => ({
        kind,
        payload: {
          productMasterDataList: foods,
          locationMasterList: locations,
          eventList: {
            ...{ dataProviderVendorId: 'V-1', eventDateTime: `${day}T${hour}:00:00-06:00`, ...codes },
            ...without(fields),
            ...lists,
          },
        },
      }))
  })

const manyEvents = fc.array(fc.oneof(...chainKinds.map(eventOf)), { minLength: 1, maxLength: 14 })

// The recount: by hand, column by column.

const shown = (value: unknown): string => (value === undefined ? '' : String(value))
const day = (date: string | undefined): string =>
  date === undefined ? '' : `${date.slice(5, 7)}/${date.slice(8, 10)}/${date.slice(0, 4)}`
/** A spreadsheet keeps 15 digits of a number; one with more is text. */
const described = ({ locationName, phoneNumber, address }: Payload): string[] =>
  [
    locationName,
    phoneNumber,
    [address.streetAddress1, address.streetAddress2].filter(Boolean).join(', '),
    address.city,
    address.state,
    address.postalCode,
    address.country,
  ].map(shown)
const referencesOf = ({ tlcSourceReferenceFfrn: ffrn, tlcSourceReferenceUrl: url }: Payload): string =>
  [ffrn && `FFRN:${ffrn}`, url].filter(Boolean).join('; ')

/** The rows of an event by sheet. */
function recount({ kind, payload }: Stored): Readonly<Record<string, string[][]>> {
  const { eventList: event, productMasterDataList, locationMasterList } = payload
  const placed = (code: string | undefined): string[] => {
    const found = locationMasterList.find((one: Payload) => one.locationCode === code)
    return found === undefined ? Array<string>(7).fill('') : described(found)
  }
  const at = (field: string) => placed(event[field])
  const foodOf = ({ vendorItemCode }: Payload): Payload =>
    productMasterDataList.find(({ itemCode }: Payload) => itemCode === vendorItemCode)
  const commodity = (one: Payload) => [
    shown(foodOf(one).productCommodity ?? foodOf(one).acceptableSpeciesName),
    shown(foodOf(one).productVariety ?? foodOf(one).scientificName),
  ]
  const food = (one: Payload, kinds = commodity(one)) => [
    shown(one.vendorItemDescription ?? foodOf(one).itemDescription),
    shown(foodOf(one).brandName),
    ...kinds,
    shown(foodOf(one).packSize),
    shown(foodOf(one).packStyle),
  ]
  const quantity = (one: Payload) => [shown(one.shipQuantity), one.shipQuantityUom]
  const date = day(event.eventDateTime.slice(0, 10))
  const papers = ['Type', 'Number', 'Type2', 'Number2'].map((name) => shown(event[`referenceDocument${name}`]))
  const [shipTo, farm] = [at('shipToLocationCode'), at('harvestLocationCode')]
  switch (kind) {
    case 'harvestingEvent':
      return {
        Harvesting: event.productList.map((one: Payload) => [
          ...[...shipTo, ...commodity(one), ...quantity(one), ...farm],
          ...[shown(one.growingAreaName), shown(one.containerName), date, ...papers],
        ]),
      }
    case 'coolingEvent':
      return {
        Cooling: event.productList.map((one: Payload) => [
          ...[...shipTo, ...commodity(one), ...quantity(one), ...at('coolingLocationCode'), date, ...farm, ...papers],
        ]),
      }
    case 'firstLandBasedReceivingEvent':
      return {
        'First Land-Based Receiving': event.productList.map((one: Payload) => {
          const { acceptableSpeciesName, scientificName, productCommodity, productVariety } = foodOf(one)
          return [
            ...[shown(one.caseLotNumber), [acceptableSpeciesName, scientificName].filter(Boolean).join('; ')],
            ...[...food(one, [shown(productCommodity), shown(productVariety)]), ...quantity(one)],
            ...[day(event.harvestStartDate), day(event.harvestEndDate), (event.harvestAreaList ?? []).join('; ')],
            ...[...at('receivingLocationCode'), referencesOf(one), date, ...papers],
          ]
        }),
      }
    case 'initialPackingEvent': {
      const isExempt = event.receivedList.some((one: Payload) => one.exemptSourceLocationCode !== undefined)
      const farmed = (one: Payload) => [
        ...[...placed(one.harvestLocationCode), shown(one.growingAreaName), shown(one.containerName)],
        ...[shown(one.harvesterName), shown(one.harvesterPhoneNumber), day(one.harvestDate)],
        ...[...placed(one.coolingLocationCode), day(one.coolingDate)],
      ]
      const incoming = event.receivedList.map((one: Payload) => [
        ...[...commodity(one), day(one.receivedDate), ...quantity(one)],
        ...(isExempt ? placed(one.exemptSourceLocationCode) : farmed(one)),
      ])
      const packed = event.productList.map((one: Payload) => [
        ...[shown(one.caseLotNumber), ...food(one), ...quantity(one)],
        referencesOf(one),
      ])
      const width = isExempt ? 12 : 25
      const row = (one = Array<string>(width).fill(''), other = Array<string>(10).fill('')) => [
        ...[...one, ...other.slice(0, -1), ...at('packingLocationCode'), ...other.slice(-1), date, ...papers],
      ]
      return {
        [isExempt ? 'Initial Packing from Exempt' : 'Initial Packing']: pairsOf(incoming, packed, row),
        'Initial Packing Sprouts': event.seedList.map((one: Payload) => [
          ...Array<string>(17).fill(''),
          ...[...placed(one.seedPackerLocationCode), day(one.seedPackingDate)],
          ...Array<string>(20).fill(''),
          ...[shown(one.seedType), ...Array<string>(8).fill('')],
        ]),
      }
    }
    default: {
      const used = event.ingredientList.map((one: Payload) => [
        ...[shown(one.caseLotNumber), ...food(one), ...quantity(one)],
      ])
      const made = event.productList.map((one: Payload) => [
        ...[shown(one.caseLotNumber), referencesOf(one), ...food(one), ...quantity(one)],
      ])
      const row = (one = Array<string>(9).fill(''), other = Array<string>(10).fill('')) => [
        ...[...one, ...other.slice(0, 1), ...at('transformationLocationCode'), ...other.slice(1, 2), date],
        ...[...other.slice(2), ...papers],
      ]
      return { Transformation: pairsOf(used, made, row) }
    }
  }
}

/** Each with each, and what is there again alone. */
function pairsOf(
  some: string[][],
  others: string[][],
  row: (one?: string[], other?: string[]) => string[],
): string[][] {
  if (some.length === 0) return others.map((other) => row(undefined, other))
  const isFirst = (all: string[][]) => (one: string[], i: number) => all.findIndex((two) => isSame(one, two)) === i
  const [firsts, otherFirsts] = [some.filter(isFirst(some)), others.filter(isFirst(others))]
  return [
    ...firsts.flatMap((one) => otherFirsts.map((other) => row(one, other))),
    ...some.filter((one) => !firsts.includes(one)).map((one) => row(one)),
    ...others.filter((one) => !otherFirsts.includes(one)).map((one) => row(undefined, one)),
  ]
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const importOptions = { utcOffset: '-06:00', defaults: { dataProviderVendorId: 'V-1' } } as const

async function importedFrom(workbook: Uint8Array): Promise<readonly Stored[]> {
  const all = await intakeOf(workbook, 'fda.xlsx', importOptions)
  const records = recordsIn(all)
  expect(records.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error'))).toEqual([])
  return records.map(({ kind, payload }) => ({ kind: kind.name as EventKindName, payload: payload as Payload }))
}

/** Sheets that have too little for an event: no packing, or no quantity and no place of receipt. */
const unread = ['Initial Packing Sprouts', ...kindSheets.slice(-3).map(({ name }) => name)]

describe('the workbook of all kinds', () => {
  test('has the rows of a recount, and loses none of them when it is imported and made again', async () => {
    await fc.assert(
      fc.asyncProperty(manyEvents, async (events) => {
        const workbook = await workbookOf(events)
        const rows = await rowsIn(workbook)
        const counted = events.map(recount)
        for (const { name } of kindSheets)
          expect(rows[name], name).toEqual(
            counted
              .flatMap((sheets) => sheets[name] ?? [])
              .map((row) => JSON.stringify(row))
              .sort(),
          )
        const again = await rowsIn(await workbookOf(await importedFrom(workbook)))
        // The sheet of seeds names no packing and no lot, so nothing can be read from it.
        expect(again).toEqual({ ...rows, 'Initial Packing Sprouts': [] })
      }),
      { numRuns: runs(200) },
    )
  })

  test('states for each sheet which layout of FDA it is', async () => {
    const told = toldIn(await intakeOf(await workbookOf([]), 'fda.xlsx', importOptions))
    for (const { name } of kindSheets)
      expect(told).toContain(unread.includes(name) ? `, ${name}` : `FDA's sheet ${name}`)
  })

  test('has a parameter for each sheet that has rows', () => {
    expect(kindSheets.map(({ slug }) => slug)).toEqual(sheetNames)
  })

  test.each(kindSheets)('$name declares source, paragraph and heading of each column', ({ columns, section, kind }) => {
    for (const { heading, from, paragraph, list } of columns) {
      expect(heading).not.toBe('')
      expect(from).not.toBe('')
      expect(paragraph.startsWith(section)).toBe(true)
      expect(list === undefined || list in kind.lists).toBe(true)
    }
  })
})

describe('a receipt from an exempt place', () => {
  const from = { ...locations[0], locationCode: 'FROM', locationName: 'Small Farm' }
  const to = { ...locations[4], locationCode: 'TO', locationName: 'Packing House' }
  const receipt = products
    .chain((foods) =>
      fc.record({
        foods: fc.constant(foods),
        lines: fc.array(
          line(
            foods.map(({ itemCode }) => itemCode),
            { ...ofLot, caseLotNumber: lotCode },
          ),
          { minLength: 1, maxLength: 4 },
        ),
        billOfLadingNumber: maybe(numbered('BOL')),
      }),
    )
    .map(
      ({ foods, lines, billOfLadingNumber }): Payload => ({
        productMasterDataList: foods,
        locationMasterList: [from, to],
        eventList: without({
          ...{ dataProviderVendorId: 'V-1', eventDateTime: '2026-03-07T10:00:00-06:00', purchaseOrderNumber: 'PO-1' },
          ...{ shipFromLocationCode: 'FROM', shipToLocationCode: 'TO', billOfLadingNumber, productList: lines },
        }),
      }),
    )
  const only = async (payload: Payload, reason: Stored['reason']) =>
    rowsIn(await workbookOf([{ kind: 'receivingEvent', payload, ...(reason && { reason }) }]))

  test('is in the sheet of its reason and in no other, with what its paragraph names', async () => {
    const [small, farm, adHoc, school] = ['Receiving From Exempt', ...unread.slice(1)]
    await fc.assert(
      fc.asyncProperty(receipt, fc.constantFrom(...exemptionReasonNames), async (payload, reason) => {
        const rows = await only(payload, reason)
        const name = { farmPurchase: farm, adHocPurchase: adHoc, farmToSchool: school }[reason as string] ?? small
        for (const sheet of kindSheets) expect((rows[sheet.name] ?? []).length > 0).toBe(sheet.name === name)
        const [, , , , ...placeOfFarm] = [0, 0, ...described(from)]
        const food = ({ vendorItemDescription, vendorItemCode }: Payload) =>
          vendorItemDescription ??
          payload.productMasterDataList.find(({ itemCode }: Payload) => itemCode === vendorItemCode).itemDescription
        if (name !== small)
          expect(rows[name ?? '']).toEqual(
            payload.eventList.productList
              .map((one: Payload) =>
                JSON.stringify([
                  ...[food(one), ...(name === adHoc ? ['03/07/2026'] : []), from.locationName, ...placeOfFarm],
                ]),
              )
              .sort(),
          )
      }),
      { numRuns: runs(60) },
    )
  })

  test('has the same row when its sheet is imported and made again, and its receiver as source', async () => {
    await fc.assert(
      fc.asyncProperty(receipt, async (payload) => {
        const workbook = await workbookOf([{ kind: 'receivingEvent', payload, reason: 'nonprofit' }])
        const [imported, ...more] = await importedFrom(workbook)
        expect(more).toEqual([])
        expect(await only(imported?.payload, 'nonprofit')).toEqual(await rowsIn(workbook))
        for (const one of imported?.payload.eventList.productList ?? []) expect(one.tlcSourceName).toBe(to.locationName)
      }),
      { numRuns: runs(60) },
    )
  })
})

describe('a transformation', () => {
  const lineOf = (caseLotNumber: string) => ({
    ...{ vendorItemCode: 'ITEM 1', shipQuantity: 1, shipQuantityUom: 'case', caseLotNumber },
  })
  const made = (used: readonly string[], lots: readonly string[]): Stored => ({
    kind: 'transformationEvent',
    payload: {
      productMasterDataList: [],
      locationMasterList: [locations[0]],
      eventList: {
        dataProviderVendorId: 'V-1',
        eventDateTime: '2026-03-04T10:00:00-06:00',
        transformationLocationCode: 'L-0',
        ingredientList: used.map(lineOf),
        productList: lots.map(lineOf),
      },
    },
  })
  const pairsIn = (stored: Stored, filters: ExportFilters = {}) =>
    sheetRows(exportedOf(stored), filters, sheetFor(stored.kind)).map((row) =>
      row.map(({ line }) => line.caseLotNumber).join(' > '),
    )

  test('pairs each lot used with each lot made', () => {
    expect(pairsIn(made(['A', 'B'], ['X', 'Y']))).toEqual(['A > X', 'A > Y', 'B > X', 'B > Y'])
  })

  test('has a row of its own for a further line that no cell tells apart', () => {
    expect(pairsIn(made(['A', 'A'], ['X', 'X']))).toEqual(['A > X', 'A', 'X'])
  })

  test.each([
    [['A'], ['A > X', 'A > Y']],
    [['Y'], ['A > Y', 'B > Y']],
    [
      ['A', 'Y'],
      ['A > X', 'A > Y', 'B > Y'],
    ],
    [['C'], []],
  ])('chosen by lots %j has the other side of each: %j', (lotCode, rows) => {
    expect(pairsIn(made(['A', 'B'], ['X', 'Y']), { lotCode })).toEqual(rows)
  })

  test('with more pairs than a sheet should have has a row for each line', () => {
    const many = (name: string) => Array.from({ length: 40 }, (_, i) => `${name}${i}`)
    expect(pairsIn(made(many('A'), many('X')))).toHaveLength(80)
    expect(rowsAtMost(sheetFor('transformationEvent'), 80)).toBe(pairsMax + 80)
  })

  test('is chosen by its place as the source of the lots that it makes', () => {
    expect(pairsIn(made(['A'], ['X']), { tlcSource: ['Dune Farm'] })).toEqual(['A > X'])
    expect(pairsIn(made(['A'], []), { tlcSource: ['Dune Farm'] })).toEqual([])
  })

  test('has no more rows than are reckoned with', () => {
    const lots = fc.array(fc.constantFrom('A', 'B', 'C', 'D', 'E'), { maxLength: 40 })
    fc.assert(
      fc.property(lots, lots, (used, some) => {
        const rows = pairsIn(made(used, some))
        expect(rows.length).toBeLessThanOrEqual(rowsAtMost(sheetFor('transformationEvent'), used.length + some.length))
      }),
    )
  })
})

test('kinds with a sheet are kinds of events', () => {
  for (const { kind } of kindSheets) expect(eventKinds[kind.name]).toBe(kind)
})
