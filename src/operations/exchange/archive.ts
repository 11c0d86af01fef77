// Archives: export of everything that a provider has, and import. Not shown in the contract;
// decided in 0037.
import { Type } from '../../contract/shape/type.ts'
import { archiveLineLengthMax } from '../../evidence/archive.ts'
import type { Operation } from '../base/operation.ts'

export const archiveMediaType = 'application/x-ndjson'

const exportArchive = {
  name: 'exportArchive',
  method: 'GET',
  path: '/archive',
  cites: '21 CFR 1.1455; decision 0037',
  summary: 'Exports everything the provider has, history included.',
  description:
    'All versions of all receiving and shipping events, products and locations as lines of JSON, bodies byte for byte as stored, with hashes, signed checkpoints and public keys. The service first makes a checkpoint, and the archive contains everything under it. Records stored in the meantime are not in it. A file that was cut off lacks its last line. `lotkeeper verify` checks an archive without the service, and `lotkeeper import` imports it into an empty account.',
  role: 'reader',
  topic: 'evidence',
  query: {},
  headers: [],
  recorded: 'everyFile',
  outcomes: {
    importing: { status: 409, when: 'An archive import is not complete.', retry: 'later' },
    exported: {
      status: 200,
      when: 'The archive follows. It is produced while it is read.',
      media: { [archiveMediaType]: 'One JSON object on each line.' },
      retry: 'never',
    },
  },
} as const satisfies Operation

/** Most lines of an archive that one call imports. */
export const archiveLinesMax = 500

const Lines = Type.Object(
  {
    archive: Type.String({
      maxLength: 2_000,
      description: 'The first line of the archive.',
      examples: ['{"is":"archive","format":"lotkeeper archive 1",…}'],
    }),
    lines: Type.Array(Type.String({ maxLength: archiveLineLengthMax }), {
      maxItems: archiveLinesMax,
      description: 'Lines that follow it, in their order, each as text.',
    }),
  },
  { title: 'ArchiveLines', additionalProperties: false },
)

const Imported = Type.Object(
  {
    checkpoints: Type.Integer({
      description: 'Stored checkpoints of the archive: versions up to the last of them need not be sent again.',
    }),
    unfinished: Type.Boolean({ description: 'Some records are not ready yet: send the last line again.' }),
    ended: Type.Boolean({ description: 'The whole archive is stored.' }),
  },
  { title: 'ArchiveImported', additionalProperties: false },
)

const importArchive = {
  name: 'importArchive',
  method: 'PUT',
  path: '/archive',
  cites: 'decision 0037',
  summary: 'Imports lines of an archive into an empty account.',
  description:
    'Ids, versions, times, findings and hashes stay the same. A call without lines starts the import and reports how much is already stored. Send the lines in their order; the last line completes the import. Lines sent again change nothing. Nothing that is stored is overwritten. Write nothing else to the account until the import is complete.',
  role: 'administrator',
  topic: 'evidence',
  query: {},
  headers: [],
  body: Lines,
  // A body inside JSON text has a backslash before each quotation mark, and its findings beside it.
  bodyFactor: 3,
  outcomes: {
    refused: { status: 422, when: 'The body has the wrong shape. Nothing is stored.', retry: 'changed' },
    notEmpty: { status: 409, when: 'The account holds records that did not come from this archive.', retry: 'never' },
    notFitting: {
      status: 422,
      when: 'A line is not a line of an archive, does not match its hashes, or does not follow what is stored. Lines before it may be stored.',
      retry: 'changed',
    },
    imported: { status: 200, when: 'The lines are stored, now or earlier.', body: Imported, retry: 'never' },
  },
} as const satisfies Operation

export const archiveOperations = { exportArchive, importArchive }
