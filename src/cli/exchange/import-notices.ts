// `lotkeeper import` of a file of ship notices: sent in parts, since the file may be larger than a
// request; findings name the segments of the file.
import type { X12Finding } from 'lotkeeper-x12/finding'
import type { PieceOptions } from 'lotkeeper-x12/segments'
import type { Client } from '../../client/client.ts'
import { ProblemError, UnreachableError } from '../../client/failure.ts'
import { encodingName, withWindowsSigns } from '../../contract/text/document-text.ts'
import { documentEncoding } from '../../intake/file-form.ts'
import { noticesPerCallMax } from '../../operations/exchange/ship-notices.ts'
import { encodingFinding } from '../../ship-notices/file-encoding.ts'
import { type NoticePart, NoticeParts } from '../../ship-notices/notice-parts.ts'
import { releaseCharactersOf } from '../../ship-notices/read-notices.ts'
import { Progress } from '../../terminal/progress.ts'
import { plain } from '../../terminal/terminal.ts'
import { importClient, type SentFile } from './import-client.ts'

/** Most kinds of warnings that are printed. */
const warningKindsMax = 50

/** The words of the verdicts, in this order. */
const endWords = {
  accepted: 'would be imported',
  created: 'imported',
  replaced: 'replaced',
  cancelled: 'cancelled',
  duplicate: 'imported before',
  superseded: 'superseded by later ones',
  refused: 'refused',
} as const

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
  readonly #warnings = new Map<string, { readonly warning: X12Finding; count: number }>()
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
    const { content } = (await this.#client.listShipNoticeSenders()).body
    const parts = new NoticeParts(noticesPerCallMax, releaseCharactersOf(content))
    const { encoding, isAssumed } = await documentEncoding(file)
    const decoder = new TextDecoder(encoding)
    let isEncodingSaid = !isAssumed
    const take = async (read: string, options?: PieceOptions) => {
      const piece = isAssumed ? withWindowsSigns(read) : read
      const finding = isEncodingSaid ? undefined : encodingFinding(piece, encodingName(encoding))
      if (finding !== undefined) {
        isEncodingSaid = true
        this.#report(finding)
      }
      for (const { part, findings = [] } of parts.read(piece, options)) {
        for (const finding of findings) this.#report(finding)
        if (part !== undefined) await this.#send(part)
      }
    }
    for await (const bytes of file.bytes(0, file.size)) {
      if (stopAsked()) break
      await take(decoder.decode(bytes, { stream: true }))
    }
    await take(decoder.decode(), { isLast: true })
    this.#progress.clear()
    this.#reportLeft()
    const { refused } = this.#counts
    const ends = Object.entries(endWords).flatMap(([verdict, words]) => {
      const count = this.#counts[verdict as keyof typeof endWords]
      return count > 0 ? `${count.toLocaleString('en')} ${words}` : []
    })
    process.stdout.write(`${path}: ship notices: ${ends.join(', ') || 'none'}.\n`)
    if (stopAsked()) this.say('stopped. Run the same command again to continue.')
    return refused === 0 && !this.#hasError && !stopAsked()
  }

  async #send({ text, notices }: NoticePart): Promise<void> {
    const { dryRun, file } = this.#given
    const { body } = await this.#client.importShipNotices({ body: { interchange: text }, dryRun })
    for (const [i, notice] of body.notices.entries()) {
      this.#counts[notice.verdict]++
      if (notice.verdict === 'refused') this.say(`notice ${JSON.stringify(notice.number ?? '')} was refused.`)
      // Warnings of rules about each event would be many. Those about the notice are printed, of
      // each kind the first.
      for (const { severity, ...finding } of notice.findings) {
        if (severity === 'gap' || (severity === 'warning' && finding.rule !== undefined)) continue
        const told = { ...finding, severity, segment: notices[i]?.inFile(finding) ?? finding.segment }
        if (severity === 'error') this.#report(told)
        else this.#note(told)
      }
    }
    const count = Object.values(this.#counts).reduce((sum, one) => sum + one, 0)
    this.#progress.show(file.read(), { done: count, unit: 'notices', more: ' · importing' })
  }

  /** Warnings of one kind are alike but for values. */
  #note(warning: X12Finding): void {
    const kind = `${warning.segmentId} ${warning.element} ${warning.message.replace(/"[^"]*"|\d+/g, '')}`
    const noted = this.#warnings.get(kind)
    if (noted !== undefined) noted.count++
    else if (this.#warnings.size < warningKindsMax) this.#warnings.set(kind, { warning, count: 1 })
  }

  #reportLeft(): void {
    for (const { warning, count } of this.#warnings.values()) {
      const others = count === 1 ? '' : ` ${count.toLocaleString('en')} notices have such a warning; this is the first.`
      this.#report({ ...warning, message: `${warning.message}${others}` })
    }
  }

  #report({ severity, segment, segmentId, element, message, remedy }: X12Finding): void {
    if (severity === 'error') this.#hasError = true
    const place = `segment ${segment}, ${segmentId}${element === undefined ? '' : String(element).padStart(2, '0')}`
    this.say(`${severity} at ${place}: ${message} ${remedy}`)
  }
}
