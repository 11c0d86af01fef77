// Archives in tests: exported, taken apart by what docs/evidence.md says and nothing of src, and
// brought in.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { calling, type Reply, type Service, type TestProvider } from '../servers/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into lines by name, and a wrong name fails the test
export type Line = any

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The lines of an archive as text. */
export const linesOf = (archive: string): string[] => archive.trimEnd().split('\n')

export async function exported(provider: Pick<TestProvider, 'call'>): Promise<string> {
  const reply = await provider.call('GET', '/archive')
  if (reply.status !== 200) throw new Error(reply.text)
  return reply.text
}

/**
 * Everything that can be recomputed of an archive, as a stranger would; what does not fit, as
 * words.
 */
export function faultsIn(archive: string): string[] {
  const faults: string[] = []
  const heads = new Map<string, Line>()
  const keys = new Map<string, string>()
  let root: string[] = []
  let before = 'none'
  for (const [n, text] of linesOf(archive).entries()) {
    const line: Line = JSON.parse(text)
    const fault = (what: string) => faults.push(`line ${n + 1}: ${what}`)
    if (line.is === 'key') keys.set(line.signingKeyId, line.publicKey)
    if (line.is === 'version') {
      // The text between the names, as docs/evidence.md says.
      const [, findings, body] = /,"findings":(.*?),"body":(.*)\}$/s.exec(text) ?? []
      // What was purged has nothing left to be hashed.
      const hashed =
        line.voidReason !== undefined
          ? `lotkeeper void 1\n${JSON.stringify(line.voidReason)}`
          : line.reason !== undefined
            ? `lotkeeper correction 1\n${JSON.stringify(line.reason)}\n${JSON.stringify(line.payloadId)}`
            : `lotkeeper detail 1\n${JSON.stringify(line.payloadId)}`
      if (line.purged !== true && sha256(`${hashed}\n${findings}\n${body}`) !== line.detailHash) fault('detail')
      const { kind, id, version, submittedDateTime, keyId, contentHash, detailHash, previousHash } = line
      const parts = [kind, id, version, submittedDateTime, keyId, contentHash, detailHash, previousHash ?? 'none']
      if (sha256(`lotkeeper version 1\n${parts.join('\n')}`) !== line.versionHash) fault('version')
      const head = heads.get(id)
      if ((head?.versionHash ?? null) !== previousHash || (head?.version ?? 0) + 1 !== version) fault('chain')
      heads.set(id, line)
      root.push(`${kind} ${id} ${version} ${line.versionHash}`)
    }
    if (line.is === 'checkpoint') {
      if (sha256(['lotkeeper root 1', ...root].join('\n')) !== line.root || root.length !== line.versionCount)
        fault('root')
      root = []
      const { signedFor, number, madeDateTime, versionCount, signingKeyId } = line
      const signed = [
        'lotkeeper checkpoint 1',
        signedFor,
        number,
        madeDateTime,
        versionCount,
        line.root,
        before,
        signingKeyId,
      ].join('\n')
      if (sha256(signed) !== line.checkpointHash) fault('checkpoint')
      const key = createPublicKey({
        key: Buffer.from(keys.get(signingKeyId) ?? '', 'base64'),
        format: 'der',
        type: 'spki',
      })
      if (!verify(null, Buffer.from(signed), key, Buffer.from(line.signature, 'base64'))) fault('signature')
      before = line.checkpointHash
    }
  }
  if (root.length > 0) faults.push('versions under no checkpoint')
  if (JSON.parse(linesOf(archive).at(-1) ?? '{}').is !== 'end') faults.push('cut off')
  return faults
}

/**
 * Brings an archive in, so many lines a call, as long as calls are answered with 200; the last
 * answer.
 */
export async function importArchive(
  service: Pick<Service, 'url'>,
  provider: Pick<TestProvider, 'key'>,
  archive: string,
  atOnce = 7,
): Promise<Reply> {
  const call = calling(service.url, await provider.key('administrator'))
  const [first = '', ...lines] = linesOf(archive)
  const send = (some: readonly string[]) => call('PUT', '/archive', { body: { archive: first, lines: some } })
  let reply = await send([])
  for (let at = 0; at < lines.length && reply.status === 200; at += atOnce)
    reply = await send(lines.slice(at, at + atOnce))
  while (reply.status === 200 && reply.body.unfinished) reply = await send(lines.slice(-1))
  return reply
}
