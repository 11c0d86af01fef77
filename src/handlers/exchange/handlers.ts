// The handlers of exchange with other programs.
import type { exchangeOperations } from '../../operations/exchange/operations.ts'
import type { HandlersOf } from '../base/handler.ts'
import { captureEpcis } from './capture-epcis.ts'
import { exportArchive } from './export-archive.ts'
import { importArchive } from './import-archive.ts'
import { importShipNotices } from './import-ship-notices.ts'
import { draftReceivingEvent } from './receiving-draft.ts'
import { senderHandlers } from './senders.ts'
import { writeShipNotice } from './written-ship-notice.ts'

export const exchangeHandlers: HandlersOf<typeof exchangeOperations> = {
  captureEpcis,
  ...senderHandlers,
  draftReceivingEvent,
  writeShipNotice,
  importShipNotices,
  exportArchive,
  importArchive,
}
