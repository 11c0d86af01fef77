// `lotkeeper verify FILE`: checks an archive, or the report of a mock recall, without the service.

import { existsSync, readFileSync } from 'node:fs'
import { bytesOf } from 'lotkeeper-sheets/import-file'
import { pluralize } from '../../contract/text/pluralize.ts'
import { archiveBeginning } from '../../evidence/archive.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { Progress } from '../../terminal/progress.ts'
import { plain, results } from '../../terminal/terminal.ts'
import { type OpenFile, openFile } from '../base/open-file.ts'
import { ArchiveCheck, type ArchiveFault, publicKeyOf, signingKeyIdOf } from './archive-check.ts'
import { readMockRecall, verifyMockRecall } from './mock-recall-check.ts'

interface VerifyOptions {
  readonly key: readonly string[]
  readonly json?: boolean
}

export async function verify(path: string, { key, json }: VerifyOptions): Promise<CommandEnd> {
  if (!existsSync(path)) return { problem: `There is no file ${path}.`, calledWrongly: true }
  const file = openFile(path)
  const isOfRecords = await isArchive(file)
  const recall = isOfRecords ? undefined : readMockRecall(path)
  if (recall === undefined && !isOfRecords)
    return {
      problem: `${path} is neither an archive nor a mock recall of this program. lotkeeper export ndjson makes an archive; the page of a mock recall in the console saves its report.`,
    }
  const trusted: string[] = []
  for (const name of key) {
    const read = existsSync(name) ? publicKeyOf(readFileSync(name, 'utf8')) : undefined
    if (read === undefined)
      return {
        problem: `${name} is not an Ed25519 public key in PEM.`,
        calledWrongly: true,
      }
    trusted.push(signingKeyIdOf(read))
  }
  if (recall !== undefined) return verifyMockRecall(path, recall, trusted, { json })
  const check = await checkArchive(file, trusted)
  if (json) await results.write(`${JSON.stringify(toReport(check, trusted))}\n`)
  else {
    for (const fault of check.faults) await results.say(`${path}: ${faultText(fault)}`)
    if (check.faultCount > check.faults.length)
      await results.say(`${check.faultCount - check.faults.length} more are not listed.`)
    if (check.faultCount === 0) for (const line of goodText(path, check, trusted)) await results.say(line)
  }
  return check.faultCount === 0 ? undefined : { problem: `${path} is not what was stored.` }
}

/** True when a file begins as archives do. */
export const isArchive = async (file: OpenFile): Promise<boolean> =>
  Buffer.from(await bytesOf(file, 0, archiveBeginning.length)).toString('latin1') === archiveBeginning

/** Checks a whole archive, with a bar on a terminal. */
export async function checkArchive(file: OpenFile, trusted: readonly string[]): Promise<ArchiveCheck> {
  const check = new ArchiveCheck(trusted)
  const progress = new Progress()
  await check.run(file, () =>
    progress.show(file.read(), { done: check.versions, unit: 'versions', more: ' · checking' }),
  )
  progress.clear()
  return check
}

export const faultText = ({ line, record, version, what }: ArchiveFault): string =>
  `line ${line}${record === undefined ? '' : `, version ${version} of record ${record}`}: ${what}`

function toReport(check: ArchiveCheck, trusted: readonly string[]) {
  const { head, records, versions, purged, faults, faultCount, lastCheckpoint: last } = check
  return {
    altered: faultCount > 0,
    provider: head?.provider,
    records,
    versions,
    purged,
    lastCheckpoint: last && {
      number: last.number,
      madeDateTime: last.madeDateTime,
      checkpointHash: last.checkpointHash,
    },
    signedWith: [...check.signedWith],
    keyIsFromOutside: trusted.length > 0,
    faultCount,
    faults,
  }
}

function goodText(path: string, check: ArchiveCheck, trusted: readonly string[]): string[] {
  const { head, lastCheckpoint: last, purged } = check
  const content = `${pluralize(check.versions, 'version')} of ${pluralize(check.records, 'record')} of ${plain(head?.provider.name ?? '')} (${head?.provider.id})`
  const lines = [
    trusted.length > 0 && last !== undefined
      ? `${results.styled('green', 'Nothing was altered')} in ${path}: ${content}.`
      : `${results.styled('yellow', 'Consistent in itself')}: ${path}, ${content}. ${last === undefined ? 'Nothing in it is signed, so this does not prove that nothing was altered.' : 'It is signed with a key that it carries itself. Not checked: whose key that is, so a forger could have signed it again. Give a key you trust with --key.'}`,
  ]
  if (purged > 0)
    lines.push(
      `${pluralize(purged, 'version')} of them were purged: the archive proves that they existed, but not their content.`,
    )
  if (last === undefined) return [...lines, 'There is no checkpoint yet.']
  lines.push(`The last checkpoint is number ${last.number} of ${last.madeDateTime}, hash ${last.checkpointHash}.`)
  lines.push(
    trusted.length > 0
      ? `It is signed with key ${last.signingKeyId}, which was given.`
      : `It is signed with key ${last.signingKeyId}, which is in the file itself. Ask whoever made the archive for the public key, or compare the hash with one you wrote down.`,
  )
  lines.push('Not checked: what was stored after that checkpoint, and whether a later one was left out.')
  return lines
}
