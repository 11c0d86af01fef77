// The figures of the table: what each is held against, and what it has to reach.
import { ReceivingEventPayload } from '../src/contract/payloads.ts'
import { lotNumberRequiredFromDefault } from '../src/contract/product-line.ts'
import { receivingEvent } from '../src/contract/record-kinds.ts'
import { pluralize } from '../src/contract/text/pluralize.ts'
import { judgeAlone } from '../src/rules/judge.ts'
import { type Measured, type MeasurementName, measurements } from './measurements.ts'
import { type EventForm, exampleOf } from './records.ts'
import type { StartTimes } from './start-times.ts'
import { type Goal, judged, milliseconds, perSecond, type Row, ratio } from './table.ts'

/** Everything that was found out, medians over the rounds. */
export interface Results {
  readonly measured: Readonly<Partial<Record<MeasurementName, Measured>>>
  readonly starts: StartTimes | undefined
}

export interface Figure {
  /** By which `--only` asks for it. */
  readonly name: string
  readonly measurements: readonly MeasurementName[]
  readonly startsService?: true
  readonly rows: (results: Results) => readonly Row[]
}

/** A figure of its own, or, with a goal, held against a floor. */
const plain = (name: string, measurement: MeasurementName): Figure => ({
  name,
  measurements: [measurement],
  rows: (results) => [rowOf(results, measurement)],
})

function held(
  name: string,
  measurement: MeasurementName,
  floor: MeasurementName,
  goal: Goal,
  floorTitle: string,
): Figure {
  return {
    name,
    measurements: [measurement, floor],
    rows(results) {
      const reached = of(results, measurement).perSecond / of(results, floor).perSecond
      return [
        {
          ...rowOf(results, measurement),
          floor: `${floorTitle} ${perSecond(of(results, floor).perSecond)}`,
          ratio: ratio(reached),
          ...verdictOf(results, [measurement, floor], reached, goal),
        },
      ]
    },
  }
}

export const figures: readonly Figure[] = [
  plain('put1', 'put1'),
  plain('put16', 'put16'),
  plain('put64', 'put64'),
  plain('put256', 'put256'),
  plain('put200lines', 'putLong16'),
  plain('post1', 'post1'),
  plain('post16', 'post16'),
  held('post64', 'post64', 'put64', { better: 'more', bar: 0.85, aim: 1 }, 'PUT'),
  plain('post256', 'post256'),
  held('get', 'get64', 'noOp64', { better: 'more', bar: 0.5, aim: 0.7 }, 'node:http'),
  plain('lot', 'listLot16'),
  plain('place', 'listPlace16'),
  held('embedded', 'embedded64', 'put64', { better: 'more', bar: 0.4, aim: 0.6 }, 'on PostgreSQL'),
  {
    name: 'start',
    measurements: [],
    startsService: true,
    rows: ({ starts }) =>
      (starts ?? []).map(({ title, readyMs }) => ({ figure: title, value: `${(readyMs / 1000).toFixed(2)} s` })),
  },
]

function of({ measured }: Results, name: MeasurementName): Measured {
  const found = measured[name]
  if (found === undefined) throw new Error(`${name} was not measured.`)
  return found
}

function rowOf(results: Results, name: MeasurementName): Row {
  const { perSecond: rate, p50Ms, p99Ms, faults } = of(results, name)
  const { title, connections } = measurements[name]
  return {
    figure: `${title}, ${connections} connection${connections === 1 ? '' : 's'}`,
    value: perSecond(rate),
    p50: milliseconds(p50Ms),
    p99: milliseconds(p99Ms),
    verdict: faults.length > 0 ? 'failed' : '',
  }
}

/**
 * What was measured over writes that are not all there, whole and in order, is no figure, however
 * good.
 */
function verdictOf(results: Results, names: readonly MeasurementName[], reached: number, goal: Goal): Partial<Row> {
  const cells = judged(reached, goal)
  return names.some((name) => of(results, name).faults.length > 0) ? { ...cells, verdict: 'failed' } : cells
}

/** How long the records are and what is found in them, for the line above the table. */
export const roundsLine = (rounds: number, measuredMs: number): string =>
  `${pluralize(rounds, 'round')} of ${measuredMs / 1000} s each, medians`

export const recordsLine = (): string =>
  `records of 5 product lines (${sizeOf('usual')}), long ones of 200 (${sizeOf('long')})`

/** Length of a record, and how much is found in it. */
export const sizeOf = (form: EventForm): string => {
  const text = exampleOf(form)
  const { findings, undecided } = judgeAlone(receivingEvent, ReceivingEventPayload, JSON.parse(text), {
    now: Date.now(),
    settings: { lotNumberRequiredFrom: lotNumberRequiredFromDefault },
  })
  return `${(text.length / 1000).toFixed(1)} KB, ${findings.length + undecided.length} findings`
}
