import * as payload from '../../src/rules/payload.ts'
import { proveGroup, proveRule } from '../support/records/prove-rule.ts'

proveRule(payload.payloadIdUnique, {
  accepts: [
    { title: 'an id no earlier payload carried' },
    { title: 'a payload without id', edit: (body) => delete body.payloadId, facts: { payloadIdUsedBy: 'r-1' } },
    { title: 'a blank id', edit: (body) => Object.assign(body, { payloadId: ' ' }), facts: { payloadIdUsedBy: 'r-1' } },
  ],
  refuses: [
    {
      title: 'an id that was used before, and names the record',
      facts: { payloadIdUsedBy: 'r-1' },
      at: '/payloadId',
      says: 'payloadId "P-1" was already used by the payload that made record r-1.',
    },
    {
      title: 'an id of a master product payload that was used before',
      kind: 'masterProduct',
      facts: { payloadIdUsedBy: 'r-1' },
      at: '/payloadId',
    },
    {
      title: 'and refuses in strict mode an id that was used before',
      kind: 'location',
      strict: true,
      facts: { payloadIdUsedBy: 'r-1' },
      at: '/payloadId',
    },
  ],
})

const sentAt = (transmissionDateTime: string) => (body: object) => Object.assign(body, { transmissionDateTime })

proveRule(payload.transmissionDateTimeForm, {
  accepts: [
    { title: 'one of the three forms', kind: 'masterProduct', edit: sentAt('2026-03-01T12:00:00+05:00') },
    { title: 'a blank datetime', kind: 'masterProduct', edit: sentAt('') },
    {
      title: 'a payload without it',
      kind: 'location',
      edit: (body) => delete body.transmissionDateTime,
    },
    {
      title: 'nothing on the receiving event endpoint, where the shape refuses the form',
      edit: sentAt('yesterday'),
      alsoReports: ['shape/date-time'],
    },
  ],
  refuses: [
    ...['yesterday', '2026-03-01T12:00:00.000Z', '2026-03-01', '2026-02-30T12:00:00Z'].map((text) => ({
      title: `${text} in a master product payload`,
      kind: 'masterProduct' as const,
      edit: sentAt(text),
      at: '/transmissionDateTime',
      says: JSON.stringify(text),
    })),
    {
      title: 'a wrong form in a location payload',
      kind: 'location',
      edit: sentAt('2026-03-01T12:00:00+05:30'),
      at: '/transmissionDateTime',
    },
  ],
})

proveRule(payload.textVisible, {
  accepts: [
    { title: 'letters of any script', edit: (body) => Object.assign(body, { payloadId: 'Lieferung-Köln-水産' }) },
  ],
  refuses: [
    {
      title: 'a byte order mark in front of an id',
      edit: (body) => Object.assign(body, { payloadId: '\ufeffP-1' }),
      at: '/payloadId',
      says: 'Character 1 of payloadId is U+FEFF ZERO WIDTH NO-BREAK SPACE',
    },
  ],
})

proveRule(payload.transmissionDatePlausible, {
  accepts: [
    { title: 'a payload that was sent some hours after the event', facts: { now: Date.parse('2026-03-04T21:00:00Z') } },
    {
      title: 'a payload that was sent on the eve of the event',
      edit: sentAt('2026-03-04T00:00:00Z'),
      facts: { now: Date.parse('2026-03-04T21:00:00Z') },
    },
    {
      title: 'a payload of an event in the future, which another rule reports',
      edit: sentAt('2026-03-01T00:00:00Z'),
      facts: { now: Date.parse('2026-03-01T21:00:00Z') },
      alsoReports: ['receiving-event/received-in-past'],
    },
  ],
  refuses: [
    ...(['receivingEvent', 'shippingEvent', 'masterProduct', 'location'] as const).map((kind) => ({
      title: `a year of two digits in a payload of kind ${kind}`,
      kind,
      edit: sentAt('0026-03-04T20:00:00Z'),
      at: '/transmissionDateTime',
      says: 'Year 26 was probably meant as 2026.',
    })),
    ...['1926', '2006', '2016'].map((year) => ({
      title: `a payload sent in ${year}`,
      edit: sentAt(`${year}-03-04T20:00:00Z`),
      facts: { now: Date.parse('2026-03-04T21:00:00Z') },
      at: '/transmissionDateTime',
    })),
    {
      title: 'a payload sent in the future',
      edit: sentAt('2206-03-04T20:00:00Z'),
      facts: { now: Date.parse('2026-03-04T21:00:00Z') },
      at: '/transmissionDateTime',
      says: 'transmissionDateTime is "2206-03-04T20:00:00Z", which lies in the future.',
    },
    {
      title: 'a payload sent before its event',
      edit: sentAt('2025-03-04T20:00:00Z'),
      facts: { now: Date.parse('2026-03-04T21:00:00Z') },
      at: '/transmissionDateTime',
      says: 'transmissionDateTime is "2025-03-04T20:00:00Z", before the event on 2026-03-04.',
    },
  ],
})

proveGroup('payload')
