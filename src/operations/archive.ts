// An archive: everything a provider has, and its return. Not shown in the contract; decided in 0037.
import { Type } from 'typebox'
import { archiveLineLengthMax } from '../contract/archive.ts'
import type { Operation } from './operation.ts'

export const archiveMediaType = 'application/x-ndjson'

export const exportArchive = {
  name: 'exportArchive',
  method: 'GET',
  path: '/archive',
  cites: '21 CFR 1.1455; decision 0037',
  summary: 'Exports everything the provider has, history included.',
  description:
    'All versions of all receiving events, products and locations as lines of JSON, bodies byte for byte as stored, with hashes, signed checkpoints and public keys. A checkpoint is made first, and what is under it is the archive; what is stored meanwhile is not in it. A file that was cut off lacks its last line. `lotkeeper verify` checks an archive without the service, and `lotkeeper import` brings it into an empty account.',
  role: 'reader',
  topic: 'evidence',
  query: {},
  headers: [],
  recorded: 'everyFile',
  outcomes: {
    restoring: { status: 409, when: 'An archive is being brought in, and has not ended.', retry: 'later' },
    exported: {
      status: 200,
      when: 'The first lines are made; the rest is made while it is read.',
      media: { [archiveMediaType]: 'One JSON object on each line.' },
      retry: 'never',
    },
  },
} as const satisfies Operation

/** Most lines of an archive one call brings in. */
export const archiveLinesMax = 500

const Lines = Type.Object(
  {
    archive: Type.String({ maxLength: 2_000, description: 'The first line of the archive.' }),
    lines: Type.Array(Type.String({ maxLength: archiveLineLengthMax }), {
      maxItems: archiveLinesMax,
      description: 'Lines that follow it, in their order, each as text.',
    }),
  },
  { title: 'ArchiveLines', additionalProperties: false },
)

const Restored = Type.Object(
  {
    checkpoints: Type.Integer({
      description:
        'Checkpoints of the archive that are stored: versions up to the last of them need not be sent again.',
    }),
    unfinished: Type.Boolean({ description: 'Records are still to be made ready: send the last line again.' }),
    ended: Type.Boolean({ description: 'All of the archive is stored.' }),
  },
  { title: 'ArchiveRestored', additionalProperties: false },
)

export const restoreArchive = {
  name: 'restoreArchive',
  method: 'PUT',
  path: '/archive',
  cites: 'decision 0037',
  summary: 'Brings lines of an archive into an account that is empty.',
  description:
    'Ids, versions, times, findings and hashes stay what they were. A call that brings no lines begins, and says how much is there already; the lines follow in their order, and the last one ends it. Lines sent again change nothing. Nothing that is stored is ever overwritten. Until it has ended, nothing else should be written.',
  role: 'administrator',
  topic: 'evidence',
  query: {},
  headers: [],
  body: Lines,
  // A body as text has a backslash before each quotation mark, and findings beside it.
  bodyFactor: 3,
  outcomes: {
    refused: { status: 422, when: 'The body has another shape; nothing is stored.', retry: 'changed' },
    notEmpty: { status: 409, when: 'The account holds records that did not come from this archive.', retry: 'never' },
    notFitting: {
      status: 422,
      when: 'A line is no line of an archive, does not fit its hashes, or does not follow what is stored; lines before it may be stored.',
      retry: 'changed',
    },
    restored: { status: 200, when: 'The lines are stored, or were.', body: Restored, retry: 'never' },
  },
} as const satisfies Operation
