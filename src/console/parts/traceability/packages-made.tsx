// When FDA packages were made, and of what: read off the access log, which administrators may read.
import type { AccessEntry } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { type DeclaredFilter, filterLabel } from '../../records/filters.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { dateTimeWords, labelOf } from '../../words/labels.ts'
import { KeyName } from '../fields/key-name.tsx'
import { When } from '../frame/states.tsx'

/** What a package was asked for by, which is also how its page is opened again. */
const filtersOf = ({ asked }: AccessEntry): readonly (readonly [string, string])[] =>
  Object.entries(asked).flatMap(([name, value]) =>
    name === 'gaps' || name === 'contact'
      ? []
      : [value].flat().map((one): readonly [string, string] => [name, String(one)]),
  )

interface PackagesMadeProps {
  readonly limit: number
  /** The filters of a package as they are declared, for their labels. */
  readonly declared: Readonly<Record<string, DeclaredFilter>>
}

export function PackagesMade({ limit, declared }: PackagesMadeProps) {
  const { api } = useOpenSession()
  const made = useRequest(
    async (signal) => (await api.listAccessLog({ operation: 'exportFdaPackage', limit, signal })).body.content,
    [limit],
  )
  return (
    <When asked={made} what="the packages">
      {(entries) =>
        entries.length === 0 ? (
          <p class="quiet">No package has been made yet.</p>
        ) : (
          <table class="measures cards" aria-label="Packages made">
            <thead>
              <tr>
                <th scope="col">Made</th>
                <th scope="col">For</th>
                <th scope="col">By</th>
                <th scope="col">Records</th>
                <th scope="col" class="on-screen">
                  <span class="hidden">Again</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <PackageRow key={entry.id} entry={entry} declared={declared} />
              ))}
            </tbody>
          </table>
        )
      }
    </When>
  )
}

function PackageRow({
  entry,
  declared,
}: Pick<PackagesMadeProps, 'declared'> & {
  readonly entry: AccessEntry
}) {
  const { beganDateTime, who, keyName, records, ending } = entry
  const filters = filtersOf(entry)
  const wordsOf = (name: string) => (declared[name] === undefined ? labelOf(name) : filterLabel(name, declared[name]))
  const address = `/fda${filters.length === 0 ? '' : `?${new URLSearchParams(filters.map(([name, value]) => [name, value]))}`}`
  return (
    <tr>
      <th scope="row">
        <time dateTime={beganDateTime}>{dateTimeWords(beganDateTime.replace(/:\d{2}\.\d+Z$/, ':00Z'))}</time>
        {ending !== 'done' && <span class="tag removed">{ending === 'open' ? 'no end recorded' : 'not complete'}</span>}
      </th>
      <td data-words="For">
        {filters.length === 0
          ? 'everything'
          : filters.map(([name, value]) => (
              <span key={`${name} ${value}`}>
                <span class="quiet">{wordsOf(name)}</span> <bdi>{value}</bdi>{' '}
              </span>
            ))}
      </td>
      <td data-words="By">
        <KeyName name={keyName} id={who} />
      </td>
      <td data-words="Records">{records === null ? '' : pluralize(records, 'event')}</td>
      <td class="on-screen">
        <a href={hrefTo(address)}>Same request</a>
      </td>
    </tr>
  )
}
