// `lotkeeper time-zones`: lists and sets the time zones of locations, one by one or from a CSV
// file.

import { createReadStream } from 'node:fs'
import type { Client } from '../../client/client.ts'
import type { ListTimeZonesRequest } from '../../client/generated/methods.ts'
import type { LocationTimeZone, NewTimeZone } from '../../client/generated/shapes.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import { timeZonesPerCallMax } from '../../operations/records/location-time-zones.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import type { Column } from '../../terminal/table.ts'
import { results } from '../../terminal/terminal.ts'
import { csvRows } from '../../workbook/csv.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'
import { type ListOptions, writePages } from './list.ts'

interface ChangeOptions extends RemoteOptions {
  readonly dataProviderVendorId?: string
}

export const listTimeZones = ({
  json = false,
  all = false,
  query,
  ...options
}: ListOptions<ListTimeZonesRequest<undefined>>): Promise<CommandEnd> =>
  withClient({ ...options, json }, (api) =>
    writePages(api.listTimeZones, query, columns, { json, all, nouns: 'time zones' }),
  )

const columns: readonly Column<LocationTimeZone>[] = [
  { heading: 'location', cell: ({ locationCode }) => locationCode },
  { heading: 'vendor', cell: ({ dataProviderVendorId }) => dataProviderVendorId ?? 'all' },
  { heading: 'time zone', cell: ({ timeZone }) => timeZone },
  { heading: 'set', cell: ({ setDateTime }) => setDateTime.slice(0, 10) },
]

/** Sets the time zone of a location, or removes it when none is given. */
export const setTimeZone = (
  locationCode: string,
  timeZone: string | undefined,
  { dataProviderVendorId, ...service }: ChangeOptions,
): Promise<CommandEnd> =>
  withClient(service, (api) =>
    send(api, [
      {
        locationCode,
        ...(dataProviderVendorId !== undefined && { dataProviderVendorId }),
        ...(timeZone !== undefined && { timeZone }),
      },
    ]),
  )

/**
 * Sets the time zones of a file with the columns locationCode, timeZone and, where it has one,
 * dataProviderVendorId.
 */
export async function setTimeZonesOf(file: string, service: RemoteOptions): Promise<CommandEnd> {
  const read = await zonesIn(file)
  if ('problem' in read) return read
  return withClient(service, (api) => send(api, read.zones))
}

async function send(api: Client, zones: readonly NewTimeZone[]): Promise<CommandEnd> {
  let done = 0
  for (let start = 0; start < zones.length; start += timeZonesPerCallMax) {
    const body = { timeZones: zones.slice(start, start + timeZonesPerCallMax) }
    const { body: set } = await api.setTimeZones({ body })
    done += set.set
  }
  await results.write(`Set the time zone of ${pluralize(done, 'location')}.\n`)
  return undefined
}

async function zonesIn(
  file: string,
): Promise<{ readonly zones: readonly NewTimeZone[] } | { readonly problem: string }> {
  const zones: NewTimeZone[] = []
  let names: readonly string[] | undefined
  try {
    for await (const rows of csvRows(createReadStream(file, 'utf8')))
      for (const { cells } of rows) {
        const texts = cells.map((cell) => cell?.text.trim() ?? '')
        if (texts.every((text) => text === '')) continue
        if (names === undefined) {
          names = texts.map((text) => text.replace(/^\uFEFF/, ''))
          const missing = ['locationCode', 'timeZone'].find((name) => !names?.includes(name))
          if (missing !== undefined)
            return {
              problem: `${file} has no column ${missing}. Its first row must have locationCode, timeZone and, for time zones of one vendor, dataProviderVendorId.`,
            }
          continue
        }
        const of = (name: string): string => texts[names?.indexOf(name) ?? -1] ?? ''
        const [dataProviderVendorId, timeZone] = [of('dataProviderVendorId'), of('timeZone')]
        zones.push({
          locationCode: of('locationCode'),
          ...(dataProviderVendorId !== '' && { dataProviderVendorId }),
          ...(timeZone !== '' && { timeZone }),
        })
      }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return { problem: `${file} cannot be read (${code}).` }
  }
  return zones.length === 0 ? { problem: `${file} lists no location.` } : { zones }
}
