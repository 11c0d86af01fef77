// How many findings of each severity, the worst first.
import type { SeverityCounts as Counts, Finding } from '../../../contract/shape/finding.ts'
import { countSeverities, severityCounts } from '../../records/record-summary.ts'

type Props = { readonly counts: Counts } | { readonly findings: readonly Finding[] }

export function SeverityCounts(props: Props) {
  const counts = severityCounts('counts' in props ? props.counts : countSeverities(props.findings))
  if (counts.length === 0) return <span class="quiet">none</span>
  return (
    <span class="counts">
      {counts.map(({ severity, words }) => (
        <span key={severity} class={`tag ${severity}`}>
          {words}
        </span>
      ))}
    </span>
  )
}
