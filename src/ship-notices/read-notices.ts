// Reads ship notices out of pieces of an X12 file, one transaction set at a time.
import { quoted, warningAt, type X12Finding } from 'lotkeeper-x12/finding'
import type { TransactionSet } from 'lotkeeper-x12/interchange'
import { type PieceOptions, placeOfSegment, type ReleaseCharacterOf } from 'lotkeeper-x12/segments'
import { type SetRead, TransactionSetReader } from 'lotkeeper-x12/transaction-sets'
import { type NewShipNoticeSender, senderKeyOf, settingsOf } from '../contract/ship-notice-sender.ts'

/** The release characters that the settings of senders name. */
export function releaseCharactersOf(senders: readonly { readonly sender: NewShipNoticeSender }[]): ReleaseCharacterOf {
  const all = new Map(senders.map(({ sender }) => [senderKeyOf(sender), sender]))
  return (sender) => settingsOf(all, sender)?.releaseCharacter
}

/** Gives the sets that are ship notices, and a finding for each other one. */
export class NoticeReader {
  readonly #sets: TransactionSetReader

  constructor(releaseOf?: ReleaseCharacterOf) {
    this.#sets = new TransactionSetReader(releaseOf)
  }

  *read(piece: string, options?: PieceOptions): Generator<SetRead> {
    for (const read of this.#sets.read(piece, options))
      yield read.set === undefined || read.set.id === '856' ? read : { findings: [notShipNotice(read.set)] }
  }
}

const notShipNotice = ({ id, segments: [st] }: TransactionSet): X12Finding =>
  warningAt(st === undefined ? { segment: 1, segmentId: 'ST' } : placeOfSegment(st, 1), {
    message: `The transaction set is ${quoted(id)}, not an 856. It was not read.`,
    remedy: 'Send ship notices here, and other documents elsewhere.',
    code: '7',
  })
