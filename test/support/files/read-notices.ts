// Ship notices read from text.

import type { X12Finding } from 'lotkeeper-x12/finding'
import type { PieceOptions, ReleaseCharacterOf } from 'lotkeeper-x12/segments'
import { NoticeReader } from '../../../src/ship-notices/read-notices.ts'
import { readShipNotice, type ShipNotice } from '../../../src/ship-notices/ship-notice.ts'

export interface NoticesRead {
  readonly notices: readonly ShipNotice[]
  /** Of the envelopes, and of each notice. */
  readonly findings: readonly X12Finding[]
}

/** What is in the pieces of a file. */
export function readNotices(pieces: string | readonly string[], releaseOf?: ReleaseCharacterOf): NoticesRead {
  const reader = new NoticeReader(releaseOf)
  const notices: ShipNotice[] = []
  const findings: X12Finding[] = []
  const take = (piece: string, options?: PieceOptions) => {
    for (const read of reader.read(piece, options)) {
      if (read.set !== undefined) notices.push(readShipNotice(read.set))
      findings.push(...(read.findings ?? notices.at(-1)?.findings ?? []))
    }
  }
  for (const piece of typeof pieces === 'string' ? [pieces] : pieces) take(piece)
  take('', { isLast: true })
  return { notices, findings }
}
