// The share of complete lines, month by month, as a small line: the words beside it say the same.
import { shareWords } from '../words/percent.ts'

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

export function Sparkline({ trend }: { readonly trend: readonly Month[] }) {
  const months = trend.filter(({ share }) => share !== null)
  const [first, last] = [months[0], months.at(-1)]
  if (first === undefined || last === undefined) return <span class="quiet">–</span>
  // One month is no line.
  if (months.length === 1) return <span class="quiet small">{first.month} only</span>
  const x = (i: number) => margin + (i / (months.length - 1)) * (width - 2 * margin)
  const y = (share: number) => margin + (1 - share) * (height - 2 * margin)
  const points = months.map(({ share }, i) => [x(i), y(share ?? 0)] as const)
  const [endX, endY] = points[points.length - 1] ?? [0, 0]
  const words = months.map(({ month, share }) => `${month} ${shareWords(share)}`).join(', ')
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      <path class="sparkline-ground" d={`M0 ${height - 0.5}H${width}`} />
      <path class="sparkline-line" d={`M${points.map(([px, py]) => `${px} ${py}`).join('L')}`} />
      <circle class="sparkline-end" cx={endX} cy={endY} r="2.5" />
    </svg>
  )
}
