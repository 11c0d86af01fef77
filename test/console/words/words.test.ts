// What the console makes of names, addresses and failures, without a page.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Refusal } from '../../../src/client/generated/shapes.ts'
import { examplePayload } from '../../../src/console/drafts/example-payload.ts'
import { matchPath, pageAt } from '../../../src/console/pages/frame/path-match.ts'
import {
  askOf,
  dateTimeFromField,
  fieldFromDateTime,
  filtersIn,
  queryOf,
} from '../../../src/console/records/filters.ts'
import { anchorOf, pointerIn, stepsOf, valueAt } from '../../../src/console/records/pointers.ts'
import { pageOf } from '../../../src/console/records/record-sections.ts'
import { versionNumber, versionPair } from '../../../src/console/records/version-pair.ts'
import { daysUntil } from '../../../src/console/words/days.ts'
import { failureWords, keyFault } from '../../../src/console/words/failure-words.ts'
import { dateTimeWords, labelOf, nameFieldsOf } from '../../../src/console/words/labels.ts'
import { limitGroups, limitWords } from '../../../src/console/words/limits.ts'
import { gapsAt, gapsInMonth, shareWords } from '../../../src/console/words/percent.ts'
import { operationWords, recordAt } from '../../../src/console/words/refusals.ts'
import { idParts, isId, screenRemedy, screenText } from '../../../src/console/words/screen-words.ts'
import { lotNumberRequiredFromDefault } from '../../../src/contract/product-line.ts'
import { recordKinds } from '../../../src/contract/record-kinds.ts'
import { limitsOf, setLimitsOf } from '../../../src/limits.ts'
// Loads every file that declares a limit.
import '../../../src/wiring.ts'
import { lineSelection } from '../../../src/operations/base/event-selection.ts'
import { listOperations } from '../../../src/operations/records/list.ts'
import { catalogue } from '../../../src/rules/catalogue.ts'
import { judgeAlone } from '../../../src/rules/judge.ts'

test.each([
  ['purchaseOrderNumber', 'Purchase order'],
  ['shipToLocationCode', 'Receiving location'],
  ['grossWeightUOM', 'Unit of gross weight'],
  ['tlcSourceReferenceGln', 'TLC source GLN'],
  ['alternateItemCode', 'Alternate item code'],
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
    const { cursor: _, limit: __, ...declared } = listOperations.listReceivingEvents.query
    expect(filtersIn(query, declared)).toEqual({ filters: { lotCode: 'A&B' }, unknown: ['toString', 'cursor'] })
    expect(queryOf({ lotCode: 'A&B', asnNumber: '' })).toBe('?lotCode=A%26B')
    expect(queryOf({})).toBe('')
  })

  test('several values of one filter stand on a line each, and in the address several times', () => {
    const declared = { lotCode: lineSelection.lotCode, eventStartDate: lineSelection.eventStartDate }
    const query = new URLSearchParams('lotCode=A%2C1&eventStartDate=2026-03-01&lotCode=B')
    const { filters } = filtersIn(query, declared)
    expect(filters).toEqual({ lotCode: 'A,1\nB', eventStartDate: '2026-03-01' })
    expect(queryOf(filters, declared)).toBe('?lotCode=A%2C1&lotCode=B&eventStartDate=2026-03-01')
    expect(queryOf({ lotCode: ' A \n\nA\r\nB' }, declared)).toBe('?lotCode=A&lotCode=B')
    expect(askOf(filters, declared)).toEqual({ lotCode: ['A,1', 'B'], eventStartDate: '2026-03-01' })
    // A filter of one value keeps what a lot code may hold.
    expect(queryOf({ lotCode: 'A\nB' })).toBe('?lotCode=A%0AB')
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
  const key = `lk_0123456789abcdef_${'0'.repeat(32)}_${'x'.repeat(43)}`
  expect(keyFault(key)).toBeUndefined()
  for (const wrong of ['', 'lk_', key.slice(1), `${key}x`, key.slice(0, -1), key.replace('0', ' ')])
    expect(keyFault(wrong)).toEqual(expect.any(String))
})

test('a share is rounded down, so that 100% is said of all and of nothing less', () => {
  expect([1, 0.9999, 0.8571, 0.5, 0.2999, 0, null].map(shareWords)).toEqual([
    '100%',
    '99.9%',
    '85.7%',
    '50%',
    '29.9%',
    '0%',
    '–',
  ])
  fc.assert(fc.property(fc.integer({ min: 0, max: 9_999 }), (part) => shareWords(part / 10_000) !== '100%'))
})

test('days are counted by the calendar, over months, leap days and changes of the clock', () => {
  expect(daysUntil('2028-03-01', 3)).toEqual(['2028-02-28', '2028-02-29', '2028-03-01'])
  expect(new Set(daysUntil('2026-11-20', 366)).size).toBe(366)
})

test('the path behind a number leads to the same events in the console', () => {
  expect(gapsAt('/traceability/gaps?rule=a%2Fb')).toBe('/completeness/gaps?rule=a%2Fb')
})

