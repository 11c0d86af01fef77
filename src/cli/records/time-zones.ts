// `lotkeeper time-zones`: sets the time zones of locations, one by one or from a CSV
// file.

import { createReadStream } from 'node:fs'
import { csvRows } from 'lotkeeper-sheets/csv'
import type { Client } from '../../client/client.ts'
import type { NewTimeZone } from '../../client/generated/shapes.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import { timeZonesPerCallMax } from '../../operations/records/location-time-zones.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { results } from '../../terminal/terminal.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'

interface ChangeOptions extends RemoteOptions {
  readonly dataProviderVendorId?: string
}

export const setTimeZone = (
  locationCode: string,
  timeZone: string,
  { dataProviderVendorId, ...service }: ChangeOptions,
): Promise<CommandEnd> =>
  withClient(service, (api) =>
    send(api, [{ locationCode, timeZone, ...(dataProviderVendorId && { dataProviderVendorId }) }]),
  )

export const removeTimeZone = (
  locationCode: string,
  { dataProviderVendorId, ...service }: ChangeOptions,
): Promise<CommandEnd> =>
  withClient(service, (api) => send(api, [{ locationCode, ...(dataProviderVendorId && { dataProviderVendorId }) }]))

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
