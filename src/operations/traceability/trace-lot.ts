// Trace: everything that the records say about one lot code. Not shown in the contract; decided in
// 0028.

import { ignoredText } from '../../contract/lots/alike-lots.ts'
import { type RecordKind, receivingEvent } from '../../contract/record-kinds.ts'
import { declareLimit } from '../../limits.ts'
import { LotTrace } from '../../tracing/lot-trace.ts'
import { bothSelection } from '../base/event-selection.ts'
import type { Operation } from '../base/operation.ts'

export const traceEventsMax = declareLimit('traceEvents', 2_000, 'events', 'Events with the lot in one trace.')
export const traceLinesReadMax = declareLimit('traceLinesRead', 250_000, 'lines', 'Product lines read for one trace.')
export const traceLinesMax = declareLimit('traceLines', 20_000, 'lines', 'Lines of the lot in one trace.')
/** Most further events whose lot codes read alike. */
export const alikeEventsMax = 500

export const traceLot = {
  name: 'traceLot',
  method: 'GET',
  path: '/traceability/lots/{lotCode}',
  cites: '21 CFR 1.1455(c)(3); decision 0028',
  summary: 'Traces a lot: where it came from, where it went, and which questions the records leave open.',
  description:
    'Every receiving event and product line with the lot code, the places and vendors in order, how much each place received and sent on, one step back and forward, and whole chains. ' +
    'Percent-encode the lot code in the address. It is a plain lot code, a GS1 element string (`(01)…(10)…`), scanned data, a GS1 Digital Link or an LGTIN URN; each form finds the lines stored in any of these forms. ' +
    'Shipping events of the lot are in `shippedLinks` and `shippingEvents`: they say what left, and count in nothing else. ' +
    `Lines whose lot code is another one that reads alike are only in \`readAlike\`. These differences are ignored: ${ignoredText}. ` +
    'A lot code is unique only within its source (21 CFR 1.1310): when several use it, the answer says so. ' +
    `A trace has at most ${traceEventsMax.toLocaleString('en')} events, the last created, with at most ${traceLinesReadMax.toLocaleString('en')} product lines in all and ${traceLinesMax.toLocaleString('en')} of the lot; \`notes\` says what was left out.`,
  role: 'partner',
  topic: 'traceability',
  record: receivingEvent as RecordKind,
  query: {
    tlcSource: {
      form: 'text',
      meaning: 'Only lines whose lot code source has this identifier or name, as shown in the answer.',
      example: '0614141000012',
    },
    gtin: {
      form: 'text',
      meaning:
        'Only lines of this item: its GTIN of 8, 12, 13 or 14 digits. Lines whose item has no known GTIN are kept, and a note says so.',
      example: '10614141000415',
    },
    eventStartDate: bothSelection.eventStartDate,
    eventEndDate: bothSelection.eventEndDate,
    format: {
      form: 'choice',
      meaning: '`json`; `csv`, a row for each product line; or `svg`, a drawing.',
      example: 'svg',
      values: ['json', 'csv', 'svg'],
    },
  },
  headers: [],
  recorded: 'savedFiles',
  outcomes: {
    unknownLot: {
      status: 404,
      when: 'The provider has no product line with this lot code or one that reads alike, or none that matches the query.',
      retry: 'changed',
    },
    unknownSource: {
      status: 404,
      when: 'The lot code is known, but `tlcSource` names none of its sources.',
      retry: 'changed',
    },
    traced: {
      status: 200,
      when: 'The trace of the lot, or only lines that read alike.',
      body: LotTrace,
      media: {
        'text/csv':
          'A header row, one row per product line of the lot, of receiving and then of shipping events (column `record`), then one per line that reads alike (column `match`). RFC 4180, UTF-8.',
        'image/svg+xml': 'A drawing of the places and what moved between them.',
      },
      retry: 'never',
    },
  },
} as const satisfies Operation
