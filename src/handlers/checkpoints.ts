// Makes checkpoints, and shows them. Source: decision 0038.
import { createHash } from 'node:crypto'
import { type Checkpoint, checkpointText, rootEntry, rootHead } from '../evidence/evidence.ts'
import type { Signer } from '../signing-key.ts'
import {
  type AwaitedVersion,
  awaitedVersions,
  endOfCheckpoints,
  holdsAll,
  insertCheckpoint,
  newestCheckpoints,
  providersAwaiting,
  signingKeys,
} from '../store/checkpoints.ts'
import type { Queryable } from '../store/statement.ts'
import { numberIn, numberMax, pageOf, scopeOf } from './cursor.ts'
import type { Answer, HandlerContext, OperationCall } from './handler.ts'

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Root of a checkpoint over these versions, in this order. */
export function rootOf(versions: readonly AwaitedVersion[]): string {
  const hash = createHash('sha256').update(rootHead)
  for (const version of versions) hash.update(`\n${rootEntry(version)}`)
  return hash.digest('hex')
}

/**
 * Brings everything the provider has stored so far under checkpoints, and returns the number of the
 * last one. When several processes do it at once, one of them makes each. While an archive is being
 * brought in none is made.
 */
export async function makeCheckpoints(store: Queryable, signer: Signer, provider: string): Promise<number> {
  for (;;) {
    const { number, checkpointHash, now, importing } = await endOfCheckpoints(store, provider)
    if (importing) return number
    const versions = await awaitedVersions(store, provider)
    if (versions.length === 0) return number
    const unsigned = {
      number: number + 1,
      signedFor: provider,
      madeDateTime: now,
      versionCount: versions.length,
      root: rootOf(versions),
      previousHash: checkpointHash,
      signingKeyId: signer.signingKeyId,
    }
    const text = checkpointText(unsigned)
    const checkpoint: Checkpoint = { ...unsigned, checkpointHash: sha256(text), signature: signer.sign(text) }
    const made = await insertCheckpoint(store, provider, checkpoint, signer.publicKey, versions)
    if (made && holdsAll(versions.length)) return checkpoint.number
  }
}

/** Makes those checkpoints that are due: of providers whose last one is as old as the interval. */
export async function makeCheckpointsDue(store: Queryable, signer: Signer, intervalMs: number): Promise<void> {
  for (const provider of await providersAwaiting(store)) {
    const { age } = await endOfCheckpoints(store, provider)
    // A clock that was set back makes an age below zero.
    if (age === null || age < 0 || age * 1_000 >= intervalMs) await makeCheckpoints(store, signer, provider)
  }
}

export const listCheckpoints =
  ({ store }: HandlerContext) =>
  async ({ provider, query }: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const listed = await pageOf(query, {
      scope: scopeOf('checkpoints', {}),
      positionIn: numberIn,
      find: (before = numberMax, count) => newestCheckpoints(store, provider, before, count),
      positionOf: ({ number }) => String(number),
    })
    if ('outcome' in listed) return listed
    return { outcome: 'listed', body: { content: listed.page, nextCursor: listed.nextCursor } }
  }

export const listSigningKeys =
  ({ store }: HandlerContext) =>
  async ({ provider, query }: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const listed = await pageOf(query, {
      scope: scopeOf('signing keys', {}),
      positionIn: (text) => (/^[0-9a-f]{32}$/.test(text) ? text : undefined),
      find: (after, count) => signingKeys(store, provider, after, count),
      positionOf: ({ signingKeyId }) => signingKeyId,
    })
    if ('outcome' in listed) return listed
    return {
      outcome: 'listed',
      body: {
        content: listed.page.map(({ signingKeyId, publicKey, firstUsedAt }) => ({
          signingKeyId,
          publicKey: pem(publicKey),
          firstUsedDateTime: firstUsedAt.toISOString(),
        })),
        nextCursor: listed.nextCursor,
      },
    }
  }

/** A public key as a file of its own. */
const pem = (publicKey: Uint8Array): string =>
  `-----BEGIN PUBLIC KEY-----\n${Buffer.from(publicKey).toString('base64')}\n-----END PUBLIC KEY-----\n`
