// Groups of lines with their shares, the most incomplete lines first; every number leads to the
// events behind it.
import type { Completeness, CompletenessGroup } from '../../../client/generated/shapes.ts'
import { keyDataElementOf } from '../../../rules/key-data-elements.ts'
import { queryOf } from '../../records/filters.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { useMay } from '../../state/frame/session.ts'
import { labelOf } from '../../words/labels.ts'
import { gapsAt } from '../../words/percent.ts'
import { DataTable } from '../tables/data-table.tsx'
import { ShareBar } from '../tables/share-bar.tsx'
import { Sparkline } from '../tables/sparkline.tsx'

interface Props {
  readonly completeness: Completeness
  /** The gaps of each group are left out where there is no room. */
  readonly brief?: boolean
}

/** The heading of the column of groups. */
const heads: Readonly<Record<Completeness['by'], string>> = {
  dataProviderVendorId: 'Vendor',
  shipToLocationCode: 'Ship to',
  vendorItemCode: 'Item',
  month: 'Month',
  kde: 'Key data element',
  kind: 'Kind of event',
}

export const headOf = (by: string): string => heads[by as Completeness['by']] ?? labelOf(by)

interface CountProps {
  readonly count: number
  readonly to: string
  readonly what: string
}

/** A partner has no list of incomplete events to go to. */
export function Count({ count, to, what }: CountProps) {
  const words = count.toLocaleString('en')
  if (!useMay('reader') || count === 0) return <span class={count === 0 ? 'quiet' : undefined}>{words}</span>
  return (
    <a href={hrefTo(gapsAt(to))} aria-label={what}>
      {words}
    </a>
  )
}

export const CompletenessTable = ({ completeness: { by, groups }, brief = false }: Props) => (
  <DataTable
    label={`Completeness by ${headOf(by).toLowerCase()}`}
    columns={[
      { heading: headOf(by), cell: (group) => <GroupName group={group} by={by} /> },
      { heading: 'Complete', cell: ({ share }) => <ShareBar share={share} /> },
      { heading: 'Incomplete lines', isNumber: true, cell: (group) => <IncompleteLines group={group} /> },
      { heading: 'of', isNumber: true, cell: ({ lines }) => lines.toLocaleString('en') },
      !brief &&
        by !== 'kde' && { heading: 'What they lack', class: 'lacking', cell: (group) => <Lacking group={group} /> },
      by !== 'month' && {
        heading: 'By month',
        class: 'trend',
        cell: ({ trend, records }) => <Sparkline trend={trend} records={records} />,
      },
    ]}
    rows={groups}
    keyOf={({ key }) => key}
  />
)

interface GroupProps {
  readonly group: CompletenessGroup
}

const nameOf = ({ label, key }: CompletenessGroup): string => label ?? key

const GroupName = ({ group, by }: GroupProps & Pick<Completeness, 'by'>) => (
  <>
    {by === 'dataProviderVendorId' ? (
      <a href={hrefTo(`/scorecard${queryOf({ vendor: group.key })}`)}>
        <bdi>{nameOf(group)}</bdi>
      </a>
    ) : (
      <bdi>{nameOf(group)}</bdi>
    )}
    {by === 'kde' ? (
      <span class="quiet small"> {keyDataElementOf(group.key).cites}</span>
    ) : (
      by !== 'kind' && group.label !== null && <bdi class="quiet small mono">{group.key}</bdi>
    )}
  </>
)

function IncompleteLines({ group }: GroupProps) {
  const incomplete = group.lines - group.completeLines
  return (
    <Count
      count={incomplete}
      to={group.records}
      what={`${incomplete} incomplete lines of ${nameOf(group)}: show the events`}
    />
  )
}

const Lacking = ({ group }: GroupProps) =>
  group.missing.length > 0 && (
    <ul class="plain-list">
      {group.missing.map(({ rule, kde, cites, lines, records }) => (
        <li key={`${rule} ${cites}`}>
          <Count
            count={lines}
            to={records}
            what={`${lines} lines of ${nameOf(group)} without ${kde}: show the events`}
          />{' '}
          {kde} <span class="quiet small">{cites}</span>
        </li>
      ))}
    </ul>
  )
