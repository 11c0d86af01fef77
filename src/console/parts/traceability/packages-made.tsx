// When FDA packages were made, here and by links, and with which parameters: from the access log,
// which administrators may read.

import type { Client } from '../../../client/client.ts'
import type { AccessEntry } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import type { Column } from '../../records/drawn-column.ts'
import { type DeclaredFilter, filterLabel } from '../../records/filters.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { labelOf } from '../../words/labels.ts'
import { KeyName } from '../fields/key-name.tsx'
import { Instant } from '../frame/instant.tsx'
import { When } from '../frame/states.tsx'
import { DataTable } from '../tables/data-table.tsx'

/** The parameters of a package, which also open its page again. */
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
  const made = useRequest((signal) => packagesMade(api, limit, signal), [limit])
  return (
    <When asked={made} what="the packages">
      {({ entries, labelOfLink }) =>
        entries.length === 0 ? (
          <p class="quiet">No package has been made yet.</p>
        ) : (
          <DataTable
            label="Packages made"
            columns={columnsOf(declared, labelOfLink)}
            rows={entries}
            keyOf={({ id }) => id}
          />
        )
      }
    </When>
  )
}

const byLink = 'package link '

/** Packages made here or fetched by a link, the newest first, and the labels of the links. */
async function packagesMade(api: Client, limit: number, signal: AbortSignal) {
  const logs = ['exportFdaPackage', 'fetchPackage'].map((operation) => api.listAccessLog({ operation, limit, signal }))
  const entries = (await Promise.all(logs))
    .flatMap(({ body }) => body.content)
    .sort((a, b) => (a.beganDateTime < b.beganDateTime ? 1 : -1))
    .slice(0, limit)
  const links = entries.some(({ who }) => who.startsWith(byLink))
    ? (await api.listPackageLinks({ limit: 200, signal })).body.content
    : []
  const labels = new Map(links.map(({ id, label }) => [byLink + id, label]))
  return { entries, labelOfLink: (who: string) => labels.get(who) ?? who.slice(byLink.length) }
}

const columnsOf = (
  declared: PackagesMadeProps['declared'],
  labelOfLink: (who: string) => string,
): readonly Column<AccessEntry>[] => [
  {
    heading: 'Made',
    cell: ({ beganDateTime, ending }) => (
      <>
        <Instant instant={beganDateTime} />
        {ending !== 'done' && <span class="tag removed">{ending === 'open' ? 'no end recorded' : 'not complete'}</span>}
      </>
    ),
  },
  {
    heading: 'For',
    cell: (entry) => {
      const filters = filtersOf(entry)
      if (filters.length === 0) return 'everything'
      return filters.map(([name, value]) => (
        <span key={`${name} ${value}`}>
          <span class="quiet">{declared[name] === undefined ? labelOf(name) : filterLabel(name, declared[name])}</span>{' '}
          <bdi>{value}</bdi>{' '}
        </span>
      ))
    },
  },
  {
    heading: 'By',
    cell: ({ keyName, who }) =>
      who.startsWith(byLink) ? (
        <>
          <a href={hrefTo('/package-links')}>Package link</a> for <bdi>“{labelOfLink(who)}”</bdi>
        </>
      ) : (
        <KeyName name={keyName} id={who} />
      ),
  },
  { heading: 'Records', cell: ({ records }) => (records === null ? '' : pluralize(records, 'event')) },
  {
    heading: 'Again',
    isAction: true,
    onScreen: true,
    cell: (entry) => {
      const query = new URLSearchParams(filtersOf(entry).map(([name, value]) => [name, value]))
      return <a href={hrefTo(query.size === 0 ? '/fda' : `/fda?${query}`)}>Same request</a>
    },
  },
]
