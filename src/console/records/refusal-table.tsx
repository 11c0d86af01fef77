// The table of refusals. The page loads all of them.
import type { Refusal } from '../../client/generated/shapes.ts'
import { ruleOf } from '../../rules/catalogue.ts'
import { operationWords, outcomeOf, reasonsOf, refusalWords } from '../words/refusals.ts'
import { screenText } from '../words/screen-words.ts'
import type { DrawnColumn } from './drawn-column.ts'
import type { LocalTable } from './local-table.ts'
import { Cut, Time } from './record-columns.tsx'

const column = (
  name: string,
  heading: string,
  text: DrawnColumn<Refusal>['text'],
  more: Partial<DrawnColumn<Refusal>> = {},
): DrawnColumn<Refusal> => ({
  name,
  heading,
  sort: name,
  share: 12,
  text,
  cell: (refusal) => <Cut text={text(refusal)} />,
  ...more,
})

const senderOf = ({ keyName, keyId }: Refusal): string => keyName ?? keyId

const several = (meaning: string) => ({ form: 'text', meaning, example: '', many: true }) as const

/** The rule that was broken as it reads; a call that ended otherwise in words. */
export const reasonWords = (reason: string): string => screenText(ruleOf(reason)?.summary ?? outcomeOf(reason))

export const refusalTable: LocalTable<Refusal, DrawnColumn<Refusal>> = {
  path: '/refusals',
  words: 'Refusals',
  nouns: 'refusals',
  list: 'refusal',
  sort: 'refusedDateTime',
  search: 'text',
  filters: {
    text: {
      form: 'text',
      meaning: 'Words of the message, or an id of a request or record.',
      example: 'Words or an id',
    },
    reason: several('Only refusals for this reason.'),
    keyId: several('Only what this person or key sent.'),
    dataProviderVendorId: several('Only payloads of this vendor.'),
    operation: several('Only this operation.'),
  },
  picked: ['reason', 'keyId', 'dataProviderVendorId', 'operation'],
  valuesIn: {
    reason: (refusal) =>
      reasonsOf(refusal).map((value) => ({ value, label: ruleOf(value) === undefined ? outcomeOf(value) : null })),
    keyId: ({ keyId, keyName }) => [{ value: keyId, label: keyName }],
    dataProviderVendorId: ({ dataProviderVendorId: value }) => (value === null ? [] : [{ value }]),
    operation: ({ operation: value }) => [{ value, label: operationWords(value) }],
  },
  textIn: (refusal) => [refusalWords(refusal), refusal.detail, ...reasonsOf(refusal)].join(' '),
  idsIn: ({ requestId, recordId }) => [requestId, recordId],
  columns: [
    column('refusedDateTime', 'Refused', ({ refusedDateTime }) => refusedDateTime, {
      shown: true,
      isTime: true,
      cell: ({ refusedDateTime }) => <Time written={refusedDateTime} />,
    }),
    column('message', 'Message', refusalWords, { shown: true, share: 40, isLong: true }),
    column('operation', 'Operation', ({ operation }) => operationWords(operation), {
      shown: true,
      share: 15,
      wide: true,
    }),
    column('vendor', 'Vendor', ({ dataProviderVendorId }) => dataProviderVendorId ?? '', { shown: true, share: 9 }),
    column('sender', 'Sent by', senderOf, { shown: true, share: 12 }),
    column('findings', 'Findings', ({ findingCount }) => findingCount, { shown: true, share: 6, wide: true }),
    column('outcome', 'Outcome', ({ outcome }) => outcomeOf(outcome)),
    column('rules', 'Rules', (refusal) => reasonsOf(refusal).join(', '), { share: 18 }),
    column('detail', 'Answer to the sender', ({ detail }) => detail, { share: 40 }),
    column('recordId', 'Record id', ({ recordId }) => recordId ?? '', { share: 30 }),
    column('requestId', 'Request id', ({ requestId }) => requestId, { share: 30 }),
    column('keyId', 'Key id', ({ keyId }) => keyId, { share: 16 }),
  ],
}
