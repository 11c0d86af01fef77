// Shares of complete lines over time as lines, with the target. The pointer or the arrow keys
// select a bucket; its numbers are above, and a click or Enter shows its events.
import type { CompletenessBucket } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { go, hrefTo } from '../../state/frame/address.ts'
import { usePointed } from '../../state/frame/pointed.ts'
import { gapsAt, shareWords } from '../../words/percent.ts'
import { DataTable } from '../tables/data-table.tsx'

interface Series {
  readonly name: string
  readonly buckets: readonly CompletenessBucket[]
}

interface Props {
  /** First and last date of the chart. */
  readonly start: string
  readonly end: string
  readonly target: number
  /** The first is drawn strongest. */
  readonly series: readonly [Series, ...Series[]]
}

/** Units of the drawing, which is stretched to the width there is. */
const width = 1000
const height = 220

export function HistoryChart({ start, end, target, series }: Props) {
  const { buckets } = series[0]
  const from = Date.parse(start)
  const span = Math.max(1, Date.parse(end) - from)
  const middleOf = ({ startDate, endDate }: CompletenessBucket) =>
    (((Date.parse(startDate) + Date.parse(endDate)) / 2 - from) / span) * width
  const lowest = lowestOf(target, series)
  const y = (share: number) => 8 + ((1 - share) / (1 - lowest)) * (height - 16)
  const { chosen, slider } = usePointed({
    label: 'Date',
    wordsOf: (index) => {
      const bucket = index === undefined ? undefined : buckets[index]
      if (bucket === undefined) return `${start} to ${end}, target ${shareWords(target)}`
      const shares = series.map(({ name, buckets: own }) => `${name} ${shareWords(sameIn(own, bucket)?.share ?? null)}`)
      return `${datesOf(bucket)}: ${shares.join(', ')}`
    },
    count: buckets.length,
    start: Math.max(0, buckets.length - 1),
    at: (share) => {
      const distances = buckets.map((bucket) => Math.abs(middleOf(bucket) - share * width))
      return distances.indexOf(Math.min(...distances))
    },
    open: (index) => {
      const bucket = buckets[index]
      if (bucket !== undefined && bucket.completeLines < bucket.lines) go(gapsAt(bucket.records))
    },
  })
  const at = chosen === undefined ? undefined : buckets[chosen]

  return (
    <div class="plot">
      <p class="plot-words" role="status">
        <PointedWords at={at} series={series} />
      </p>
      <div class="history">
        <div class="history-scale quiet small" aria-hidden="true">
          <span>100%</span>
          <span>{shareWords((1 + lowest) / 2)}</span>
          <span>{shareWords(lowest)}</span>
        </div>
        <div class="history-drawing" {...slider}>
          <Lines {...{ series, at, target, lowest, middleOf, y }} />
        </div>
      </div>
      <p class="plot-ends quiet small">
        <span>{start}</span>
        <span class="history-legend">
          {series.map(({ name }, i) => (
            <span key={name} class={`series-words series-${i}`}>
              <bdi>{name}</bdi>
            </span>
          ))}
          <span class="series-words series-target">Target {shareWords(target)}</span>
        </span>
        <span>{end}</span>
      </p>
      <details>
        <summary>As a table</summary>
        <SharesTable series={series} />
      </details>
    </div>
  )
}

const datesOf = ({ startDate, endDate }: CompletenessBucket): string =>
  startDate === endDate ? startDate : `${startDate} to ${endDate}`

const sameIn = (buckets: readonly CompletenessBucket[], { endDate }: CompletenessBucket) =>
  buckets.find((one) => one.endDate === endDate)

/** The bottom of the scale: a round share below all values, so that changes are visible. */
function lowestOf(target: number, series: readonly Series[]): number {
  const shares = series.flatMap(({ buckets }) => buckets.flatMap(({ share }) => share ?? []))
  return Math.max(0, Math.min(0.9, Math.floor((Math.min(target, ...shares) - 0.02) * 10) / 10))
}

/** One bucket alone is a short line. */
const dotAt = (x: number, y: number): string => `M${x - 12} ${y}h24`

const pathOf = (
  buckets: readonly CompletenessBucket[],
  x: (bucket: CompletenessBucket) => number,
  y: (share: number) => number,
): string =>
  buckets.length === 0
    ? ''
    : `M${buckets.map((one) => `${x(one).toFixed(1)} ${y(one.share ?? 0).toFixed(1)}`).join('L')}`

interface WordsProps extends Pick<Props, 'series'> {
  /** The bucket that is pointed at. */
  readonly at: CompletenessBucket | undefined
}

const PointedWords = ({ at, series }: WordsProps) =>
  at === undefined ? (
    <span class="quiet on-screen">Point at a date, or use the arrow keys. Enter or a click shows the events.</span>
  ) : (
    <>
      <strong>{datesOf(at)}</strong>{' '}
      {series.map(({ name, buckets: own }, i) => (
        <span key={name} class={`series-words series-${i}`}>
          <bdi>{name}</bdi> {shareWords(sameIn(own, at)?.share ?? null)}
        </span>
      ))}{' '}
      <span class="quiet">
        {pluralize(at.lines - at.completeLines, 'incomplete line')} of {at.lines.toLocaleString('en')}
      </span>
    </>
  )

interface LinesProps extends WordsProps, Pick<Props, 'target'> {
  readonly lowest: number
  readonly middleOf: (bucket: CompletenessBucket) => number
  readonly y: (share: number) => number
}

const Lines = ({ series, at, target, lowest, middleOf, y }: LinesProps) => (
  <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
    {[1, (1 + lowest) / 2, lowest].map((share) => (
      <path key={share} class="history-grid" d={`M0 ${y(share)}H${width}`} />
    ))}
    {at !== undefined && <path class="history-chosen" d={`M${middleOf(at)} 0V${height}`} />}
    <path class="history-target" d={`M0 ${y(target)}H${width}`} />
    {series.toReversed().map(({ name, buckets: own }, i) => (
      <path
        key={name}
        class={`history-line series-${series.length - 1 - i}`}
        d={
          own.length === 1
            ? dotAt(middleOf(own[0] as CompletenessBucket), y(own[0]?.share ?? 0))
            : pathOf(own, middleOf, y)
        }
      />
    ))}
  </svg>
)

const SharesTable = ({ series }: Pick<Props, 'series'>) => (
  <DataTable
    label="Complete lines over time"
    isCards={false}
    columns={[
      { heading: 'Received', cell: datesOf },
      ...series.map(({ name, buckets: own }) => ({
        heading: name,
        isNumber: true,
        cell: (bucket: CompletenessBucket) => shareWords(sameIn(own, bucket)?.share ?? null),
      })),
      {
        heading: 'Incomplete lines',
        isNumber: true,
        cell: (bucket) =>
          bucket.completeLines < bucket.lines ? (
            <a href={hrefTo(gapsAt(bucket.records))} aria-label={`Incomplete lines of ${datesOf(bucket)}`}>
              {(bucket.lines - bucket.completeLines).toLocaleString('en')}
            </a>
          ) : (
            0
          ),
      },
    ]}
    rows={series[0].buckets}
    keyOf={({ startDate }) => startDate}
  />
)
