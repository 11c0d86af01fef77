// Groups of lines with their shares, the most incomplete lines first; every number leads to the
// events behind it.
import type { Completeness, CompletenessGroup } from '../../../client/generated/shapes.ts'
import { keyDataElementOf } from '../../../rules/key-data-elements.ts'
import { queryOf } from '../../records/filters.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { useMay } from '../../state/frame/session.ts'
import { labelOf } from '../../words/labels.ts'
import { gapsAt } from '../../words/percent.ts'
import { ShareBar } from '../tables/share-bar.tsx'
import { Sparkline } from '../tables/sparkline.tsx'

interface Props {
  readonly completeness: Completeness
  /** What each group lacks is left out where there is no room. */
  readonly brief?: boolean
}

/** What a group is called at the head of the column. */
const heads: Readonly<Record<Completeness['by'], string>> = {
  dataProviderVendorId: 'Vendor',
  shipToLocationCode: 'Ship to',
  vendorItemCode: 'Item',
  month: 'Month',
  kde: 'Key data element',
}

export const headOf = (by: string): string => heads[by as Completeness['by']] ?? labelOf(by)

interface CountProps {
  readonly count: number
  readonly to: string
  readonly what: string
}

/** A partner has no list of what is incomplete to go to. */
export function Count({ count, to, what }: CountProps) {
  const words = count.toLocaleString('en')
  if (!useMay('reader') || count === 0) return <span class={count === 0 ? 'quiet' : undefined}>{words}</span>
  return (
    <a href={hrefTo(gapsAt(to))} aria-label={what}>
      {words}
    </a>
  )
}

export function CompletenessTable({ completeness: { by, groups }, brief = false }: Props) {
  return (
    <table class="measures cards" aria-label={`Completeness by ${headOf(by).toLowerCase()}`}>
      <thead>
        <tr>
          <th scope="col">{headOf(by)}</th>
          <th scope="col">Complete</th>
          <th scope="col" class="number">
            Incomplete lines
          </th>
          <th scope="col" class="number">
            of
          </th>
          {!brief && by !== 'kde' && <th scope="col">What they lack</th>}
          {by !== 'month' && <th scope="col">By month</th>}
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <Row key={group.key} group={group} by={by} brief={brief} />
        ))}
      </tbody>
    </table>
  )
}

function Row({
  group,
  by,
  brief,
}: {
  readonly group: CompletenessGroup
  readonly by: Completeness['by']
  readonly brief: boolean
}) {
  const { key, label, share, lines, completeLines, missing, trend, records } = group
  const incomplete = lines - completeLines
  const name = label ?? key
  return (
    <tr>
      <th scope="row">
        {by === 'dataProviderVendorId' ? (
          <a href={hrefTo(`/scorecard${queryOf({ vendor: key })}`)}>
            <bdi>{name}</bdi>
          </a>
        ) : (
          <bdi>{name}</bdi>
        )}
        {by === 'kde' ? (
          <span class="quiet small"> {keyDataElementOf(key).cites}</span>
        ) : (
          label !== null && <bdi class="quiet small mono">{key}</bdi>
        )}
      </th>
      <td data-words="Complete">
        <ShareBar share={share} />
      </td>
      <td class="number" data-words="Incomplete lines">
        <Count count={incomplete} to={records} what={`${incomplete} incomplete lines of ${name}: show the events`} />
      </td>
      <td class="number" data-words="Lines">
        {lines.toLocaleString('en')}
      </td>
      {!brief && by !== 'kde' && (
        <td class="lacking" data-words={missing.length > 0 ? 'What they lack' : undefined}>
          {missing.length > 0 && (
            <ul class="plain-list">
              {missing.map(({ rule, kde, cites, lines: without, records: at }) => (
                <li key={rule}>
                  <Count count={without} to={at} what={`${without} lines of ${name} without ${kde}: show the events`} />{' '}
                  {kde} <span class="quiet small">{cites}</span>
                </li>
              ))}
            </ul>
          )}
        </td>
      )}
      {by !== 'month' && (
        <td class="trend" data-words="By month">
          <Sparkline trend={trend} records={records} />
        </td>
      )}
    </tr>
  )
}
