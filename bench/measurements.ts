// What is measured, each under a name. Those of one group take turns (A B C A B C …), so that
// whatever else the machine does meanwhile falls on a figure and on its floor alike.
import type { FloorResult, FloorServer, PreparedFloor } from './floors.ts'
import type { KnownRecord, LoadGenerator } from './load.ts'
import { type EventForm, eventDateTimeOf, lotOf, numberDigits, shipToOf, digits as withZeros } from './records.ts'
import { eventsPath, type LoadedRun, type RunLength, type ServiceUnderLoad } from './service-under-load.ts'

/** What has been started for the measurements; what none of them needs is not started. */
export interface Site {
  readonly load: LoadGenerator
  readonly service: ServiceUnderLoad
  /** Events of each form. */
  readonly records: Readonly<Record<EventForm, readonly KnownRecord[]>>
  readonly embedded: { readonly service: ServiceUnderLoad; readonly records: readonly KnownRecord[] } | undefined
  readonly floor: PreparedFloor | undefined
  readonly naive: FloorServer | undefined
  readonly noOp: FloorServer | undefined
}

/** One run of one measurement. */
export interface Measured {
  readonly perSecond: number
  readonly meanMs?: number
  readonly p50Ms?: number
  readonly p99Ms?: number
  readonly memoryMb?: number
  readonly serviceUs?: number
  readonly databaseUs?: number
  readonly bytesPerWrite?: number
  /** Share of a core that the load generator took. */
  readonly ownCpu?: number
  readonly faults: readonly string[]
}

export interface Measurement {
  readonly group: string
  readonly title: string
  readonly connections: number
  readonly needs?: 'embedded' | 'floor' | 'naive' | 'noOp'
  readonly run: (site: Site, length: RunLength) => Promise<Measured>
}

const putTitles = {
  usual: 'PUT',
  corrected: 'PUT that changes a product line',
  faulty: 'PUT with 21 findings',
  long: 'PUT of 200 lines',
}

const put = (connections: number, form: EventForm = 'usual', group = `${connections} connections`): Measurement => ({
  group,
  title: putTitles[form],
  connections,
  run: ({ service, records }, length) => service.replace(length, records[form], form),
})

const post = (connections: number): Measurement => ({
  group: `${connections} connections`,
  title: 'POST',
  connections,
  run: ({ service }, length) => service.create(length, 'usual'),
})

const floor = (connections: number, file: Parameters<PreparedFloor['run']>[0], title: string): Measurement => ({
  group: `${connections} connections`,
  title,
  connections,
  needs: 'floor',
  run: async (site, length) => ofFloor(await there(site.floor).run(file, length)),
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
  // First: the floors leave pages with room in them, and tables would not grow until that is
  // filled.
  stored64: put(64, 'faulty', 'bytes stored'),
  put1: put(1),
  post1: post(1),
  put16: put(16),
  putFaulty16: put(16, 'faulty'),
  pgbench16: floor(16, 'floor-replace.sql', 'replacement by the bare database'),
  post16: post(16),
  put64: put(64),
  putCorrected64: put(64, 'corrected'),
  putFaulty64: put(64, 'faulty'),
  pgbench64: floor(64, 'floor-replace.sql', 'replacement by the bare database'),
  write64: floor(64, 'floor-write.sql', 'update and insert by the bare database'),
  naive64: {
    group: '64 connections',
    title: 'PUT, one transaction per request',
    connections: 64,
    needs: 'naive',
    run: ({ load, naive, records }, length) => replaceAt(load, there(naive).address, records.usual, length),
  },
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
    run: ({ load, noOp, records }, length) => replaceAt(load, there(noOp).address, records.usual, length),
  },
  noOpGet64: {
    group: 'reads',
    title: 'node:http, no body',
    connections: 64,
    needs: 'noOp',
    run: async ({ load, noOp, records }, length) =>
      ofLoad(
        await load.run({
          ...length,
          address: there(noOp).address,
          key: '-',
          requestsMax: undefined,
          requests: { kind: 'get', paths: pathsOf(records.usual) },
        }),
      ),
  },
  listLot16: list('list by lot code', ({ number }) => `lotCode=${lotOf(withZeros(number, numberDigits), 2)}`),
  listPlace16: list(
    'list by ship-to location and a day',
    ({ number }) =>
      `shipToLocationCode=DC-${shipToOf(number)}&eventStartDateTime=${eventDateTimeOf(number)}&eventEndDateTime=${eventDateTimeOf(number + eventsPerDay)}`,
  ),
  // Last: a run may end with events that are voided.
  void16: {
    group: 'voids',
    title: 'void, and PUT that brings it back',
    connections: 16,
    run: ({ service, records }, length) => service.voidAndRestore(length, records.usual),
  },
} satisfies Record<string, Measurement>

export type MeasurementName = keyof typeof measurements

/** Events 30 s apart. */
const eventsPerDay = 2_880

/** Where these records are read. */
export const pathsOf = (records: readonly KnownRecord[]): readonly string[] =>
  records.map(({ id }) => `${eventsPath}/${id}`)

const replaceAt = async (
  load: LoadGenerator,
  address: string,
  records: readonly KnownRecord[],
  length: RunLength,
): Promise<Measured> =>
  ofLoad(
    await load.run({
      ...length,
      address,
      key: '-',
      requestsMax: undefined,
      requests: { kind: 'put', path: eventsPath, records, form: 'usual', markFrom: 0 },
    }),
  )

const ofLoad = (run: Omit<LoadedRun, 'memoryMb' | 'serviceUs' | 'databaseUs' | 'faults'>): Measured => ({
  ...run,
  faults: Object.entries(run.refused).map(([status, count]) => `${count} answers were ${status}`),
})

const ofFloor = (result: FloorResult): Measured => ({ ...result, faults: [] })

function there<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('A measurement needs what was not started: see `needs`.')
  return part
}
