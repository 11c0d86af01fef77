// Creates a receiving event and reads it back, with a client that a generator made of the document:
//   npx oazapfts@7.5.0 openapi.json lotkeeper-api.ts && npm install @oazapfts/runtime@1.2.0

import type { ReceivingEventsPayload } from './lotkeeper-api.ts'
import { createReceivingEvents, defaults, listReceivingEvents, readReceivingEvent } from './lotkeeper-api.ts'

const { LOTKEEPER_URL = 'http://127.0.0.1:3000', LOTKEEPER_KEY = '' } = process.env
defaults.baseUrl = LOTKEEPER_URL
defaults.headers = { Authorization: `Bearer ${LOTKEEPER_KEY}` }

const payload: ReceivingEventsPayload = {
  productMasterDataList: [{ itemCode: 'ROM-24', itemDescription: 'Romaine hearts 24 ct' }],
  locationMasterList: [
    { locationCode: 'GV-COOLER-1', locationName: 'Green Valley Cooler', gln: '0614141000012' },
    { locationCode: 'DC-07', locationName: 'Distribution Center 7', gln: '0614141000029' },
  ],
  eventList: {
    dataProviderVendorId: 'V-1001',
    dataProviderVendorName: 'Green Valley Farms',
    purchaseOrderNumber: 'PO-88121',
    eventDateTime: '2026-03-05T08:15:00-05:00',
    shipFromLocationCode: 'GV-COOLER-1',
    shipToLocationCode: 'DC-07',
    productList: [
      {
        vendorItemCode: 'ROM-24',
        shipQuantity: 40,
        shipQuantityUom: 'case',
        caseLotNumber: 'GV26063-A',
        tlcSourceReferenceGln: '0614141000012',
      },
    ],
  },
}

const created = await createReceivingEvents(payload, { idempotencyKey: 'receipt-4711' })
if (created.status === 201) {
  const [id = ''] = created.data.request_ids
  const read = await readReceivingEvent(id)
  if (read.status === 200) console.log(`Stored ${read.data.eventList.purchaseOrderNumber} as ${id}`)
} else if ('findings' in created.data) {
  for (const { pointer, message, remedy } of created.data.findings ?? [])
    console.log(`${pointer}: ${message} ${remedy}`)
}

const refused = await createReceivingEvents({ ...payload, locationMasterList: [] }, { dryRun: true })
if (refused.status === 422)
  for (const { pointer, message } of refused.data.findings ?? []) console.log(`${pointer}: ${message}`)

const found = await listReceivingEvents({ lotCode: ['GV26063-A'], limit: 10 })
if (found.status === 200) console.log(`${found.data.content.length} with this lot code`)
