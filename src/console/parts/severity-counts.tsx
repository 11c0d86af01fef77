// How many findings of each severity, the worst first.
import type { Finding } from '../../contract/finding.ts'
import { severityCounts } from '../records/record-summary.ts'

export function SeverityCounts({ findings }: { readonly findings: readonly Finding[] }) {
  const counts = severityCounts(findings)
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
