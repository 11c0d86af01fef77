// Imports an archive, some lines at a time. Lines that were stored before an interruption are
// recognised when they are sent again. Source: decision 0037.
import { createPublicKey, verify } from 'node:crypto'
import type { Static } from 'typebox'
import {
  type ArchivedCheckpoint,
  type ArchivedKey,
  type ArchivedVersion,
  type ArchiveEnd,
  type ArchiveLine,
  readArchiveLine,
} from '../../evidence/archive.ts'
import { checkpointText, versionFaults } from '../../evidence/evidence.ts'
import { archiveLinesMax, archiveOperations } from '../../operations/exchange/archive.ts'
import { sha256Hex } from '../../sha256.ts'
import { signingKeyIdOf } from '../../signing-key.ts'
import {
  awaitedVersions,
  endOfCheckpoints,
  insertCheckpoint,
  newestCheckpoints,
} from '../../store/evidence/checkpoints.ts'
import { sizeOfArchive } from '../../store/exchange/archive.ts'
import {
  beginArchiveImport,
  endArchiveImport,
  hashesOfVersions,
  importSigningKey,
  importVersions,
  readSigningKey,
  versionName,
} from '../../store/exchange/archive-imports.ts'
import { rootOf } from '../base/checkpoint-making.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { shapeRefusal } from '../records/failure-answers.ts'
import { importLostLots } from './imported-lots.ts'
import { prepareCurrent, prepareReplaced } from './imported-records.ts'

type Fault = Answer<'notEmpty' | 'notFitting'>

const notFitting = (detail: string): Fault => ({ outcome: 'notFitting', detail })
const notEmpty: Fault = {
  outcome: 'notEmpty',
  detail:
    'The account holds records that did not come from this archive. Import it into the account of a new provider: lotkeeper keys create --provider NAME --role administrator creates one.',
}

export const importArchive =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'notEmpty' | 'notFitting' | 'imported'>> => {
    const { store } = context
    const refusal = shapeRefusal(
      archiveOperations.importArchive.body,
      call,
      `Nothing was stored. A call may have at most ${archiveLinesMax} lines.`,
    )
    if (refusal !== undefined) return refusal
    const { archive, lines } = call.body.value as Static<typeof archiveOperations.importArchive.body>
    const head = readArchiveLine(archive)
    if ('problem' in head || head.is !== 'archive')
      return notFitting(
        `The first line is not the first line of an archive that this program can read. ${'problem' in head ? head.problem : ''}`,
      )
    const begun = await beginArchiveImport(store, call.provider, archive)
    if (begun === undefined) return notEmpty
    if (begun.ended) {
      const { number } = await endOfCheckpoints(store, call.provider)
      return { outcome: 'imported', body: { checkpoints: number, unfinished: false, ended: true } }
    }

    const read: Exclude<ArchiveLine, { readonly is: 'archive' | 'missing' }>[] = []
    for (const [i, text] of lines.entries()) {
      const line = readArchiveLine(text)
      if ('problem' in line) return notFitting(`Line ${i + 1} of this call: ${line.problem}`)
      if (line.is === 'archive') return notFitting('A second archive begins.')
      if (line.is === 'missing')
        return notFitting(
          `Version ${line.version} of record ${line.id} is missing: the archive was made of a damaged database. Restore it there, and export again.`,
        )
      read.push(line)
    }
    const versions = read.filter((line) => line.is === 'version')
    const unfit = await faultOfVersions(context, call, versions)
    if (unfit !== undefined) return unfit

    const { provider, requestId } = call
    const chain: Chain = { end: await endOfCheckpoints(store, provider), keys: new Map() }
    const imported = { checkpoints: chain.end.number, unfinished: false, ended: false }
    /** Not stored yet: a statement for all of a checkpoint. */
    let under: ArchivedVersion[] = []
    const storeVersions = async () => {
      if (under.length > 0) await importVersions(store, { provider, requestId, versions: under })
      under = []
    }
    /** Values that are looked up later, for all versions of this call together. */
    const prepare = async () => {
      if (versions.length === 0) return undefined
      const fault = await prepareCurrent(context, provider, versions)
      if (fault === undefined) await importLostLots(context, provider, versions)
      return fault
    }
    for (const line of read) {
      if (line.is === 'version') {
        under.push(line)
        continue
      }
      await storeVersions()
      if (line.is === 'key') {
        const fault = await takeKey(context, call, line)
        if (fault !== undefined) return fault
      } else if (line.is === 'checkpoint') {
        const fault = await takeCheckpoint(context, call, line, chain)
        if (fault !== undefined) return fault
        imported.checkpoints = line.number
      } else if (line.is === 'end') {
        const ended = (await prepare()) ?? (await takeEnd(context, call, line))
        if (typeof ended === 'object') return ended
        imported.unfinished = ended === 'unfinished'
        imported.ended = ended === 'ended'
      }
    }
    if (read.at(-1)?.is === 'end') return { outcome: 'imported', body: imported }
    await storeVersions()
    return (await prepare()) ?? { outcome: 'imported', body: imported }
  }

