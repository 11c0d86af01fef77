// What is shared, in sentences, and the places that a form offers.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  covers,
  endAfterDay,
  grantPhrases,
  lastDayOfGrant,
  placesFor,
  placesOf,
  plainWords,
  type StoredPlace,
  typedPlace,
  withheldGroups,
} from '../../../src/console/records/sharing-words.ts'
import { type Grant, withheldByDefault, withholdableFields } from '../../../src/contract/sharing.ts'
import { runs } from '../../support/runs.ts'

const sentence = (grant: Partial<Grant>, places = 14): string =>
  plainWords(grantPhrases('Walmart', places, { direction: 'shipTo', withHistory: false, withheld: [], ...grant }))

test('a grant is one sentence that names each of its limits', () => {
  expect(sentence({ withheld: ['methodOfPayment'], firstEventDate: '2026-03-04' })).toBe(
    'Walmart sees the events that are shipped to its 14 places, from all vendors, received from March 4, 2026 on, without an end, without freight payment.',
  )
  expect(
    sentence(
      {
        direction: 'shipFrom',
        dataProviderVendorIds: ['V-1', 'V-2'],
        itemCodes: ['ROM-24'],
        endDateTime: '2026-04-01T00:00:00Z',
        withHistory: true,
      },
      1,
    ),
  ).toBe(
    'Walmart sees the events that are shipped from its place, from vendors V-1 and V-2, only lines with item ROM-24, of any date, to the end of March 31, 2026 (UTC). Earlier versions are included. No field is withheld.',
  )
  expect(sentence({ lotCode: 'GV26062-A', endDateTime: '2026-03-31T14:30:12Z' })).toMatch(
    /^Walmart sees the events with lot GV26062-A that are shipped to or from its 14 places, until 2026-03-31 14:30 UTC/,
  )
})

test('withheld fields are named by their group where all of it is withheld, and never left out', () => {
  expect(withheldGroups.flatMap(({ fields }) => fields).sort()).toEqual([...withholdableFields].sort())
  expect(plainWords(grantPhrases('Walmart', 1, { direction: 'shipTo' }))).toContain(
    'without freight payment and internal fields.',
  )
  const whole = sentence({ withheld: [...withholdableFields] })
  for (const { words, fields } of withheldGroups)
    if (fields.length > 1) expect(whole.toLowerCase()).toContain(words.toLowerCase())
  expect(sentence({ withheld: withheldByDefault.slice(1, 7) })).toContain('6 of internal fields')
})

test('a last day and the end of a grant are the same day, in UTC', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }), (date) => {
      const day = date.toISOString().slice(0, 10)
      const endDateTime = endAfterDay(day)
      expect(endDateTime && lastDayOfGrant({ endDateTime })).toBe(day)
    }),
    { numRuns: runs(200) },
  )
  expect(endAfterDay('2026-02-30')).toBeUndefined()
})

const stored = (locationCode: string, more: Partial<StoredPlace> = {}): StoredPlace => ({
  locationCode,
  gln: null,
  locationName: null,
  dataProviderVendorIds: ['V-1'],
  events: 1,
  orMore: false,
  firstEventDate: '2026-03-01',
  lastEventDate: '2026-03-02',
  ...more,
})

test('a stored place is covered by what it is added as, and other places of its code are not', () => {
  const dc = stored('DC-07', { gln: '0614141000029' })
  const other = stored('DC-07', { gln: '0960034000073', dataProviderVendorIds: ['V-2'] })
  const bare = stored('DC-07', { dataProviderVendorIds: ['V-3', 'V-4'] })
  const alone = stored('ST-1')
  const all = [dc, other, bare, alone]
  for (const one of all)
    expect(all.filter((place) => placesOf(one, all).some((added) => covers(added, place)))).toEqual([one])
  expect(placesOf(alone, all)).toEqual([{ locationCode: 'ST-1' }])
})

test('places that look like the partner come first, and typing narrows them', () => {
  const all = [stored('A', { locationName: 'Cold store', events: 90 }), stored('B', { locationName: 'Walmart DC 6' })]
  expect(placesFor(all, '', 'Walmart Inc.').map(({ locationCode }) => locationCode)).toEqual(['B', 'A'])
  expect(placesFor(all, 'cold', 'Walmart').map(({ locationCode }) => locationCode)).toEqual(['A'])
  expect(typedPlace(' 0614141000029 ')).toEqual({ gln: '0614141000029' })
  expect(typedPlace('DC-9')).toEqual({ locationCode: 'DC-9' })
})
