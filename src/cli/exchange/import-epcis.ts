// `lotkeeper import` of an EPCIS document: the service captures it, and returns the result of each
// event (decision 0083).
import { readFileSync } from 'node:fs'
import { ProblemError, UnreachableError } from '../../client/failure.ts'
import type { CaptureDocument } from '../../client/generated/shapes.ts'
import { decodeText, encodingIn } from '../../contract/text/document-text.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import { importClient, type SentFile } from './import-client.ts'

interface EpcisImport extends Omit<SentFile, 'file' | 'dryRun' | 'stopAsked'> {
  readonly dryRun: 'here' | 'service' | undefined
}

/** Most kinds of remarks about captured events that are printed. */
const remarksMax = 20

/** True when no event was refused. Results go to stdout, problems to stderr. */
export async function importEpcis(given: EpcisImport): Promise<boolean> {
  const { path, dryRun } = given
  const say = (text: string) => process.stderr.write(`${path}: ${text}\n`)
  if (dryRun === 'here') {
    say('An EPCIS document is validated by the service, with what is stored there. Use --dry-run service and a key.')
    return false
  }
  try {
    const client = importClient(given, say)
    const bytes = readFileSync(path)
    const text = decodeText(bytes, encodingIn(bytes) ?? 'utf-8')
    if (text === undefined) {
      say('The file is not UTF-8. Save it as UTF-8, or name its encoding in its XML declaration.')
      return false
    }
    const body: CaptureDocument = /^\s*</.test(text) ? { xml: text } : JSON.parse(text)
    const result = (await client.captureEpcis({ body, dryRun: dryRun === 'service' })).body
    const remarks = new Map<string, { readonly first: string; count: number }>()
    for (const { findings, pointer, detail, verdict } of result.events) {
      for (const { pointer: at, message, remedy } of findings) say(`${at}: ${message} ${remedy}`)
      if (verdict === 'refused' && findings.length === 0) say(`${pointer}: ${detail}`)
      if (verdict !== 'captured' || detail === null) continue
      const remark = remarks.get(detail)
      if (remark === undefined) remarks.set(detail, { first: pointer, count: 1 })
      else remark.count++
    }
    for (const [detail, { first, count }] of [...remarks].slice(0, remarksMax))
      say(`${first}: ${detail}${count === 1 ? '' : ` The same holds for ${pluralize(count - 1, 'more event')}.`}`)
    if (remarks.size > remarksMax) say(`${remarks.size - remarksMax} more remarks about other events.`)
    const { eventCount, captured, duplicate, outOfScope, refused } = result
    process.stdout.write(
      `${path}: ${eventCount} ${eventCount === 1 ? 'event' : 'events'}: ${captured} ${dryRun === 'service' ? 'would be captured' : 'captured'}, ${duplicate} captured before, ${outOfScope} out of scope, ${refused} refused.\n`,
    )
    return refused === 0
  } catch (error) {
    if (error instanceof SyntaxError) say(`This is not valid JSON. ${error.message}`)
    else if (error instanceof ProblemError || error instanceof UnreachableError)
      say(`${error.message} Run the same command again: an event that was captured is recognised.`)
    else throw error
    return false
  }
}
