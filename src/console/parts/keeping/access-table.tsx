// Entries of an access log: who was sent what, and how it ended.
import type { AccessEntry, PartnerAccess } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { copy } from '../../files/clipboard.ts'
import { sentWords } from '../../records/webhook-words.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { dateTimeWords, labelOf } from '../../words/labels.ts'
import { KeyName } from '../fields/key-name.tsx'

/** An entry of one's own log, or of what a partner read. */
type Entry = PartnerAccess & Partial<Pick<AccessEntry, 'requestId'>>

const endings: Readonly<Record<Entry['ending'], { readonly words: string; readonly tag: string }>> = {
  done: { words: 'done', tag: 'added' },
  cutOff: { words: 'cut off', tag: 'replaced' },
  failed: { words: 'failed', tag: 'removed' },
  open: { words: 'no end recorded', tag: 'replaced' },
}

interface Props {
  readonly label: string
  readonly entries: readonly Entry[]
}

export const AccessTable = ({ label, entries }: Props) => (
  <table class="measures cards" aria-label={label}>
    <thead>
      <tr>
        <th scope="col">What</th>
        <th scope="col">When</th>
        <th scope="col">Who</th>
        <th scope="col">Ended</th>
        <th scope="col">Sent</th>
      </tr>
    </thead>
    <tbody>
      {entries.map((entry) => (
        <EntryRow key={entry.id} entry={entry} />
      ))}
    </tbody>
  </table>
)

/** Fields of grants whose values are names of the contract. */
const named = ['direction', 'withheld']

/** What was asked for: of an object, its fields with their labels. */
function valueWords(value: unknown, isNamed = false): string {
  if (Array.isArray(value)) return value.map((one) => valueWords(one, isNamed)).join('; ')
  if (typeof value !== 'object' || value === null) return isNamed ? labelOf(String(value)) : String(value)
  return Object.entries(value)
    .filter(([, part]) => part !== null && part !== '')
    .map(([name, part]) => `${labelOf(name)} ${valueWords(part, named.includes(name))}`)
    .join(', ')
}

function EntryRow({ entry }: { readonly entry: Entry }) {
  const { operation, asked, beganDateTime, who, keyName, requestId, ending, records, bytes } = entry
  return (
    <tr>
      <th scope="row">
        {labelOf(operation)}
        {Object.entries(asked).map(
          ([name, value]) =>
            value !== null && (
              <span key={name} class="quiet small">
                {' '}
                {labelOf(name)}:{' '}
                <bdi>{name === 'types' ? sentWords(value as readonly string[]) : valueWords(value)}</bdi>
              </span>
            ),
        )}
        {operation === 'deletePartner' && 'id' in asked && (
          <>
            {' '}
            <a href={hrefTo(`/partners/${String(asked.id)}`)}>What it read</a>
          </>
        )}
      </th>
      <td data-words="When">
        <time dateTime={beganDateTime}>{dateTimeWords(beganDateTime)}</time>
      </td>
      <td data-words="Who">
        <KeyName name={keyName} id={who} />
        {requestId && (
          <button type="button" class="plain in-line" onClick={() => copy(requestId, 'Request id')}>
            Copy request id<span class="hidden"> {requestId}</span>
          </button>
        )}
      </td>
      <td data-words="Ended">
        <span class={`tag ${endings[ending].tag}`}>{endings[ending].words}</span>
      </td>
      <td data-words="Sent">
        {[records !== null && pluralize(records, 'record'), bytes !== null && pluralize(bytes, 'byte')]
          .filter(Boolean)
          .join(', ')}
      </td>
    </tr>
  )
}
