// The access log: who was handed what, and who changed keys and legal holds or purged. For
// administrators.
import type { AccessEntry, ListValues } from '../../client/generated/shapes.ts'
import { listAccessLog } from '../../operations/access-log.ts'
import { copy } from '../files/clipboard.ts'
import { FilterBar } from '../parts/filter-bar.tsx'
import { KeyName } from '../parts/key-name.tsx'
import { ListEnd } from '../parts/list-end.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { When } from '../parts/states.tsx'
import { UnknownFilters } from '../parts/table-actions.tsx'
import { filtersIn, queryOf } from '../records/filters.ts'
import { sentWords } from '../records/webhook-words.ts'
import { go } from '../state/address.ts'
import { usePaged } from '../state/paged.ts'
import { useMay, useOpenSession } from '../state/session.ts'
import { dateTimeWords, labelOf, pluralize } from '../words/labels.ts'
import type { PageProps } from './page.ts'

const endings: Readonly<Record<AccessEntry['ending'], { readonly words: string; readonly tag: string }>> = {
  done: { words: 'done', tag: 'added' },
  cutOff: { words: 'cut off', tag: 'replaced' },
  failed: { words: 'failed', tag: 'removed' },
  open: { words: 'no end recorded', tag: 'replaced' },
}

export function AccessLogPage({ query }: PageProps) {
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
        <Entries query={query} />
      ) : (
        <p class="callout">
          Only an administrator key can read the access log, because it shows the requests of others. Yours is a{' '}
          {own.role} key.
        </p>
      )}
    </>
  )
}

const { limit: _, cursor: __, ...declared } = listAccessLog.query

function Entries({ query }: Pick<PageProps, 'query'>) {
  const { api } = useOpenSession()
  const { filters, unknown } = filtersIn(query, declared)
  const paged = usePaged(async (options) => (await api.listAccessLog({ ...filters, ...options })).body, [filters])
  const loaded = paged.asked.is === 'answered' ? paged.asked.value : undefined
  /** Who and what the entries on this page are of. */
  const valuesOf = async (name: string, containing: string): Promise<ListValues> => {
    const counts = new Map<string, ListValues['content'][number]>()
    for (const { who, keyName, operation } of loaded?.content ?? []) {
      const [value, label] = name === 'who' ? [who, keyName ?? null] : [operation, labelOf(operation)]
      counts.set(value, { value, label, records: (counts.get(value)?.records ?? 0) + 1 })
    }
    const fits = ({ value, label }: ListValues['content'][number]) =>
      `${value} ${label}`.toLowerCase().includes(containing.toLowerCase())
    return { content: [...counts.values()].filter(fits), isWhole: loaded?.nextCursor === null }
  }
  return (
    <>
      <FilterBar
        declared={declared}
        search="who"
        shownElsewhere={['operation']}
        filters={filters}
        onFilter={(next) => go(`/access-log${queryOf(next)}`)}
        values={{ of: ['who', 'operation'], nouns: 'entries', ask: valuesOf }}
      />
      <UnknownFilters unknown={unknown} />
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
    </>
  )
}

/** What was asked for: of an object, its fields with their labels. */
function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueWords).join('; ')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .filter(([, part]) => part !== null && part !== '')
    .map(([name, part]) => `${labelOf(name)} ${valueWords(part)}`)
    .join(', ')
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
                {labelOf(name)}:{' '}
                <bdi>{name === 'types' ? sentWords(value as readonly string[]) : valueWords(value)}</bdi>
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
