// Documents of trading partners: ship notices are sent in parts, an EPCIS document at once.

import { textOf } from 'lotkeeper-sheets/import-file'
import { UnreadableFile } from 'lotkeeper-sheets/unreadable-file'
import type { Client } from '../../client/client.ts'
import type { CaptureDocument, NoticeFinding, NoticeResult } from '../../client/generated/shapes.ts'
import { encodingName, withWindowsSigns } from '../../contract/text/document-text.ts'
import { documentEncoding } from '../../intake/file-form.ts'
import { noticesPerCallMax } from '../../operations/exchange/ship-notices.ts'
import { encodingFinding } from '../../ship-notices/file-encoding.ts'
import { NoticeParts } from '../../ship-notices/notice-parts.ts'
import { releaseCharactersOf } from '../../ship-notices/read-notices.ts'
import { openedFile } from './file-import.ts'

/** The text of a file that is sent at once. */
export const wholeText = async (file: File): Promise<string> => {
  let text = ''
  const { encoding } = await documentEncoding(openedFile(file))
  for await (const piece of textOf(openedFile(file), encoding)) text += piece
  return text.replace(/^\uFEFF/, '')
}

/** The body for a text in JSON-LD or XML. */
export function captureBody(text: string): CaptureDocument {
  if (/^\s*</.test(text)) return { xml: text }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UnreadableFile(`This is neither JSON nor XML. ${(error as Error).message}`)
  }
}

type Verdict = NoticeResult['verdict']

export interface NoticesReport {
  /** Notices by verdict, in the order in which they came. */
  readonly counts: ReadonlyMap<Verdict, number>
  /** The first ones, refused ones before others. */
  readonly notices: readonly NoticeResult[]
  /** About the file around its notices. */
  readonly findings: readonly NoticeFinding[]
  /** False when it was stopped before the end of the file. */
  readonly isWhole: boolean
}

/** Most refused notices that are shown, and most others. */
const keptMax = 100

interface Sending {
  readonly client: Client
  readonly dryRun: boolean
  readonly signal: AbortSignal
  /** Share of the file that was sent, and how many notices that were. */
  readonly onProgress: (part: number, notices: number) => void
}

/** Sends a file of ship notices; findings have the segments of the file. */
export async function sendNotices(file: File, { client, dryRun, signal, onProgress }: Sending): Promise<NoticesReport> {
  const counts = new Map<Verdict, number>()
  let count = 0
  const kept: Record<'refused' | 'others', NoticeResult[]> = { refused: [], others: [] }
  const around: NoticeFinding[] = []
  const senders = (await client.listShipNoticeSenders({ signal })).body.content
  const parts = new NoticeParts(noticesPerCallMax, releaseCharactersOf(senders))
  let read = 0
  const take = async (piece: string, options?: Parameters<NoticeParts['read']>[1]) => {
    read += piece.length
    for (const { part, findings = [] } of parts.read(piece, options)) {
      around.push(...findings.map(({ code: _, ...finding }) => finding).slice(0, keptMax - around.length))
      if (part === undefined || signal.aborted) continue
      const { body } = await client.importShipNotices({ body: { interchange: part.text }, dryRun })
      for (const [i, notice] of body.notices.entries()) {
        counts.set(notice.verdict, (counts.get(notice.verdict) ?? 0) + 1)
        count++
        const ones = notice.verdict === 'refused' ? kept.refused : kept.others
        const inFile = part.notices[i]?.inFile
        if (ones.length < keptMax && inFile !== undefined) ones.push(withPlaceInFile(notice, inFile))
      }
      onProgress(Math.min(1, read / file.size), count)
    }
  }
  const { encoding, isAssumed } = await documentEncoding(openedFile(file))
  let isEncodingSaid = !isAssumed
  for await (const read of textOf(openedFile(file), encoding)) {
    if (signal.aborted) break
    const piece = isAssumed ? withWindowsSigns(read) : read
    const finding = isEncodingSaid ? undefined : encodingFinding(piece, encodingName(encoding))
    if (finding !== undefined) around.push(finding)
    isEncodingSaid ||= finding !== undefined
    await take(piece)
  }
  if (!signal.aborted) await take('', { isLast: true })
  return { counts, notices: [...kept.refused, ...kept.others], findings: around, isWhole: !signal.aborted }
}

const withPlaceInFile = (
  { segment, findings, ...notice }: NoticeResult,
  inFile: (place: { readonly segment: number; readonly segmentId: string }) => number,
): NoticeResult => ({
  ...notice,
  segment: inFile({ segment, segmentId: 'ST' }),
  findings: findings.map((finding) => ({ ...finding, segment: inFile(finding) })),
})
