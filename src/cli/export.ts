// `lotkeeper export`: receiving events in the forms that others read.
import { epcisDocument, epcisFileName } from '../client/epcis-document.ts'
import type { CommandEnd } from './command-end.ts'
import { download } from './download.ts'
import { ask } from './kinds.ts'
import { type RemoteOptions, withClient } from './remote.ts'

interface ExportOptions extends RemoteOptions {
  readonly output?: string
  /** What the operation takes, by name. */
  readonly query: Readonly<Record<string, string>>
}

export const exportEpcis = ({ output, query, ...service }: ExportOptions): Promise<CommandEnd> =>
  withClient(service, (api) => download({ name: epcisFileName, parts: epcisDocument(api, query as never) }, output))

/** What FDA asks for, as the file that the service makes. */
export const exportFile = (
  operation: 'exportFdaSpreadsheet' | 'exportFdaPackage',
  { output, query, ...service }: ExportOptions,
): Promise<CommandEnd> => {
  // A workbook or an archive would only confuse the terminal.
  if (output === undefined && process.stdout.isTTY && query.format !== 'csv')
    return Promise.resolve({ problem: 'This is no text. Name a file or folder with --output.', calledWrongly: true })
  return withClient(service, async (api) => {
    const { file } = await ask(api, operation, query)
    if (file === undefined) return { problem: 'The service answered without a file.' }
    return download({ name: file.name ?? operation, parts: file.stream }, output)
  })
}
