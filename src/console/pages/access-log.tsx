// The access log: who was handed what, and who changed keys and legal holds or purged. For
// administrators.
import type { AccessEntry } from '../../client/generated/shapes.ts'
import { copy } from '../files/clipboard.ts'
import { KeyName } from '../parts/key-name.tsx'
import { ListEnd } from '../parts/list-end.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { When } from '../parts/states.tsx'
import { usePaged } from '../state/paged.ts'
import { useMay, useOpenSession } from '../state/session.ts'
import { dateTimeWords, labelOf, pluralize } from '../words/labels.ts'

const endings: Readonly<Record<AccessEntry['ending'], { readonly words: string; readonly tag: string }>> = {
  done: { words: 'done', tag: 'added' },
  cutOff: { words: 'cut off', tag: 'replaced' },
  failed: { words: 'failed', tag: 'removed' },
  open: { words: 'no end recorded', tag: 'replaced' },
}

export function AccessLogPage() {
  const mayRead = useMay('administrator')
  const { own } = useOpenSession()
  return (
    <>
      <PageHead title="Access log">
        <p class="quiet">
          Exports, purges, and changes to keys and legal holds, newest first. Each export is recorded before it is sent.
          Entries are never changed or deleted.
        </p>
      </PageHead>
      {mayRead ? (
        <Entries />
      ) : (
        <p class="callout">
          Only an administrator key can read the access log, because it shows the requests of others. Yours is a{' '}
          {own.role} key.
        </p>
      )}
    </>
  )
}

function Entries() {
  const { api } = useOpenSession()
  const paged = usePaged(async (options) => (await api.listAccessLog(options)).body, [])
  return (
    <When asked={paged.asked} what="the access log">
      {({ content }) => (
        <>
          <table class="measures cards" aria-label="Access log">
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
              {content.map((entry) => (
                <EntryRow key={entry.id} entry={entry} />
              ))}
            </tbody>
          </table>
          <ListEnd paged={paged} noun="entry" nouns="entries" />
        </>
      )}
    </When>
  )
}

function EntryRow({ entry }: { readonly entry: AccessEntry }) {
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
                {labelOf(name)}: <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>
              </span>
            ),
        )}
      </th>
      <td data-words="When">
        <time dateTime={beganDateTime}>{dateTimeWords(beganDateTime)}</time>
      </td>
      <td data-words="Who">
        <KeyName name={keyName} id={who} />
        {requestId !== null && (
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
