// Columns of an access log: who received which data, and how it ended.
import type { AccessEntry, PartnerAccess } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { copy } from '../../files/clipboard.ts'
import type { Column } from '../../records/drawn-column.ts'
import { sentWords } from '../../records/webhook-words.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { labelOf } from '../../words/labels.ts'
import { KeyName } from '../fields/key-name.tsx'
import { Instant } from '../frame/instant.tsx'

/** An entry of one's own log, or of a partner's accesses. */
type Entry = PartnerAccess & Partial<Pick<AccessEntry, 'requestId'>>

const endings: Readonly<Record<Entry['ending'], { readonly words: string; readonly tag: string }>> = {
  done: { words: 'done', tag: 'added' },
  cutOff: { words: 'cut off', tag: 'replaced' },
  failed: { words: 'failed', tag: 'removed' },
  open: { words: 'no end recorded', tag: 'replaced' },
}

/** Fields of grants whose values are names of the contract. */
const named = ['direction', 'withheld']

/** The parameters of the call: of an object, its fields with their labels. */
function valueWords(value: unknown, wordOf = (text: string) => text): string {
  if (Array.isArray(value)) return value.map((one) => valueWords(one, wordOf)).join('; ')
  if (typeof value !== 'object' || value === null) return wordOf(String(value))
  return Object.entries(value)
    .filter(([, part]) => part !== null && part !== '')
    .map(([name, part]) => `${labelOf(name)} ${valueWords(part, named.includes(name) ? labelOf : undefined)}`)
    .join(', ')
}

function Asked({ entry: { operation, asked } }: { readonly entry: Entry }) {
  return (
    <>
      {labelOf(operation)}
      {Object.entries(asked).map(
        ([name, value]) =>
          value !== null && (
            <span key={name} class="quiet small">
              {' '}
              {labelOf(name)}: <bdi>{name === 'types' ? sentWords(value as readonly string[]) : valueWords(value)}</bdi>
            </span>
          ),
      )}
      {operation === 'deletePartner' && 'id' in asked && (
        <>
          {' '}
          <a href={hrefTo(`/partners/${String(asked.id)}`)}>What it read</a>
        </>
      )}
    </>
  )
}

export const accessColumns: readonly Column<Entry>[] = [
  { heading: 'What', cell: (entry) => <Asked entry={entry} /> },
  {
    heading: 'When',
    cell: ({ beganDateTime }) => <Instant instant={beganDateTime} toSecond />,
  },
  {
    heading: 'Who',
    cell: ({ keyName, who, requestId }) => (
      <>
        <KeyName name={keyName} id={who} />
        {requestId && (
          <button type="button" class="plain in-line" onClick={() => copy(requestId, 'Request id')}>
            Copy request id<span class="hidden"> {requestId}</span>
          </button>
        )}
      </>
    ),
  },
  {
    heading: 'Ended',
    cell: ({ ending }) => <span class={`tag ${endings[ending].tag}`}>{endings[ending].words}</span>,
  },
  {
    heading: 'Sent',
    cell: ({ records, bytes }) =>
      [records !== null && pluralize(records, 'record'), bytes !== null && pluralize(bytes, 'byte')]
        .filter(Boolean)
        .join(', '),
  },
]
