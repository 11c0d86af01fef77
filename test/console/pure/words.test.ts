// What the console makes of names, addresses and failures, without a page.
import { describe, expect, test } from 'vitest'
import { examplePayload } from '../../../src/console/example-payload.ts'
import { failureWords, keyFault } from '../../../src/console/failure-words.ts'
import { dateTimeFromField, fieldFromDateTime, filtersIn, queryOf } from '../../../src/console/filters.ts'
import { knownFindings } from '../../../src/console/known-findings.ts'
import { dateTimeWords, labelOf } from '../../../src/console/labels.ts'
import { matchPath, pageAt } from '../../../src/console/path-match.ts'
import { anchorOf, pointerIn, stepsOf, valueAt } from '../../../src/console/pointers.ts'
import { versionNumber, versionPair } from '../../../src/console/version-pair.ts'
import { recordKinds } from '../../../src/contract/record-kinds.ts'
import { listReceivingEvents } from '../../../src/operations/list.ts'

test.each([
  ['purchaseOrderNumber', 'Purchase order number'],
  ['grossWeightUOM', 'Gross weight UOM'],
  ['tlcSourceReferenceGln', 'TLC source reference GLN'],
  ['streetAddress1', 'Street address 1'],
  ['gtin', 'GTIN'],
])('%s reads "%s"', (name, words) => expect(labelOf(name)).toBe(words))

test('a datetime keeps its date and offset as written; what has another form is left as it is', () => {
  expect(dateTimeWords('2026-03-04T09:30:00-05:00')).toBe('2026-03-04 09:30 −05:00')
  expect(dateTimeWords('2026-03-04T09:30:07Z')).toBe('2026-03-04 09:30:07 UTC')
  expect(dateTimeWords('yesterday')).toBe('yesterday')
})

describe('addresses', () => {
  test('a pattern takes a path with as many parts, and decodes what stands at a name', () => {
    expect(matchPath('/lots/:lotCode', '/lots/A%2FB%20C')).toEqual({ lotCode: 'A/B C' })
    expect(matchPath('/events/:id', '/events/')).toBeUndefined()
    expect(matchPath('/events', '/events/')).toEqual({})
    expect(matchPath('/events/:id', '/events/%E0%A4%A')).toBeUndefined()
    expect(pageAt([{ path: '/events/new' }, { path: '/events/:id' }], '/events/new')?.page.path).toBe('/events/new')
  })

  test('filters go to the address and back, and what is none is named', () => {
    const query = new URLSearchParams('lotCode=A%26B&toString=1&cursor=x&asnNumber=')
    const { cursor: _, limit: __, ...declared } = listReceivingEvents.query
    expect(filtersIn(query, declared)).toEqual({ filters: { lotCode: 'A&B' }, unknown: ['toString', 'cursor'] })
    expect(queryOf({ lotCode: 'A&B', asnNumber: '' })).toBe('?lotCode=A%26B')
    expect(queryOf({})).toBe('')
  })

  test('a datetime goes into a field in UTC and comes back as the same instant', () => {
    expect(fieldFromDateTime('2026-03-04T09:30:00-05:00')).toBe('2026-03-04T14:30:00')
    expect(dateTimeFromField('2026-03-04T14:30')).toBe('2026-03-04T14:30:00Z')
    expect(fieldFromDateTime('soon')).toBe('')
  })

  test('two versions are read only where there are two', () => {
    expect(versionPair('2..5')).toEqual([2, 5])
    for (const wrong of [null, '2', '0..1', '1..x', '1..2..3']) expect(versionPair(wrong)).toBeUndefined()
    expect(versionNumber('3')).toBe(3)
    expect(versionNumber('-3')).toBeUndefined()
  })
})

test('a pointer leads to its value, never to what every object has', () => {
  const record = { 'a/b': [{ '~': 1 }] }
  expect(stepsOf('/a~1b/0/~0')).toEqual(['a/b', '0', '~'])
  expect(valueAt(record, '/a~1b/0/~0')).toBe(1)
  expect(valueAt(record, '/constructor')).toBeUndefined()
  expect(pointerIn(anchorOf('/a~1b'))).toBe('/a~1b')
  expect(pointerIn('content')).toBeUndefined()
})

test('a key is looked at before it is sent', () => {
  const key = `lk_0123456789abcdef_${'x'.repeat(43)}`
  expect(keyFault(key)).toBeUndefined()
  for (const wrong of ['', 'lk_', key.slice(1), `${key}x`, key.slice(0, -1), key.replace('0', ' ')])
    expect(keyFault(wrong)).toEqual(expect.any(String))
})

test('a failure of the page itself is told in its own words', () => {
  expect(failureWords(new Error('broken'))).toMatchObject({ title: 'The page failed', detail: 'broken' })
})

test.each(recordKinds)('the example of a $noun is taken by the rules', (kind) => {
  const { findings } = knownFindings(kind, examplePayload(kind))
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
})
