// The figures of the table: what each is held against, and what it has to reach.
import { ReceivingEventPayload } from '../src/contract/payloads.ts'
import { lotNumberRequiredFromDefault } from '../src/contract/product-line.ts'
import { receivingEvent } from '../src/contract/record-kinds.ts'
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
  {
    name: 'put16',
    measurements: ['put16', 'pgbench16'],
    rows(results) {
      const { meanMs = Number.NaN } = of(results, 'pgbench16')
      const reached = (of(results, 'put16').p99Ms ?? Number.NaN) / meanMs
      return [
        {
          ...rowOf(results, 'put16'),
          floor: `pgbench ${milliseconds(meanMs)} on average`,
          ratio: `${ratio(reached)} (p99)`,
          ...verdictOf(results, ['put16', 'pgbench16'], reached, { better: 'less', bar: 4.5, aim: 3 }),
        },
      ]
    },
  },
  held('rate16', 'put16', 'pgbench16', { better: 'more', bar: 0.6, aim: 0.8 }, 'pgbench'),
  held('faulty16', 'putFaulty16', 'pgbench16', { better: 'more', bar: 0.6, aim: 0.8 }, 'pgbench'),
  held('put64', 'put64', 'pgbench64', { better: 'more', bar: 0.95, aim: 1.1 }, 'pgbench'),
  held('faulty64', 'putFaulty64', 'pgbench64', { better: 'more', bar: 0.8, aim: 1 }, 'pgbench'),
  held('naive', 'put64', 'naive64', { better: 'more', bar: 2.6, aim: 3 }, 'naive'),
  {
    name: 'processor',
    measurements: ['put64', 'putFaulty64'],
    rows: (results) => [processorRow(results, 'put64'), processorRow(results, 'putFaulty64')],
  },
  {
    name: 'stored',
    measurements: ['stored64'],
    rows(results) {
      const { bytesPerWrite = Number.NaN } = of(results, 'stored64')
      const kilobytes = bytesPerWrite / 1000
      const goal: Goal = { better: 'less', bar: 1.5, aim: 1.2, unit: ' KB' }
      return [
        {
          figure: 'stored per version with 21 findings',
          value: `${kilobytes.toFixed(2)} KB`,
          ...verdictOf(results, ['stored64'], kilobytes, goal),
        },
      ]
    },
  },
  plain('corrected64', 'putCorrected64'),
  plain('put256', 'put256'),
  plain('put200lines', 'putLong16'),
  plain('post1', 'post1'),
  plain('post16', 'post16'),
  held('post64', 'post64', 'put64', { better: 'more', bar: 0.85, aim: 1 }, 'PUT'),
  plain('post256', 'post256'),
  held('get', 'get64', 'noOp64', { better: 'more', bar: 0.5, aim: 0.7 }, 'node:http'),
  plain('lot', 'listLot16'),
  plain('place', 'listPlace16'),
  plain('void', 'void16'),
  held('embedded', 'embedded64', 'put64', { better: 'more', bar: 0.4, aim: 0.6 }, 'on PostgreSQL'),
  {
    name: 'memory',
    measurements: ['put64', 'put256', 'putLong16'],
    rows(results) {
      const names = Object.keys(results.measured).filter((name) => name !== 'embedded64') as MeasurementName[]
      const mostMb = Math.max(...names.map((name) => results.measured[name]?.memoryMb ?? 0))
      if (mostMb === 0) return [{ figure: 'memory of one process', value: 'not measured here' }]
      const goal: Goal = { better: 'less', bar: 250, aim: 150, unit: ' MB' }
      return [{ figure: 'memory of one process, at most', value: `${Math.round(mostMb)} MB`, ...judged(mostMb, goal) }]
    },
  },
  {
    name: 'start',
    measurements: [],
    startsService: true,
    rows: ({ starts }) =>
      (starts ?? []).map(({ title, readyMs }) => ({ figure: title, value: `${(readyMs / 1000).toFixed(2)} s` })),
  },
  plain('write', 'write64'),
  plain('noop', 'noOpGet64'),
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

function processorRow(results: Results, name: MeasurementName): Row {
  const { serviceUs = 0, databaseUs = 0 } = of(results, name)
  const { title, connections } = measurements[name]
  return {
    figure: `processor time of a ${title}, ${connections} connections`,
    value: serviceUs === 0 ? 'not measured here' : `${Math.round(serviceUs)} and ${Math.round(databaseUs)} µs`,
  }
}

/** How long the records are and what is found in them, for the line above the table. */
export const recordsLine = (): string =>
  `records of 5 product lines (${sizeOf('usual')}), faulty ones (${sizeOf('faulty')}), long ones of 200 (${sizeOf('long')})`

/** Length of a record, and how much is found in it. */
export const sizeOf = (form: EventForm): string => {
  const text = exampleOf(form)
  const { findings, undecided } = judgeAlone(receivingEvent, ReceivingEventPayload, JSON.parse(text), {
    now: Date.now(),
    settings: { lotNumberRequiredFrom: lotNumberRequiredFromDefault },
  })
  return `${(text.length / 1000).toFixed(1)} KB, ${findings.length + undecided.length} findings`
}
