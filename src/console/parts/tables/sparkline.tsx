// The share of complete lines, month by month, as a small line from 0% to 100%. The pointer shows a
// month, and a click leads to its events with gaps.
import { useState } from 'preact/hooks'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { go } from '../../state/frame/address.ts'
import { gapsInMonth, shareWords } from '../../words/percent.ts'

interface Month {
  readonly month: string
  readonly lines: number
  readonly completeLines: number
  readonly share: number | null
}

const width = 96
const height = 24
/** Between the line and the edge, so that a point at 100% is seen whole. */
const margin = 3

interface Props {
  readonly trend: readonly Month[]
  /** Path of the events with gaps of all its months; without it, a click does nothing. */
  readonly records?: string
}

export function Sparkline({ trend, records }: Props) {
  const [chosen, setChosen] = useState<number>()
  const months = trend.filter(({ share }) => share !== null)
  const [first, last] = [months[0], months.at(-1)]
  if (first === undefined || last === undefined) return <span class="quiet">–</span>
  // One month is no line.
  if (months.length === 1) return <span class="quiet small">{first.month} only</span>
  const x = (i: number) => margin + (i / (months.length - 1)) * (width - 2 * margin)
  const y = (share: number | null) => margin + (1 - (share ?? 0)) * (height - 2 * margin)
  const points = months.map(({ share }, i) => `${x(i)} ${y(share)}`)
  const words = months.map(({ month, share }) => `${month} ${shareWords(share)}`).join(', ')
  const month = chosen === undefined ? undefined : months[chosen]
  const at = chosen ?? months.length - 1
  const pointed = (event: PointerEvent & { readonly currentTarget: Element }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const share = Math.min(1, Math.max(0, (event.clientX - left) / width))
    setChosen(Math.round(share * (months.length - 1)))
  }
  return (
    <span class="spark">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the table by month has the same links */}
      <svg
        class={records === undefined ? 'sparkline' : 'sparkline linked'}
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={words}
        onPointerMove={pointed}
        onPointerDown={pointed}
        onPointerLeave={() => setChosen(undefined)}
        onClick={() => month !== undefined && records !== undefined && go(gapsInMonth(records, month.month))}
      >
        <path class="sparkline-ground" d={`M0 ${margin}H${width}M0 ${height - margin}H${width}`} />
        <path class="sparkline-line" d={`M${points.join('L')}`} />
        <circle class="sparkline-end" cx={x(at)} cy={y(months[at]?.share ?? 0)} r="2.5" />
      </svg>
      {month !== undefined && (
        <span class="spark-tip small" aria-hidden="true">
          <strong>{month.month}</strong> {shareWords(month.share)} of {pluralize(month.lines, 'line')}
        </span>
      )}
    </span>
  )
}
