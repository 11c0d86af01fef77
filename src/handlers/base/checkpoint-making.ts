// Makes checkpoints. Source: decision 0038; for purges: decision 0071.
import { createHash } from 'node:crypto'
import { type Checkpoint, checkpointText, rootEntry, rootHead } from '../../evidence/evidence.ts'
import { sha256Hex } from '../../sha256.ts'
import type { Signer } from '../../signing-key.ts'
import type { Queryable } from '../../store/database/statement.ts'
import {
  type AwaitedVersion,
  awaitedPurges,
  awaitedVersions,
  endOfCheckpoints,
  holdsAll,
  insertCheckpoint,
  providersAwaiting,
} from '../../store/evidence/checkpoints.ts'

/** Root of a checkpoint over these versions, in this order. */
export function rootOf(versions: readonly AwaitedVersion[]): string {
  const hash = createHash('sha256').update(rootHead)
  for (const version of versions) hash.update(`\n${rootEntry(version)}`)
  return hash.digest('hex')
}

/**
 * Brings everything the provider has stored so far under checkpoints, and returns the number of the
 * last one; purges get their places too, under a checkpoint of their own only where that is wanted.
 * When several processes do it at once, one of them makes each. While an archive is being brought
 * in none is made.
 */
export async function makeCheckpoints(
  store: Queryable,
  signer: Signer,
  provider: string,
  { alsoForPurges = true }: { readonly alsoForPurges?: boolean | undefined } = {},
): Promise<number> {
  for (;;) {
    const { number, checkpointHash, now, importing } = await endOfCheckpoints(store, provider)
    if (importing) return number
    const awaited = await awaitedPurges(store, { provider })
    const versions = await awaitedVersions(store, { provider })
    const hasAll = holdsAll(versions.length)
    // A version that is left for the next checkpoint may be one of those purged.
    const purged = hasAll ? awaited : []
    if (versions.length === 0 && (purged.length === 0 || !alsoForPurges)) return number
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
    const checkpoint: Checkpoint = { ...unsigned, checkpointHash: sha256Hex(text), signature: signer.sign(text) }
    const made = await insertCheckpoint(store, {
      ...checkpoint,
      publicKey: signer.publicKey,
      versions,
      purged,
      provider,
    })
    if (made && hasAll && holdsAll(purged.length)) return checkpoint.number
  }
}

/**
 * Makes those checkpoints that are due: of providers whose last one is as old as the interval. One
 * that fails holds up no other provider; the first failure is thrown at the end.
 */
export async function makeCheckpointsDue(store: Queryable, signer: Signer, intervalMs: number): Promise<void> {
  const failures: unknown[] = []
  for (const provider of await providersAwaiting(store))
    try {
      const { age } = await endOfCheckpoints(store, provider)
      // A clock that was set back makes an age below zero.
      if (age === null || age < 0 || age * 1_000 >= intervalMs) await makeCheckpoints(store, signer, provider)
    } catch (error) {
      failures.push(error)
    }
  if (failures.length > 0) throw failures[0]
}
