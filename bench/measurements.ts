// What is measured, each under a name. Those of one group take turns (A B C A B C …), so that
// whatever else the machine does meanwhile falls on a figure and on its floor alike.
import type { Peer } from './floors.ts'
import type { KnownRecord, LoadGenerator } from './load.ts'
import { eventDateTimeOf, lotOf, numberDigits, shipToOf, digits as withZeros } from './records.ts'
import { eventsPath, type RunLength, type ServiceUnderLoad } from './service-under-load.ts'

/** What has been started for the measurements; what none of them needs is not started. */
export interface Site {
  readonly load: LoadGenerator
  readonly service: ServiceUnderLoad
  /** Events of each form. */
  readonly records: Readonly<Record<'usual' | 'long', readonly KnownRecord[]>>
  readonly embedded: { readonly service: ServiceUnderLoad; readonly records: readonly KnownRecord[] } | undefined
  readonly noOp: Peer | undefined
}

/** One run of one measurement. */
export interface Measured {
  readonly perSecond: number
  readonly p50Ms?: number
  readonly p99Ms?: number
  /** Share of a core that the load generator took. */
  readonly ownCpu?: number
  readonly faults: readonly string[]
}

export interface Measurement {
  readonly group: string
  readonly title: string
  readonly connections: number
  readonly needs?: 'embedded' | 'noOp'
  readonly run: (site: Site, length: RunLength) => Promise<Measured>
}

const put = (
  connections: number,
  form: 'usual' | 'long' = 'usual',
  group = `${connections} connections`,
): Measurement => ({
  group,
  title: form === 'usual' ? 'PUT' : 'PUT of 200 lines',
  connections,
  run: ({ service, records }, length) => service.replace(length, records[form], form),
})

const post = (connections: number): Measurement => ({
  group: `${connections} connections`,
  title: 'POST',
  connections,
  run: ({ service }, length) => service.create(length, 'usual'),
})

const list = (title: string, queryOf: (record: KnownRecord) => string): Measurement => ({
  group: 'lists',
  title,
  connections: 16,
  run: ({ service, records }, length) =>
    service.read(
      length,
      records.usual.map((record) => `${eventsPath}?${queryOf(record)}`),
    ),
})

export const measurements = {
  put1: put(1),
  post1: post(1),
  put16: put(16),
  post16: post(16),
  put64: put(64),
  embedded64: {
    group: '64 connections',
    title: 'PUT, embedded database',
    connections: 64,
    needs: 'embedded',
    run: ({ embedded }, length) => there(embedded).service.replace(length, there(embedded).records, 'usual'),
  },
  post64: post(64),
  put256: put(256),
  post256: post(256),
  putLong16: put(16, 'long', 'long records'),
  get64: {
    group: 'reads',
    title: 'GET',
    connections: 64,
    run: ({ service, records }, length) => service.read(length, pathsOf(records.usual)),
  },
  noOp64: {
    group: 'reads',
    title: 'node:http, body parsed',
    connections: 64,
    needs: 'noOp',
    async run({ noOp, load, records }, length) {
      const requests = { kind: 'put', path: eventsPath, records: records.usual, form: 'usual', markFrom: 0 } as const
      const { address } = there(noOp)
      const run = await load.run({ ...length, address, key: '-', requestsMax: undefined, requests })
      return { ...run, faults: Object.entries(run.refused).map(([status, count]) => `${count} answers were ${status}`) }
    },
  },
  listLot16: list('list by lot code', ({ number }) => `lotCode=${lotOf(withZeros(number, numberDigits), 2)}`),
  listPlace16: list(
    'list by ship-to location and a day',
    ({ number }) =>
      `shipToLocationCode=DC-${shipToOf(number)}&eventStartDateTime=${eventDateTimeOf(number)}&eventEndDateTime=${eventDateTimeOf(number + eventsPerDay)}`,
  ),
} satisfies Record<string, Measurement>

export type MeasurementName = keyof typeof measurements

/** Events 30 s apart. */
const eventsPerDay = 2_880

/** Where these records are read. */
export const pathsOf = (records: readonly KnownRecord[]): readonly string[] =>
  records.map(({ id }) => `${eventsPath}/${id}`)

function there<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('A measurement needs what was not started: see `needs`.')
  return part
}
