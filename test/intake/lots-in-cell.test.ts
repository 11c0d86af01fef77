// Several lots in one cell become lines where the row says how much there is of each; no quantity is
// ever guessed.
import { expect, test } from 'vitest'
import { judgeRecord } from '../../src/intake/judge-record.ts'
import {
  csvOf,
  eventHeadings,
  goodRow,
  intakeOf,
  recordsIn,
  toldIn,
  workbookOf,
} from '../support/files/import-files.ts'
import type { Payload } from '../support/records/payloads.ts'
import { now } from '../support/records/prove-rule.ts'

async function read(caseLotNumber: string, shipQuantity: string, form: 'csv' | 'xlsx' = 'csv') {
  const rows = [eventHeadings, goodRow({ caseLotNumber, shipQuantity }), goodRow({ caseLotNumber: 'LAST' })]
  const all = await intakeOf(form === 'csv' ? csvOf(rows) : await workbookOf([{ name: 'S', rows }]), `e.${form}`)
  const [record] = recordsIn(all)
  const lines: Payload[] = (record?.payload.eventList as Payload | undefined)?.productList ?? []
  return {
    lines: lines.map((line) => [line.caseLotNumber, line.shipQuantity]),
    findings: record === undefined ? [] : judgeRecord(record, { lotNumberRequiredFrom: '2026-01-01' }, now).findings,
    told: toldIn(all),
  }
}

test.each<[string, string]>([
  ['GV26063-A, GV26063-B', '10, 20'],
  ['GV26063-A; GV26063-B', '10; 20'],
  ['GV26063-A\nGV26063-B', '10\n20'],
  ['GV26063-A & GV26063-B', '10 & 20'],
  ['GV26063-A (10), GV26063-B (20)', ''],
  ['GV26063-A (10); GV26063-B (20)', '30'],
])('%j with the quantities %j is a line for each lot, and told', async (lots, quantities) => {
  for (const form of ['csv', 'xlsx'] as const) {
    const { lines, findings, told } = await read(lots, quantities, form)
    expect(lines).toEqual([
      ['GV26063-A', 10],
      ['GV26063-B', 20],
      ['LAST', 40],
    ])
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(told).toContain('column caseLotNumber has cells with several lot codes and the quantity of each')
    expect(told).toContain('(row 2)')
  }
})

test.each<[string, string]>([
  ['GV26063-A, GV26063-B', '30'],
  ['GV26063-A (10), GV26063-B (20)', '40'],
  ['GV26063-A, GV26063-B (20)', '30'],
])('%j with the quantity %j stays one line, with a warning at its row', async (lots, quantity) => {
  const { lines, findings, told } = await read(lots, quantity)
  expect(lines).toEqual([
    [lots, Number(quantity)],
    ['LAST', 40],
  ])
  expect(findings).toContainEqual(expect.objectContaining({ severity: 'warning', row: 2, column: 'caseLotNumber' }))
  expect(told).not.toContain('several lot codes')
})

test.each<[string, string]>([
  ['GV26063-A, GV26063-B', '10, 20, 30'],
  ['GV26063-A', '10, 20'],
])('%j with the quantities %j is refused: no quantity is guessed', async (lots, quantities) => {
  const { findings } = await read(lots, quantities)
  expect(findings).toContainEqual(expect.objectContaining({ severity: 'error', row: 2, column: 'shipQuantity' }))
})
