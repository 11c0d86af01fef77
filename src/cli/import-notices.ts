// `lotkeeper import` of a file of ship notices: sent in parts, since the file may be larger than a
// request; findings name the segments of the file.
import type { Client } from '../client/client.ts'
import { ProblemError, UnreachableError } from '../client/failure.ts'
import { noticesPerCallMax } from '../operations/ship-notices.ts'
import { Progress } from '../terminal/progress.ts'
import { plain } from '../terminal/terminal.ts'
import type { TransactionSet } from '../x12/interchange.ts'
import { NoticeReader } from '../x12/read-notices.ts'
import type { Segment, Separators } from '../x12/segments.ts'
import type { X12Finding } from '../x12/x12-finding.ts'
import { importClient, type SentFile } from './import-client.ts'
import type { OpenFile } from './open-file.ts'

/** How the verdicts are told, in this order. */
const endWords = {
  accepted: 'would be imported',
  created: 'imported',
  replaced: 'replaced',
  cancelled: 'cancelled',
  duplicate: 'imported before',
  superseded: 'superseded by later ones',
  refused: 'refused',
} as const

/** Most characters of one request; a larger notice goes alone. */
const charactersAtOnce = 1024 * 1024

/** True for a file that begins with an ISA segment. */
export async function isInterchange(file: OpenFile): Promise<boolean> {
  for await (const bytes of file.bytes(0, Math.min(file.size, 100)))
    return /^\uFEFF?\s*ISA[^A-Za-z0-9\s]/.test(new TextDecoder().decode(bytes))
  return false
}

/** True when all notices are in. Results go to stdout, problems to stderr. */
export async function importNotices(given: SentFile): Promise<boolean> {
  const run = new NoticesRun(given)
  try {
    return await run.run()
  } catch (error) {
    if (!(error instanceof ProblemError || error instanceof UnreachableError)) throw error
    run.say(`${error.message} Run the same command again: notices that are in change nothing.`)
    return false
  }
}

class NoticesRun {
  readonly #given: SentFile
  readonly #progress = new Progress()
  readonly #client: Client
  readonly #counts = { created: 0, replaced: 0, cancelled: 0, duplicate: 0, superseded: 0, accepted: 0, refused: 0 }
  #waiting: { readonly set: TransactionSet; readonly text: string }[] = []
  #characters = 0
  #hasError = false

  constructor(given: SentFile) {
    this.#given = given
    this.#client = importClient(given, (text) => this.say(text))
  }

  say(text: string): void {
    this.#progress.clear()
    process.stderr.write(`${this.#given.path}: ${plain(text)}\n`)
  }

  async run(): Promise<boolean> {
    const { file, path, stopAsked } = this.#given
    const reader = new NoticeReader()
    const decoder = new TextDecoder('utf-8', { fatal: true })
    const take = async (piece: string, isLast: boolean) => {
      for (const { set, findings = [] } of reader.read(piece, isLast)) {
        for (const finding of findings) this.#report(finding)
        if (set === undefined) continue
        const text = setText(set)
        if (this.#characters + text.length > charactersAtOnce || this.#waiting.length >= noticesPerCallMax)
          await this.#flush()
        this.#waiting.push({ set, text })
        this.#characters += text.length
      }
    }
    try {
      for await (const bytes of file.bytes(0, file.size)) {
        if (stopAsked()) break
        await take(decoder.decode(bytes, { stream: true }), false)
      }
      await take(decoder.decode(), true)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      this.say('The file is not UTF-8. Convert it, or have the sender send plain ASCII.')
      return false
    }
    await this.#flush()
    this.#progress.clear()
    const { refused } = this.#counts
    const ends = Object.entries(endWords).flatMap(([verdict, words]) => {
      const count = this.#counts[verdict as keyof typeof endWords]
      return count > 0 ? `${count.toLocaleString('en')} ${words}` : []
    })
    process.stdout.write(`${path}: ship notices: ${ends.join(', ') || 'none'}.\n`)
    if (stopAsked()) this.say('stopped. Run the same command again to continue.')
    return refused === 0 && !this.#hasError && !stopAsked()
  }

  async #flush(): Promise<void> {
    const sent = this.#waiting
    this.#waiting = []
    this.#characters = 0
    if (sent.length === 0) return
    const { text, firstSegments } = interchangesOf(sent)
    const { dryRun, file } = this.#given
    const { body } = await this.#client.importShipNotices({ body: { interchange: text }, dryRun })
    for (const [i, notice] of body.notices.entries()) {
      this.#counts[notice.verdict]++
      const set = sent[i]?.set
      const name = `notice ${JSON.stringify(notice.number ?? '')}`
      if (notice.verdict === 'refused') this.say(`${name} was refused.`)
      // Warnings of each notice would be many. What became of earlier ones is told.
      const isRevision = notice.purpose !== 'original' || notice.verdict === 'superseded'
      for (const { severity, ...finding } of notice.findings)
        if (set !== undefined && (severity === 'error' || (isRevision && severity === 'warning')))
          this.#report({ ...finding, severity, segment: inFile(finding, set, firstSegments[i] ?? 1) })
    }
    const count = Object.values(this.#counts).reduce((sum, one) => sum + one, 0)
    this.#progress.show(file.read(), count, 'notices', 0, ' · importing')
  }

  #report({ severity, segment, segmentId, element, message, remedy }: X12Finding): void {
    if (severity === 'error') this.#hasError = true
    const place = `segment ${segment}, ${segmentId}${element === undefined ? '' : String(element).padStart(2, '0')}`
    this.say(`${severity} at ${place}: ${message} ${remedy}`)
  }
}

/** The number that a segment has in the file, of one that was sent in another interchange. */
function inFile(
  { segment, segmentId }: Pick<X12Finding, 'segment' | 'segmentId'>,
  set: TransactionSet,
  sentAt: number,
): number {
  if (segmentId === 'ISA') return set.interchange.header.number
  return segment - sentAt + (set.segments[0]?.number ?? 1)
}

const lineOf = ({ id, elements }: Segment, { element, segment }: Separators): string =>
  [id, ...elements].join(element) + segment

const setText = ({ segments, interchange: { separators } }: TransactionSet): string =>
  segments.map((segment) => lineOf(segment, separators)).join('')

/** The sets again in the envelopes in which they were, and the numbers that their ST then have. */
function interchangesOf(sets: readonly { readonly set: TransactionSet; readonly text: string }[]): {
  readonly text: string
  readonly firstSegments: readonly number[]
} {
  const parts: string[] = []
  const firstSegments: number[] = []
  let number = 0
  let open: { readonly set: TransactionSet; count: number } | undefined
  const end = () => {
    if (open === undefined) return
    const { interchange, group } = open.set
    const { element, segment } = interchange.separators
    parts.push(`GE${element}${open.count}${element}${group.controlNumber}${segment}`)
    parts.push(`IEA${element}1${element}${interchange.controlNumber}${segment}`)
    number += 2
    open = undefined
  }
  for (const { set, text } of sets) {
    const { interchange, group } = set
    if (open?.set.group !== group) {
      end()
      parts.push(lineOf(interchange.header, interchange.separators), lineOf(group.header, interchange.separators))
      number += 2
      open = { set, count: 0 }
    }
    firstSegments.push(number + 1)
    parts.push(text)
    number += set.segments.length
    if (open !== undefined) open.count++
  }
  end()
  return { text: parts.join(''), firstSegments }
}
