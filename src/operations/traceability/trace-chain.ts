// Chain: the lots that were made of a lot, or of which it was made. Beyond the contract; decided in
// 0091.
import { grounds } from '../../contract/lots/grounds.ts'
import { type RecordKind, receivingEvent } from '../../contract/record-kinds.ts'
import { declareLimit } from '../../limits.ts'
import { directions } from '../../tracing/chain-walk.ts'
import { LotChain } from '../../tracing/lot-chain.ts'
import type { Operation } from '../base/operation.ts'
import type { QueryParameter } from '../base/query.ts'
import { traceLinesReadMax, traceLot } from './trace-lot.ts'

export const chainEventsMax = declareLimit('chainEvents', 10_000, 'events', 'Events read for one chain.')
export const chainLotsMax = declareLimit('chainLots', 5_000, 'lots', 'Lots in one chain.')
export const chainLinksMax = declareLimit(
  'chainLinks',
  250_000,
  'links',
  'Pairs of a lot and an event that used or made it, in one chain.',
)
export const chainCharactersMax = declareLimit(
  'chainCharacters',
  100_000_000,
  'characters',
  'Content of the events read for one chain.',
)

const { tlcSource, gtin } = traceLot.query

/** The least sure ground of a chain. */
export const least = {
  form: 'choice',
  meaning:
    '`reference` unless given: also follows food without a lot code by place and date. `sourceUnknown` follows lines that do not say who assigned the lot code, and no references. `sameSource` follows only what is certain. `readAlike` also follows lots whose codes only read alike, and `severalLots` those whose codes name several lots or a range.',
  example: 'sameSource',
  values: grounds.toReversed(),
} as const satisfies QueryParameter

export const traceChain = {
  name: 'traceChain',
  method: 'GET',
  path: '/traceability/lots/{lotCode}/chain',
  cites: '21 CFR 1.1350(a), 1.1455(c)(3); decision 0091',
  summary: 'Follows a lot through every transformation: to the lots that were made of it, or to those it was made of.',
  description:
    'Food has no lot code before it is packed: a chain back ends in `food`, with the place and date of its harvest and cooling, and the events that agree with an initial packing event in these, and in item or commodity and growing area where both state them. ' +
    'Each lot of the chain has what was made, received, used and shipped of it, and where it was received; `GET /traceability/lots/{lotCode}` traces its way. ' +
    'Every lot that an event used may be in every lot that it made. A lot worked into itself again ends nothing: each lot is there once. ' +
    'Lines are of one lot when lot code and source are equal, and their items do not contradict each other. Lines that do not say who assigned the lot code are followed too, and marked, unless only what is certain is asked for. Lot codes that only read alike are followed when asked for; the trace of a lot lists them. ' +
    `A chain has at most ${chainLotsMax.toLocaleString('en')} lots of at most ${chainEventsMax.toLocaleString('en')} events with ${traceLinesReadMax.toLocaleString('en')} X says what was left out.`,
  role: 'partner',
  topic: 'traceability',
  record: receivingEvent as RecordKind,
  query: {
    direction: {
      form: 'choice',
      meaning: '`forward`, to what was made of the lot, unless given; or `back`, to what it was made of.',
      example: 'back',
      values: directions,
    },
    least,
    tlcSource: { ...tlcSource, meaning: 'Only the lot of the source with this identifier or name.' },
    gtin: { ...gtin, meaning: 'Only the lot of this item: its GTIN of 8, 12, 13 or 14 digits.' },
    eventStartDate: {
      form: 'date',
      meaning: 'First date of `balances`, at the place of each event. What was left before is their `opening`.',
      example: '2026-03-01',
    },
    eventEndDate: {
      form: 'date',
      meaning: 'Last date of `balances`. The lots and events of the chain are those of all dates.',
      example: '2026-03-31',
    },
    tolerance: {
      form: 'limit',
      meaning: 'Percent of what came in by which more may go out: a whole number up to 100, 0 unless given.',
      example: '2',
      limits: { default: 0, min: 0, max: 100 },
    },
    format: {
      form: 'choice',
      meaning: '`json`; `csv`, a row for each lot and the event by which it came into the chain; or `svg`, a drawing.',
      example: 'svg',
      values: ['json', 'csv', 'svg'],
    },
  },
  headers: [],
  recorded: 'savedFiles',
  outcomes: {
    unknownLot: {
      status: 404,
      when: 'No event has a product line with this lot code, or none that matches the query.',
      retry: 'changed',
    },
    chained: {
      status: 200,
      when: 'The chain of the lot.',
      body: LotChain,
      media: {
        'text/csv':
          'A header row; a row for each lot and each event by which it came into the chain, quantities in the first row of a lot; then the same of food before it was packed. RFC 4180, UTF-8.',
        'image/svg+xml': 'A drawing of the lots and the events between them.',
      },
      retry: 'never',
    },
  },
} as const satisfies Operation
