// The purpose of a ship notice (BSN01): shipped goods, a replacement of an earlier notice, or its
// cancellation. Source: X12 element 353; decision 0082.

import { errorAt, quoted, type X12Finding } from 'lotkeeper-x12/finding'
import type { NoticePurpose, ShipNoticeSender } from '../contract/ship-notice-sender.ts'
import { codeTable } from '../contract/text/code-table.ts'
import type { ShipNotice } from './ship-notice.ts'

/**
 * Codes that mean the same to all senders. Confirmations (06), advance notifications (14) and
 * copies (07, 15, 18) are whole notices of goods that left.
 */
const usualPurposes = codeTable<NoticePurpose>({
  '00': 'original',
  '06': 'original',
  '07': 'original',
  '14': 'original',
  '15': 'original',
  '18': 'original',
  '05': 'replacement',
  '01': 'cancellation',
  '17': 'cancellation',
})

/** Others that are in use, by their names in X12. */
const otherPurposes = codeTable<string>({
  '02': 'add',
  '03': 'delete',
  '04': 'change',
  '13': 'request',
  '16': 'proposed',
  '19': 'seller-initiated change',
  '21': 'transaction on hold',
  '22': 'information copy',
  '24': 'draft',
  '25': 'incremental',
})

/** Those that may have only a part of the notice. */
const partialPurposes = new Set(['02', '03', '04', '19', '25'])

/** The purpose of the notice, or why it cannot be carried out. Without BSN01 it is an original. */
export function purposeOf(
  { purpose }: ShipNotice,
  { purposes }: ShipNoticeSender,
): { readonly is: NoticePurpose } | { readonly finding: X12Finding } {
  if (purpose === undefined) return { is: 'original' }
  const { text } = purpose
  const is = purposes?.find(({ code }) => code === text)?.purpose ?? usualPurposes[text]
  if (is !== undefined) return { is }
  const name = otherPurposes[text]
  const isPart = partialPurposes.has(text)
  return {
    finding: errorAt(purpose, {
      message: `BSN01 is ${quoted(text)}${name === undefined ? '' : ` (${name})`}. ${isPart ? 'Such a notice may have only a part of the shipment' : 'Such a notice is not known to say what was shipped'}.`,
      remedy: `Have the sender send a whole notice: an original (00), a replacement (05) or a cancellation (01). ${isPart ? 'If the notice is whole' : 'If it is one of these'}, enter what the code means in the settings of the sender (purposes).`,
      code: '7',
    }),
  }
}

/**
 * When the notice was written (BSN03, BSN04), as 14 digits that can be compared; undefined where it
 * does not say so.
 */
export function writtenAtOf({ date, time }: ShipNotice): string | undefined {
  const day = /^\d{6}$/.test(date?.text ?? '') ? `20${date?.text}` : (date?.text ?? '')
  if (!/^\d{8}$/.test(day)) return undefined
  const clock = /^\d{4}(?:\d\d){0,2}$/.test(time?.text ?? '') ? (time?.text ?? '') : ''
  return `${day}${clock.slice(0, 6).padEnd(6, '0')}`
}
