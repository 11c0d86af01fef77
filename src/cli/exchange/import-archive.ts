// `lotkeeper import` of an archive: checked here as a whole, then imported into an empty account.
import { ProblemError, UnreachableError } from '../../client/failure.ts'
import { readArchiveLine } from '../../evidence/archive.ts'
import { Progress } from '../../terminal/progress.ts'
import { archiveLines } from './archive-check.ts'
import { importClient, type SentFile } from './import-client.ts'
import { checkArchive, faultText } from './verify.ts'

/** Most lines and characters of one request; a single longer line goes alone. */
const linesAtOnce = 250
const charactersAtOnce = 2 * 1024 * 1024

/** True when the whole archive is imported. Results go to stdout, problems to stderr. */
export async function importArchive(given: SentFile): Promise<boolean> {
  const { path, file, dryRun } = given
  const say = (text: string) => process.stderr.write(`${path}: ${text}\n`)
  const check = await checkArchive(file, [])
  if (check.faultCount > 0) {
    for (const fault of check.faults) say(faultText(fault))
    say('Nothing was sent: the archive is not what was stored.')
    return false
  }
  const what = `${check.versions.toLocaleString('en')} versions of ${check.records.toLocaleString('en')} records`
  if (dryRun) {
    process.stdout.write(`${path}: ${what} in an archive that was not altered. Nothing was sent.\n`)
    return true
  }
  try {
    const end = await send(given, say)
    if (end !== undefined) process.stdout.write(`${path}: ${what} ${end}.\n`)
    return end !== undefined
  } catch (error) {
    if (!(error instanceof ProblemError || error instanceof UnreachableError)) throw error
    const again =
      error instanceof ProblemError && error.status < 500 && error.status !== 429
        ? ''
        : ' The import was interrupted. Run the same command again to continue.'
    say(`${error.message}${again}`)
    return false
  }
}

async function send(
  given: SentFile,
  say: (text: string) => void,
): Promise<'imported' | 'were stored already' | undefined> {
  const { file, stopAsked } = given
  const progress = new Progress()
  const client = importClient(given, (text) => {
    progress.clear()
    say(text)
  })
  let archive = ''
  const bring = async (lines: string[]) => (await client.importArchive({ body: { archive, lines } })).body
  let waiting: string[] = []
  let characters = 0
  const flush = async () => {
    const lines = waiting
    waiting = []
    characters = 0
    if (lines.length > 0) await bring(lines)
  }
  let [there, passed, done, earlier] = [0, 0, 0, 0]
  let last = ''
  for await (const lines of archiveLines(file))
    for (const { text } of lines) {
      if (stopAsked()) {
        progress.clear()
        say('stopped. Run the same command again to continue.')
        return undefined
      }
      if (archive === '') {
        archive = text
        const begun = await bring([])
        if (begun.ended) return 'were stored already'
        there = begun.checkpoints
        if (there > 0) say(`${there} checkpoints were stored before. Continuing after them.`)
        continue
      }
      last = text
      const isVersion = text.startsWith('{"is":"version"')
      if (isVersion) done++
      if (passed < there) {
        // Under an existing checkpoint.
        earlier = done
        const line = isVersion ? undefined : readArchiveLine(text)
        if (line !== undefined && 'is' in line && line.is === 'checkpoint') passed = line.number
        continue
      }
      if (characters + text.length > charactersAtOnce || waiting.length >= linesAtOnce) await flush()
      waiting.push(text)
      characters += text.length
      progress.show(file.read(), { done, unit: 'versions', earlier, more: ' · importing' })
    }
  const end = waiting.pop() ?? last
  await flush()
  for (let answer = await bring([end]); !answer.ended; answer = await bring([end]))
    if (!answer.unfinished)
      throw new UnreachableError('The service accepted the last line but did not complete the import.')
  progress.clear()
  return 'imported'
}
