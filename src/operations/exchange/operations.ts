// The operations of exchange with other programs.
import { archiveOperations } from './archive.ts'
import { captureEpcis } from './capture.ts'
import { captureSenderOperations } from './capture-senders.ts'
import { draftReceivingEvent } from './receiving-draft.ts'
import { shipNoticeSenderOperations } from './ship-notice-senders.ts'
import { importShipNotices } from './ship-notices.ts'
import { writeShipNotice } from './written-ship-notice.ts'

export const exchangeOperations = {
  captureEpcis,
  ...captureSenderOperations,
  draftReceivingEvent,
  writeShipNotice,
  importShipNotices,
  ...shipNoticeSenderOperations,
  ...archiveOperations,
} as const