/** How far the checkpoints are, and the keys that signed them, while a call is carried out. */
interface Chain {
  end: { readonly number: number; readonly checkpointHash: string | null }
  readonly keys: Map<string, Buffer>
}

/** Mistakes in these versions, alone and beside the stored ones. */
async function faultOfVersions(
  { store }: HandlerContext,
  { provider }: OperationCall,
  versions: readonly ArchivedVersion[],
): Promise<Fault | undefined> {
  if (versions.length === 0) return undefined
  for (const version of versions) {
    const [fault] = versionFaults(version, sha256Hex)
    if (fault !== undefined) return notFitting(`${labelOf(version)}: ${fault}.`)
  }
  const known = await hashesOfVersions(
    store,
    provider,
    versions.flatMap(({ id, version }) => [
      { id, version },
      { id, version: version - 1 },
    ]),
  )
  for (const version of versions) {
    const name = versionName(version.id, version.version)
    const stored = known.get(name)
    if (stored !== undefined && stored !== version.versionHash) return notEmpty
    if ((known.get(versionName(version.id, version.version - 1)) ?? null) !== version.previousHash)
      return notFitting(`${labelOf(version)} does not follow the previous version, which is missing or different.`)
    known.set(name, version.versionHash)
  }
  return undefined
}

const labelOf = ({ id, version }: Pick<ArchivedVersion, 'id' | 'version'>): string =>
  `Version ${version} of record ${id}`

async function takeKey(
  { store }: HandlerContext,
  { provider }: OperationCall,
  { signingKeyId, publicKey }: ArchivedKey,
): Promise<Fault | undefined> {
  const key = Buffer.from(publicKey, 'base64')
  if (signingKeyIdOf(key) !== signingKeyId || !isEd25519(key))
    return notFitting(`Key ${signingKeyId} is not the Ed25519 key from which its id was computed.`)
  await importSigningKey(store, { provider, signingKeyId, publicKey: key })
  return undefined
}

function isEd25519(publicKey: Buffer): boolean {
  try {
    return createPublicKey({ key: publicKey, format: 'der', type: 'spki' }).asymmetricKeyType === 'ed25519'
  } catch {
    return false
  }
}

async function takeCheckpoint(
  { store }: HandlerContext,
  { provider }: OperationCall,
  { is: _, ...checkpoint }: ArchivedCheckpoint,
  chain: Chain,
): Promise<Fault | undefined> {
  const { number, checkpointHash, signingKeyId } = checkpoint
  const name = `Checkpoint ${number}`
  const { end, keys } = chain
  if (number <= end.number) {
    const [stored] = await newestCheckpoints(store, { provider, before: number + 1, limit: 1 })
    return stored?.checkpointHash === checkpointHash ? undefined : notEmpty
  }
  if (number !== end.number + 1 || checkpoint.previousHash !== end.checkpointHash)
    return notFitting(`${name} does not follow the previous checkpoint.`)
  const text = checkpointText(checkpoint)
  const publicKey = keys.get(signingKeyId) ?? (await readSigningKey(store, { provider, signingKeyId }))?.publicKey
  if (publicKey === undefined) return notFitting(`${name} was signed with a key that is not in the archive.`)
  keys.set(signingKeyId, publicKey)
  const key = createPublicKey({ key: publicKey, format: 'der', type: 'spki' })
  if (
    sha256Hex(text) !== checkpointHash ||
    !verify(null, Buffer.from(text), key, Buffer.from(checkpoint.signature, 'base64'))
  )
    return notFitting(`${name} does not match its hash and its signature.`)
  const versions = await awaitedVersions(store, { provider })
  if (versions.length !== checkpoint.versionCount || rootOf(versions) !== checkpoint.root)
    return notFitting(
      `${name} covers other versions than those before it, or something else was written to the account in the meantime.`,
    )
  // If another call stored it at this moment, it exists as well.
  await insertCheckpoint(store, { ...checkpoint, publicKey, versions, purged: [], provider })
  chain.end = { number, checkpointHash }
  return undefined
}

async function takeEnd(
  context: HandlerContext,
  { provider }: OperationCall,
  line: ArchiveEnd,
): Promise<Fault | 'unfinished' | 'ended'> {
  const { store, due } = context
  const { number } = await endOfCheckpoints(store, provider)
  const { versions, checkpoints } = await sizeOfArchive(store, provider, number)
  if (versions !== line.versions || checkpoints !== line.checkpoints)
    return notFitting(
      `${versions} of ${line.versions} versions and ${checkpoints} of ${line.checkpoints} checkpoints are stored. Send the lines that are missing.`,
    )
  const left = await prepareReplaced(context, provider)
  if (left !== 'none') return left
  if ((await awaitedVersions(store, { provider })).length > 0) return notEmpty
  await endArchiveImport(store, { provider })
  due('recounts', provider)
  due('search', provider)
  return 'ended'
}
