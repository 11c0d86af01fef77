// Checkpoints, and the keys that signed them. Not shown in the contract; decided in 0038.
import { Type } from '../../contract/shape/type.ts'
import { nextCursor } from '../base/bodies.ts'
import type { Operation } from '../base/operation.ts'
import { paging } from '../base/query.ts'

const hash = (description: string) => Type.String({ description, pattern: '^[0-9a-f]{64}$' })
const signingKeyId = Type.String({ description: 'Id of the key that signed it.', pattern: '^[0-9a-f]{32}$' })

const Checkpoint = Type.Object(
  {
    number: Type.Integer({ description: 'Counted from 1.' }),
    signedFor: Type.String({ description: 'Id of the provider: another one when its records came from an archive.' }),
    madeDateTime: Type.String({ description: 'In UTC, to the microsecond.' }),
    versionCount: Type.Integer({ description: 'Versions under it that are under no earlier checkpoint.' }),
    root: hash('SHA-256 over the hashes of these versions.'),
    previousHash: Type.Union([hash('`checkpointHash` of the one before.'), Type.Null()], {
      description: '`checkpointHash` of the one before; null for the first.',
    }),
    checkpointHash: hash('SHA-256 of what is signed.'),
    signingKeyId,
    signature: Type.String({ description: 'Ed25519, in base64.' }),
  },
  { title: 'Checkpoint', additionalProperties: false },
)

const CheckpointPage = Type.Object(
  { content: Type.Array(Checkpoint), nextCursor },
  { title: 'CheckpointPage', additionalProperties: false },
)

const SigningKeyPage = Type.Object(
  {
    content: Type.Array(
      Type.Object(
        {
          signingKeyId,
          publicKey: Type.String({ description: 'Ed25519, in PEM.' }),
          firstUsedDateTime: Type.String({ description: 'When it first signed a checkpoint here.' }),
        },
        { title: 'SigningKey', additionalProperties: false },
      ),
    ),
    nextCursor,
  },
  { title: 'SigningKeyPage', additionalProperties: false },
)

const shared = {
  method: 'GET',
  cites: 'decision 0038',
  role: 'partner',
  topic: 'evidence',
  query: paging,
  headers: [],
} as const

const listCheckpoints = {
  ...shared,
  name: 'listCheckpoints',
  path: '/checkpoints',
  summary: 'Lists checkpoints: signed statements of what was stored, newest first.',
  description:
    'Every version is under exactly one checkpoint, at most some minutes after it was stored. From time to time, write down the number and hash of a checkpoint outside the service: they reveal every later change to what was stored before it, whoever makes it. `docs/evidence.md` says what is hashed and signed.',
  outcomes: {
    listed: { status: 200, when: 'The page is found, be it empty.', body: CheckpointPage, retry: 'never' },
  },
} as const satisfies Operation

const listSigningKeys = {
  ...shared,
  name: 'listSigningKeys',
  path: '/signing-keys',
  summary: 'Lists the public keys that checkpoints were signed with.',
  description: 'All keys ever used: a retired key stays in the list.',
  outcomes: {
    listed: { status: 200, when: 'The page is found, be it empty.', body: SigningKeyPage, retry: 'never' },
  },
} as const satisfies Operation

export const checkpointOperations = { listCheckpoints, listSigningKeys }
