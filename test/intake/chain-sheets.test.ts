// Sheets of the kinds of event beyond deliveries: our template, one row for a line of each list.
import { describe, expect, it, test } from 'vitest'
import { eventKindList, isDeliveryKind } from '../../src/contract/record-kinds.ts'
import { plainOptions } from '../../src/intake/intake.ts'
import { eventTables } from '../../src/intake/template.ts'
import { samplePayload } from '../samples/payloads.ts'
import { csvOf, intakeOf, recordsIn, rowsOf, toldIn } from '../support/files/import-files.ts'

const kinds = eventKindList.filter(({ name }) => !isDeliveryKind(name))

describe.each(kinds)('a sheet of $nouns', ({ name, nouns }) => {
  const table = eventTables[name]
  const headings = table.columns.map(({ heading }) => heading)

  it('is read back as the payload that was written into it, and says its kind by itself', async () => {
    const sent = samplePayload(name)
    const [record, ...others] = recordsIn(await intakeOf(csvOf([headings, ...rowsOf(sent, table)]), 'events.csv'))
    expect(others).toEqual([])
    expect(record?.kind.name).toBe(name)
    expect(record?.findings).toEqual([])
    expect(record?.payload).toEqual(sent)
  })

  it('is a sheet of the template', async () => {
    expect(toldIn(await intakeOf(csvOf([headings]), 'events.csv'))).toContain(`our template of ${nouns}`)
  })

  it('is read from payloads, one a line, whose place says their kind', async () => {
    const line = JSON.stringify(samplePayload(name))
    expect(recordsIn(await intakeOf(`${line}\n`, 'events.ndjson')).map(({ kind }) => kind.name)).toEqual([name])
  })
})

describe('a row that pairs a lot used with a lot made', () => {
  const table = eventTables.transformationEvent
  const headings = table.columns.map(({ heading }) => heading)
  const row = (cells: Readonly<Record<string, string>>) => headings.map((name) => cells[name] ?? '')
  const ofEvent = {
    dataProviderVendorId: 'V-1',
    transformedDateTime: '2026-03-04T09:30:00-06:00',
    transformationLocationCode: 'PLANT',
    'transformation.locationName': 'Plant',
  }
  const used = (lot: string) => ({
    'ingredientList.vendorItemCode': 'ROM-24',
    'ingredientList.shipQuantity': '5',
    'ingredientList.shipQuantityUom': 'case',
    'ingredientList.caseLotNumber': lot,
  })
  const made = (lot: string) => ({
    vendorItemCode: 'SALAD-10',
    shipQuantity: '9',
    shipQuantityUom: 'case',
    caseLotNumber: lot,
  })
  const lotsOf = async (rows: readonly (readonly string[])[]) => {
    const [record] = recordsIn(await intakeOf(csvOf([headings, ...rows]), 'events.csv', plainOptions))
    const { ingredientList, productList } = (record?.payload.eventList ?? {}) as Record<
      string,
      { caseLotNumber: string }[]
    >
    return [ingredientList, productList].map((list) => list?.map(({ caseLotNumber }) => caseLotNumber))
  }

  test('counts each lot once, however often it is paired', async () => {
    const pairs = ['A', 'B'].flatMap((lot) =>
      ['X', 'Y'].map((other) => row({ ...ofEvent, ...used(lot), ...made(other) })),
    )
    expect(await lotsOf(pairs)).toEqual([
      ['A', 'B'],
      ['X', 'Y'],
    ])
  })

  test('and rows of one list alone count as often as they are written: two pallets may be alike', async () => {
    const rows = [
      row({ ...ofEvent, ...used('A') }),
      row({ ...ofEvent, ...made('X') }),
      row({ ...ofEvent, ...made('X') }),
    ]
    expect(await lotsOf(rows)).toEqual([['A'], ['X', 'X']])
  })

  test('a finding about a lot used is at its row and column', async () => {
    const rows = [row({ ...ofEvent, ...made('X') }), row({ ...ofEvent, ...used('A') })]
    const [record] = recordsIn(await intakeOf(csvOf([headings, ...rows]), 'events.csv'))
    expect(record?.locate('/eventList/ingredientList/0/caseLotNumber')).toEqual({
      row: 3,
      column: 'ingredientList.caseLotNumber',
    })
    expect(record?.locate('/eventList/productList/0/caseLotNumber')).toEqual({ row: 2, column: 'caseLotNumber' })
  })
})