test('a month leads to its events within the period', () => {
  const records = '/traceability/gaps?rule=a%2Fb&eventStartDate=2027-11-20&eventEndDate=2028-03-05'
  const datesOf = (month: string) => gapsInMonth(records, month).replace('/completeness/gaps?rule=a%2Fb&', '')
  expect(['2027-11', '2028-02', '2028-03'].map(datesOf)).toEqual([
    'eventStartDate=2027-11-20&eventEndDate=2027-11-30',
    'eventStartDate=2028-02-01&eventEndDate=2028-02-29',
    'eventStartDate=2028-03-01&eventEndDate=2028-03-05',
  ])
})

test('a refusal is told by its operation, and leads to the record it was about', () => {
  expect(operationWords('replaceMasterProduct')).toBe('Replace master product')
  expect(operationWords('constructor')).toBe('constructor')
  const refusal = { operation: 'replaceLocation', recordId: 'x' } as Refusal
  expect(recordAt(refusal)).toBe('/locations/x')
  expect(recordAt({ ...refusal, recordId: null })).toBeUndefined()
})

test('a remedy names fields by their labels, and says enter in place of send', () => {
  expect(screenRemedy('none', 'Send packStyle.')).toBe('Enter Pack style.')
  expect(screenRemedy('none', 'Send `gpsCoordinates` or geoFence, not both; or leave geoLocation out.')).toBe(
    'Enter GPS coordinates or Fence, not both; or leave Position out.',
  )
})

test('every remedy advises what a person at a screen can do', () => {
  for (const { id } of catalogue)
    expect(screenRemedy(id), id).not.toMatch(/`|\bSend\b|[a-z][A-Z]|\b(PUT|POST|body|address of its own)\b|replace|\[/)
})

test('a message has labels for names of fields, and what it quotes stays as it is', () => {
  expect(screenText('shipQuantity is "many" (text). It must be a number, e.g. 56.')).toBe(
    'Quantity is "many" (text). It must be a number, e.g. 56.',
  )
  expect(screenText('vendorItemCode "gtin \\"shipQuantity" has no gtin.')).toBe(
    'Item code "gtin \\"shipQuantity" has no GTIN.',
  )
  expect(screenText('It changes /eventList/shipQuantity.')).toBe('It changes /eventList/shipQuantity.')
  expect(screenText('/eventList/productList/1/packagingDate: packagingDate is "x".')).toBe(
    'Product line 2 › Packaging date: Packaging date is "x".',
  )
  expect(screenText('The change of line.shipQuantity and location.address.city needs set.')).toBe(
    'The change of Line: Quantity and Location: Address city needs set.',
  )
  expect(screenText('Send the tlcSource… fields.')).toBe('Send the TLC source fields.')
})

test('quoted letters that are read from right to left do not reorder what stands beside them', () => {
  expect(screenText('caseLotNumber has "ל", "ו", which a barcode cannot carry.')).toBe(
    'Lot code has \u2068"ל"\u2069, \u2068"ו"\u2069, which a barcode cannot carry.',
  )
})

test('an id in a message is told from the words around it', () => {
  const id = '019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f'
  expect(idParts(`It is held by record ${id}. Replace it.`)).toEqual(['It is held by record ', id, '. Replace it.'])
  expect(idParts('No id at all')).toEqual(['No id at all'])
  expect([id, `x${id}`, `${id.slice(1)}`].map(isId)).toEqual([true, false, false])
})

test('a record of another kind is told, with its page', () => {
  expect(pageOf('/data-provider/products/x')).toBe('/products/x')
  expect(pageOf('/nowhere/x')).toBe('/')
})

test('a failure of the page itself is told in its own words', () => {
  expect(failureWords(new Error('broken'))).toMatchObject({ title: 'The page failed', detail: 'broken' })
})

test.each(recordKinds)('the example of a $noun is taken by the rules', (kind) => {
  const settings = { lotNumberRequiredFrom: lotNumberRequiredFromDefault }
  const { findings } = judgeAlone(kind, kind.createPayload, examplePayload(kind), {
    now: Date.parse('2026-12-01T00:00:00Z'),
    settings,
  })
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
})

test('every limit of the service is shown once, in words and not as a name of the program', () => {
  const limits = limitsOf(
    setLimitsOf({ bodyLimitBytes: 10 * 2 ** 20, rateLimitPerMinute: 0, failedSignInsPerMinute: 100 }),
  )
  const shown = limitGroups(limits).flatMap(({ content }) => content)
  expect(shown.map(({ name }) => name).sort()).toEqual(limits.map(({ name }) => name).sort())
  expect(limitGroups(limits).length).toBeGreaterThan(3)
  expect([limitWords(10 * 2 ** 20, 'bytes'), limitWords(1_500, 'ms'), limitWords(500, 'ms')]).toEqual([
    '10 MiB',
    '1.5 seconds',
    '500 ms',
  ])
  expect([limitWords(5_000, 'lines'), limitWords(null, 'requests')]).toEqual(['5,000 lines', 'no limit'])
})

test('pages of shipping events say when and where goods were shipped, and other pages do not', () => {
  const names = ['eventDateTime', 'shipToLocationCode', 'caseLotNumber']
  nameFieldsOf('shippingEvent')
  expect(names.map(labelOf)).toEqual(['Shipped at', 'Ship-to location', 'Lot code'])
  nameFieldsOf('receivingEvent')
  expect(names.map(labelOf)).toEqual(['Received at', 'Receiving location', 'Lot code'])
  nameFieldsOf(undefined)
  expect(names.map(labelOf)).toEqual(['Received at', 'Receiving location', 'Lot code'])
})
