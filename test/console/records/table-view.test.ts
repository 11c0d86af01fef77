// What a table shows, in its address and back.
import { expect, test } from 'vitest'
import { recordOperations } from '../../../src/client/generated/addresses.ts'
import { recordSections } from '../../../src/console/records/record-sections.ts'
import { askedOrder, sortedBy, usualView, viewIn, viewQuery } from '../../../src/console/records/table-view.ts'
import { totalWords } from '../../../src/console/records/total-words.ts'
import { listColumns } from '../../../src/contract/list-columns.ts'
import { operations } from '../../../src/operations/catalogue.ts'
import { eventPayload } from '../../support/records/payloads.ts'

const [events, products] = ['/events', '/products'].map((path) => recordSections.find((one) => one.path === path))
if (events === undefined || products === undefined) throw new Error('There are no sections.')

test('the usual view is no query, and every other one is read again as it was written', () => {
  const usual = usualView(events)
  expect(viewQuery(usual, events)).toBe('')
  expect(viewIn(new URLSearchParams(), events)).toEqual({ view: usual, unknown: [] })
  const view = {
    filters: { lotCode: 'A&B=?\nC, D', hasGaps: 'true' },
    columns: ['to', 'received'],
    sort: 'shipToLocationCode',
    ascending: true,
    rows: 'compact',
  } as const
  expect(viewIn(new URLSearchParams(viewQuery(view, events)), events)).toEqual({ view, unknown: [] })
})

test('what an address names and is not there is said and left out', () => {
  const { view, unknown } = viewIn(new URLSearchParams('lotcode=A&sort=age&columns=to,price&direction=down'), events)
  expect(unknown).toEqual(['lotcode', 'sort=age', 'columns'])
  expect(view).toEqual({ ...usualView(events), columns: ['to'] })
})

test('events begin with the newest received, other records with the newest', () => {
  expect(askedOrder(usualView(events))).toEqual({ sort: 'eventDateTime' })
  expect(askedOrder(usualView(products))).toEqual({})
})

test('a heading sorts texts from A on and times from the newest on, and turns round when it is clicked again', () => {
  const column = (name: string) => events.columns.find((one) => one.name === name) ?? expect.fail(name)
  const byPlace = sortedBy(usualView(events), column('to'))
  expect([byPlace.sort, byPlace.ascending]).toEqual(['shipToLocationCode', true])
  expect(sortedBy(byPlace, column('to')).ascending).toBe(false)
  expect(sortedBy(byPlace, column('received'))).toMatchObject({ sort: 'eventDateTime', ascending: false })
  expect(sortedBy(byPlace, column('lines'))).toBe(byPlace)
})

test('each column that sorts is an order of its list, and each list can be sorted by a column for each order', () => {
  for (const { kind, columns } of recordSections) {
    const orders: readonly string[] = operations[recordOperations[kind.name].list].query.sort.values
    expect(['created', ...columns.flatMap(({ sort }) => sort ?? [])].sort()).toEqual([...orders].sort())
  }
})

test('each column says something of a record, and nothing of one that is empty', () => {
  const payload = eventPayload()
  const said = Object.fromEntries(
    listColumns.receivingEvent.map(({ name, text }) => [
      name,
      text({ id: 'an id', ...payload }, { warnings: 1, gaps: 2 }),
    ]),
  )
  expect(Object.entries(said).filter(([, text]) => text === '')).toEqual([])
  expect(said).toMatchObject({ findings: '1 warning, 2 gaps', lines: payload.eventList.productList.length })
  for (const columns of Object.values(listColumns))
    for (const { name, text } of columns) expect([name, text({})]).toEqual([name, name === 'lines' ? 0 : ''])
})

test('a total says when counting ended before the end', () => {
  expect(totalWords({ records: 1, orMore: false })).toBe('1 result')
  expect(totalWords({ records: 8_311, orMore: false })).toBe('8,311 results')
  expect(totalWords({ records: 10_000, orMore: true })).toBe('More than 10,000 results')
  expect(totalWords({ records: 37, orMore: true })).toBe('At least 37 results')
})
