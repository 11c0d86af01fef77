// Shares of complete lines over time as lines, with the target. The pointer or the arrow keys
// select a bucket; its numbers are above, and a click or Enter shows its events.
import { useState } from 'preact/hooks'
import type { CompletenessBucket } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { go, hrefTo } from '../../state/frame/address.ts'
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
  const [chosen, setChosen] = useState<number>()
  const { buckets } = series[0]
  const from = Date.parse(start)
  const span = Math.max(1, Date.parse(end) - from)
  const middleOf = ({ startDate, endDate }: CompletenessBucket) =>
    (((Date.parse(startDate) + Date.parse(endDate)) / 2 - from) / span) * width
  const lowest = lowestOf(target, series)
  const y = (share: number) => 8 + ((1 - share) / (1 - lowest)) * (height - 16)
  const at = chosen === undefined ? undefined : buckets[chosen]

  const choose = (index: number) => setChosen(Math.min(buckets.length - 1, Math.max(0, index)))
  const pressed = (event: KeyboardEvent) => {
    const now = chosen ?? buckets.length - 1
    const to: Readonly<Record<string, number>> = {
      ArrowLeft: now - 1,
      ArrowRight: now + 1,
      Home: 0,
      End: buckets.length,
    }
    const next = to[event.key]
    if (event.key === 'Enter' && at !== undefined) return go(gapsAt(at.records))
    if (next === undefined) return
    event.preventDefault()
    choose(next)
  }
  const pointed = (event: PointerEvent & { readonly currentTarget: Element }) => {
    const { left, width: drawn } = event.currentTarget.getBoundingClientRect()
    const x = ((event.clientX - left) / drawn) * width
    choose(buckets.reduce((best, one, i) => (Math.abs(middleOf(one) - x) < distanceTo(buckets[best], x) ? i : best), 0))
  }
  const distanceTo = (bucket: CompletenessBucket | undefined, x: number) =>
    bucket === undefined ? Number.POSITIVE_INFINITY : Math.abs(middleOf(bucket) - x)
  const wordsOf = (bucket: CompletenessBucket) =>
    `${datesOf(bucket)}: ${series.map(({ name, buckets: own }) => `${name} ${shareWords(sameIn(own, bucket)?.share ?? null)}`).join(', ')}`

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
        <div
          class="history-drawing"
          role="slider"
          tabIndex={0}
          aria-label="Date"
          aria-valuemin={0}
          aria-valuemax={Math.max(0, buckets.length - 1)}
          aria-valuenow={chosen ?? Math.max(0, buckets.length - 1)}
          aria-valuetext={at === undefined ? `${start} to ${end}, target ${shareWords(target)}` : wordsOf(at)}
          onKeyDown={pressed}
          onFocus={() => setChosen((now) => now ?? buckets.length - 1)}
          onBlur={() => setChosen(undefined)}
          onPointerMove={pointed}
          onPointerDown={pointed}
          onPointerLeave={() => setChosen(undefined)}
          onClick={() => at !== undefined && at.completeLines < at.lines && go(gapsAt(at.records))}
        >
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
