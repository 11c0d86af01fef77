// Exports all data of the provider as lines of JSON. Source: decision 0037.
import {
  type ArchivedCheckpoint,
  type ArchivedVersion,
  archiveFormat,
  archiveLine,
  type MissingVersion,
  versionLine,
} from '../../evidence/archive.ts'
import { archiveMediaType } from '../../operations/exchange/archive.ts'
import { readProviderName } from '../../store/database/providers.ts'
import type { Queryable } from '../../store/database/statement.ts'
import { endOfCheckpoints, nextCheckpoints, signingKeys } from '../../store/evidence/checkpoints.ts'
import { type EvidenceGap, evidenceGaps } from '../../store/evidence/evidence-gaps.ts'
import { archivedVersions, sizeOfArchive } from '../../store/exchange/archive.ts'
import { makeCheckpoints } from '../base/checkpoint-making.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'

export const exportArchive =
  ({ store, signer }: HandlerContext) =>
  async ({ provider }: OperationCall): Promise<Answer<'importing' | 'exported'>> => {
    if ((await endOfCheckpoints(store, provider)).importing)
      return {
        outcome: 'importing',
        detail: 'An archive import is not complete. Wait until it ends, or run the import again to complete it.',
      }
    // The archive has the versions under these checkpoints: everything stored before the call, and
    // nothing later. Purges alone make no checkpoint: an imported archive is exported line for
    // line.
    const last = await makeCheckpoints(store, signer, provider, { alsoForPurges: false })
    const madeAt = new Date()
    const { versions } = await sizeOfArchive(store, provider, last)
    const gaps = await evidenceGaps(store, provider, gapsMax)
    return {
      outcome: 'exported',
      file: {
        mediaType: archiveMediaType,
        name: `archive-${madeAt.toISOString().slice(0, 10)}.ndjson`,
        records: versions,
        missing: gaps.length,
        parts: lines(store, provider, { last, madeAt, gaps }),
      },
    }
  }

/** Most missing or added versions that an archive names. `lotkeeper doctor` names all. */
const gapsMax = 10_000

async function* lines(
  store: Queryable,
  provider: string,
  { last, madeAt, gaps }: { readonly last: number; readonly madeAt: Date; readonly gaps: readonly EvidenceGap[] },
): AsyncGenerator<string> {
  const keys = await allSigningKeys(store, provider)
  const size = await sizeOfArchive(store, provider, last)
  yield archiveLine({
    is: 'archive',
    format: archiveFormat,
    provider: { id: provider, name: await readProviderName(store, provider) },
    madeDateTime: madeAt.toISOString(),
    keys: keys.length,
    ...size,
  })
  for (const { signingKeyId, publicKey } of keys)
    yield archiveLine({ is: 'key', signingKeyId, publicKey: publicKey.toString('base64') })
  const counts = { records: 0, versions: 0, missing: 0, added: 0 }
  const named = new Set<string>()
  const textOf = (version: Omit<ArchivedVersion, 'is'> | MissingVersion): string => {
    if ('is' in version) {
      counts.missing++
      named.add(version.id + version.version)
      return archiveLine(version)
    }
    counts.versions++
    if (version.version === 1) counts.records++
    return versionLine(version)
  }
  for (let number = 0; number < last; ) {
    const open = (await nextCheckpoints(store, provider, number)).filter(({ checkpoint }) => checkpoint.number <= last)
    // Checkpoints can be missing too: who checks the archive notices by their numbers.
    if (open[0] === undefined) break
    const asked = open.flatMap(({ under }) => under)
    let left = open[0].under.length
    /** The checkpoints whose versions were all written. */
    const closed = (): string => {
      let text = ''
      for (; open[0] !== undefined && left === 0; left = open[0]?.under.length ?? 0) {
        const { checkpoint } = open[0]
        number = checkpoint.number
        text += archiveLine({ is: 'checkpoint', ...checkpoint } satisfies ArchivedCheckpoint)
        open.shift()
      }
      return text
    }
    // After a purge one can have no versions.
    const empty = closed()
    if (empty !== '') yield empty
    for await (const batch of archivedVersions(store, provider, asked))
      yield batch
        .map((version) => {
          left--
          return textOf(version) + closed()
        })
        .join('')
  }
  // Under no checkpoint, which is how it is noticed: missing without ever having been under one,
  // and added past the service.
  for (const { id, version, is } of gaps)
    if (is === 'missing' && !named.has(id + version)) yield textOf({ is, id, version })
  const added = gaps.filter(({ is }) => is === 'added')
  for await (const batch of archivedVersions(store, provider, added)) {
    counts.added += batch.length
    yield batch.map(textOf).join('')
  }
  const { missing, added: addedCount, ...whole } = counts
  yield archiveLine({
    is: 'end',
    ...whole,
    checkpoints: size.checkpoints,
    ...(missing > 0 && { missing }),
    ...(addedCount > 0 && { added: addedCount }),
  })
}

const keysAtOnce = 100

async function allSigningKeys(store: Queryable, provider: string) {
  const all = await signingKeys(store, { provider, limit: keysAtOnce })
  for (let page = all; page.length === keysAtOnce; ) {
    page = await signingKeys(store, { provider, after: all.at(-1)?.signingKeyId, limit: keysAtOnce })
    all.push(...page)
  }
  return all
}
