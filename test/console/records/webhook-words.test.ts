// What a webhook is sent, between checkboxes, patterns and words.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  messageWords,
  patternsOf,
  sentWords,
  typeGroups,
  typesOf,
  waitingWords,
  webhookName,
} from '../../../src/console/records/webhook-words.ts'
import { runs } from '../../support/runs.ts'

const allTypes = typeGroups.flatMap(({ types }) => types.map(({ type }) => type))

test('the patterns of a choice name exactly what was chosen', () => {
  fc.assert(
    fc.property(fc.subarray(allTypes, { minLength: 1 }), (chosen) => {
      expect([...typesOf(patternsOf(new Set(chosen)))].sort()).toEqual([...chosen].sort())
    }),
    { numRuns: runs(500) },
  )
})

test('all changes need no pattern, and all of a kind one', () => {
  const changes = allTypes.filter((type) => !type.startsWith('alert.'))
  expect(patternsOf(new Set(changes))).toEqual([])
  expect(patternsOf(new Set(allTypes))).toContain('alert.*')
  expect(patternsOf(typesOf(['location.*', 'receivingEvent.voided']))).toEqual(['receivingEvent.voided', 'location.*'])
})

test('says what is sent in words of the page', () => {
  expect(sentWords([])).toBe('All changes of records')
  expect(sentWords(['receivingEvent.created', 'receivingEvent.voided', 'alert.*'])).toBe(
    'Receiving events: created, voided. Alerts',
  )
  expect(sentWords(['alert.vendorSilent'])).toBe('Alerts: vendor silent')
})

test('says how much waits, and for how long', () => {
  const all = { types: [], dataProviderVendorId: null, shipToLocationCode: null, lotCode: null }
  const waiting = (changesBehind: number, secondsBehind: number, filter = {}) =>
    waitingWords({ changesBehind, secondsBehind, ...all, ...filter })
  expect(waiting(0, 0)).toBe('nothing')
  expect(waiting(1, 12)).toBe('1 change, for 12 s')
  expect(waiting(1_204, 200)).toBe('1,204 changes, the oldest for 3 min 20 s')
  // Which of them it is sent is not looked up.
  expect(waiting(3, 5, { lotCode: 'GV26063-A' })).toBe('at most 3 changes, the oldest for 5 s')
  expect(waiting(3, 5, { types: ['location.*'] })).toBe('at most 3 changes, the oldest for 5 s')
})

test('a webhook without a description is called by its host', () => {
  expect(webhookName({ description: null, url: 'https://erp.example.com/hook?a=1' })).toBe('erp.example.com')
  expect(webhookName({ description: 'ERP', url: 'https://erp.example.com' })).toBe('ERP')
})

test('messages are called as the pages call what they are about', () => {
  expect(messageWords('receivingEvent.created', 1)).toBe('Receiving event created')
  expect(messageWords('alert.vendorSilent', 0)).toBe('Alert: vendor silent')
  expect([messageWords('changes', 12), messageWords('webhook.test', 0)]).toEqual(['12 changes', 'Test message'])
})
