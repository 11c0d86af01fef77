// Tables whose rows are all in the page: filtered and sorted here, without a page.
import { describe, expect, test } from 'vitest'
import type { Refusal } from '../../../src/client/generated/shapes.ts'
import { type LocalTable, localColumns, localRows, localValues } from '../../../src/console/records/local-table.ts'
import { usualView } from '../../../src/console/records/table-view.ts'
import { refusalWords } from '../../../src/console/words/refusals.ts'

const finding = (rule: string, pointer: string, message: string) => ({ rule, pointer, message, severity: 'error' })
const refusal = (changes: object): Refusal =>
  ({
    id: 'r',
    refusedDateTime: '2026-03-04T10:00:00.000Z',
    requestId: 'request',
    keyId: 'k1',
    keyName: 'Ana',
    operation: 'createReceivingEvent',
    recordId: null,
    dataProviderVendorId: 'V-1',
    outcome: 'refused',
    detail: 'a detail',
    findings: [],
    findingCount: 0,
    ...changes,
  }) as unknown as Refusal

const rows = [
  refusal({ id: 'a', refusedDateTime: '2026-03-06T10:00:00.000Z', findingCount: 9, outcome: 'taken' }),
  refusal({ id: 'b', refusedDateTime: '2026-03-05T10:00:00.000Z', findingCount: 10, keyId: 'k2', keyName: 'Ben' }),
  refusal({ id: 'c', findingCount: 2, dataProviderVendorId: null, requestId: 'sought-id' }),
]
const column = (name: string, heading: string, text: (row: Refusal) => string | number) => ({
  name,
  heading,
  sort: name,
  text,
})
const several = { form: 'text', meaning: '', example: '', many: true } as const
const table: LocalTable<Refusal> = {
  path: '/refusals',
  words: 'Refusals',
  nouns: 'refusals',
  list: 'refusal',
  sort: 'refusedDateTime',
  search: 'text',
  filters: {
    text: { form: 'text', meaning: '', example: '' },
    keyId: several,
    dataProviderVendorId: several,
    outcome: several,
  },
  picked: ['keyId', 'dataProviderVendorId', 'outcome'],
  valuesIn: {
    keyId: ({ keyId: value, keyName: label }) => [{ value, label }],
    dataProviderVendorId: ({ dataProviderVendorId: value }) => (value === null ? [] : [{ value }]),
    outcome: ({ outcome: value }) => [{ value }],
  },
  textIn: ({ detail }) => detail,
  idsIn: ({ requestId }) => [requestId],
  columns: [
    { ...column('refusedDateTime', 'Refused', ({ refusedDateTime }) => refusedDateTime), shown: true },
    column('sender', 'Sent by', ({ keyName, keyId }) => keyName ?? keyId),
    column('findings', 'Findings', ({ findingCount }) => findingCount),
    column('message', 'Message', refusalWords),
  ],
}
const view = usualView(table)
const idsOf = (changes: object) => localRows(table, rows, { ...view, ...changes }).map(({ id }) => id)

describe('rows', () => {
  test('fit every filter, and one of its values; the search finds all of its words in any case, or the beginning of an id', () => {
    expect(idsOf({ filters: {} })).toEqual(['a', 'b', 'c'])
    expect(idsOf({ filters: { keyId: 'k1\nk9' } })).toEqual(['a', 'c'])
    expect(idsOf({ filters: { keyId: 'k1', dataProviderVendorId: 'V-1' } })).toEqual(['a'])
    expect(idsOf({ filters: { outcome: 'taken\nrefused' } })).toEqual(['a', 'b', 'c'])
    expect(idsOf({ filters: { text: 'DETAIL A' } })).toEqual(['a', 'b', 'c'])
    expect(idsOf({ filters: { text: 'Sought' } })).toEqual(['c'])
    expect(idsOf({ filters: { text: 'id' } })).toEqual([])
    expect(idsOf({ filters: { text: 'detail nowhere' } })).toEqual([])
  })

  test('are sorted by time, by number and by text, either way', () => {
    expect(idsOf({ ascending: true })).toEqual(['c', 'b', 'a'])
    expect(idsOf({ sort: 'findings' })).toEqual(['b', 'a', 'c'])
    expect(idsOf({ sort: 'sender', ascending: true })).toEqual(['a', 'c', 'b'])
    expect(idsOf({ sort: 'nothing' })).toEqual(['a', 'b', 'c'])
  })
})

test('values are counted among what the other filters leave, most first, with their names', () => {
  const values = (filters: object, of: string, containing = '') =>
    localValues(table, rows, { filters: filters as typeof view.filters, of, containing }).content
  expect(values({ keyId: 'k2' }, 'keyId')).toEqual([
    { value: 'k1', label: 'Ana', records: 2 },
    { value: 'k2', label: 'Ben', records: 1 },
  ])
  expect(values({ keyId: 'k2' }, 'dataProviderVendorId')).toEqual([{ value: 'V-1', label: null, records: 1 }])
  expect(values({}, 'keyId', 'AN').map(({ value }) => value)).toEqual(['k1'])
})

test('columns are those of the view, in its order', () => {
  expect(localColumns(table, ['sender', 'none', 'message']).map(({ heading }) => heading)).toEqual([
    'Sent by',
    'Message',
  ])
})

test('a refusal is told in labels, with its place once and the number of other findings', () => {
  const at = '/eventList/productList/0/shipQuantity'
  const words = (message: string, findingCount = 1) =>
    refusalWords(refusal({ findings: [finding('shape/type', at, message)], findingCount }))
  expect(words('shipQuantity is "forty" (text).')).toBe('Product line 1: Quantity is "forty" (text).')
  expect(words('It is the same.', 3)).toBe('Product line 1 › Quantity: It is the same. And 2 more findings.')
  expect(refusalWords(refusal({ detail: 'The shipQuantity is wrong.' }))).toBe('The Quantity is wrong.')
})
