// Checks the report of a mock recall with nothing but the file, SHA-256 and Ed25519. Source:
// docs/evidence.md.
import { verify } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { canonicalJson } from '../../contract/json/canonical.ts'
import { mockRecallFormat, mockRecallText } from '../../evidence/evidence.ts'
import type { MockRecall, MockRecallReport } from '../../operations/keeping/mock-recalls.ts'
import { sha256Hex } from '../../sha256.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { plain, results } from '../../terminal/terminal.ts'
import { publicKeyOf, signingKeyIdOf } from './archive-check.ts'

/** A report is some kilobytes. */
const bytesMax = 1_000_000

type EndedRecall = MockRecall & { readonly report: MockRecallReport }

/** The mock recall in a file; undefined when the file is something else. */
export function readMockRecall(path: string): EndedRecall | undefined {
  if (statSync(path).size > bytesMax) return undefined
  try {
    const read = JSON.parse(readFileSync(path, 'utf8')) as Partial<MockRecall> | null
    return read?.report?.format === mockRecallFormat ? (read as EndedRecall) : undefined
  } catch {
    return undefined
  }
}

export async function verifyMockRecall(
  path: string,
  recall: EndedRecall,
  trusted: readonly string[],
  { json }: { readonly json: boolean | undefined },
): Promise<CommandEnd> {
  const { report, signingKeyId } = recall
  const faults = faultsOf(recall, trusted)
  if (json)
    await results.write(
      `${JSON.stringify({ altered: faults.length > 0, id: report.id, provider: report.provider, lotCode: report.lotCode, seconds: report.seconds, signingKeyId, keyIsFromOutside: trusted.length > 0, faults })}\n`,
    )
  else if (faults.length > 0) for (const fault of faults) await results.say(`${path}: ${fault}`)
  else {
    const content = `mock recall of lot ${plain(report.lotCode)} by ${plain(report.provider.name)} (${plain(report.provider.id)}), ${plain(report.startedDateTime)}, ${report.seconds} seconds`
    await results.say(
      trusted.length > 0
        ? `${results.styled('green', 'Nothing was altered')} in ${path}: ${content}.`
        : `${results.styled('yellow', 'Consistent in itself')}: ${path}, ${content}. It is signed with a key that it carries itself. Not checked: whose key that is, so a forger could have signed it again. Give a key you trust with --key.`,
    )
    await results.say(
      trusted.length > 0
        ? `It is signed with key ${signingKeyId}, which was given.`
        : `It is signed with key ${signingKeyId}, which is in the file itself. Ask whoever made the report for the public key.`,
    )
  }
  return faults.length === 0 ? undefined : { problem: `${path} is not what was signed.` }
}

/** The faults, as sentences. */
function faultsOf(
  { id, report, reportHash, signingKeyId, publicKey, signature }: EndedRecall,
  trusted: readonly string[],
) {
  const hash = sha256Hex(canonicalJson(report))
  const key = publicKeyOf(Buffer.from(publicKey ?? '', 'base64'))
  if (hash !== reportHash) return ['The report was altered: it does not match its reportHash.']
  if (id !== report.id) return ['The id is not that of the report.']
  if (key === undefined || signingKeyId !== signingKeyIdOf(key))
    return [`The key is not the Ed25519 key from which its id ${signingKeyId} was computed.`]
  const text = mockRecallText({ id, signedFor: report.provider.id, reportHash, signingKeyId })
  if (!verify(null, Buffer.from(text), key, Buffer.from(signature ?? '', 'base64')))
    return [`The report was altered: its signature is not that of key ${signingKeyId}.`]
  return trusted.length > 0 && !trusted.includes(signingKeyId)
    ? [`It is signed with key ${signingKeyId}, which is not one of the given keys (${trusted.join(', ')}).`]
    : []
}
