// `lotkeeper export`: events in the formats of other programs.

import type { Client } from '../../client/client.ts'
import {
  captureDocuments,
  captureFileName,
  epcisDocument,
  epcisFileName,
  NothingFound,
} from '../../client/epcis-document.ts'
import type {
  CountFdaLinesRequest,
  ExportEpcisRequest,
  ExportFdaPackageRequest,
  ExportFdaSpreadsheetRequest,
} from '../../client/generated/methods.ts'
import { earlierLotText } from '../../contract/earlier-lot.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import { readArchiveLine } from '../../evidence/archive.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { plain } from '../../terminal/terminal.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'
import { damageOf, download } from '../records/download.ts'

interface ExportOptions<Query> extends RemoteOptions {
  readonly output?: string
  /** The parameters of the operation, by name. */
  readonly query: Query
}

export const exportEpcis = ({ output, query, ...service }: ExportOptions<ExportEpcisRequest>): Promise<CommandEnd> =>
  withClient(service, async (api) => {
    try {
      return await download(
        query.documentType === 'EPCISDocument'
          ? { name: captureFileName, parts: captureDocuments(api, query) }
          : { name: epcisFileName, parts: epcisDocument(api, query) },
        output,
      )
    } catch (error) {
      if (error instanceof NothingFound) return { problem: `${error.message} ${nothingWritten}` }
      throw error
    }
  })

/** Suggestions: lot codes that read alike, and records that had one until a correction. */
async function hintsFor(api: Client, filters: CountFdaLinesRequest): Promise<readonly string[]> {
  const { body } = await api.countFdaLines(filters)
  const { readAlikeLines: alike, readAlikeLotCodes: codes, earlierLots } = body
  const shown = earlierLots.slice(0, earlierShownMax)
  const more = earlierLots.length - shown.length
  return [
    ...(alike > 0 && filters.readAlike === undefined
      ? [
          `Lot codes that read alike are on ${pluralize(alike, 'line')}: ${codes.map(plain).join(', ')}. --read-alike includes them.`,
        ]
      : []),
    ...shown.map((lot) => `Record ${lot.id} had ${plain(earlierLotText(lot))}.`),
    ...(more > 0 ? [`And ${more} more.`] : []),
  ]
}

const earlierShownMax = 5

const nothingWritten =
  'Check the codes, including upper and lower case, and the dates. lotkeeper trace shows lot codes that read alike. Nothing was written.'

export const exportSpreadsheet = (options: ExportOptions<ExportFdaSpreadsheetRequest>): Promise<CommandEnd> =>
  exportFile('exportFdaSpreadsheet', options)

export const exportPackage = (options: ExportOptions<ExportFdaPackageRequest>): Promise<CommandEnd> =>
  exportFile('exportFdaPackage', options)

/** The files for FDA, as the service creates them. */
function exportFile(
  operation: 'exportFdaSpreadsheet' | 'exportFdaPackage',
  { output, query, ...service }: ExportOptions<ExportFdaSpreadsheetRequest>,
): Promise<CommandEnd> {
  // A workbook or an archive is unreadable on a terminal.
  if (output === undefined && process.stdout.isTTY && query.format !== 'csv')
    return Promise.resolve({
      problem: 'The result is not text. Name a file or folder with --output.',
      calledWrongly: true,
    })
  return withClient(service, async (api) => {
    const { file } = await api[operation](query)
    if (file === undefined) return { problem: 'The service answered without a file.' }
    if (file.records === 0) {
      await file.stream.cancel()
      const { format: _, sheet: __, gaps: ___, contact: ____, ...filters } = query
      const hints = await hintsFor(api, filters)
      return { problem: ['No product line matches.', ...hints, nothingWritten].join(' ') }
    }
    const end = await download({ name: file.name ?? operation, parts: file.stream }, output)
    return end ?? damageOf(file.damaged, 'explanation.html and manifest.json name them')
  })
}

/** All data of the provider. The first line has the number of versions. */
export const exportArchive = ({ output, ...service }: Omit<ExportOptions<never>, 'query'>): Promise<CommandEnd> =>
  withClient(service, async (api) => {
    const { file } = await api.exportArchive()
    if (file === undefined) return { problem: 'The service answered without a file.' }
    let [lines, all] = [0, 0]
    const counted = async function* (parts: AsyncIterable<Uint8Array>) {
      for await (const part of parts) {
        if (lines === 0) all = linesToCome(part)
        for (let at = part.indexOf(newLine); at >= 0; at = part.indexOf(newLine, at + 1)) lines++
        yield part
      }
    }
    const passed = () => (all === 0 ? '' : `${Math.floor((100 * lines) / all)} % · `)
    const end = await download({ name: file.name ?? 'archive.ndjson', parts: counted(file.stream), passed }, output)
    return end ?? damageOf(file.damaged, 'lotkeeper verify names them')
  })

const newLine = '\n'.charCodeAt(0)

/** The number of lines of an archive, from its first line; 0 when it is unknown. */
function linesToCome(part: Uint8Array): number {
  const head = readArchiveLine(Buffer.from(part).toString().split('\n')[0] ?? '')
  return 'is' in head && head.is === 'archive' ? 2 + head.keys + head.versions + head.checkpoints : 0
}
