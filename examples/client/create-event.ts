// Creates a receiving event, and shows what the rules found in it.
import { lotkeeper, ProblemError, type ReceivingEventsPayload } from 'lotkeeper-client'

const { LOTKEEPER_URL = 'http://127.0.0.1:3000', LOTKEEPER_KEY = '' } = process.env
const client = lotkeeper({ url: LOTKEEPER_URL, key: LOTKEEPER_KEY })

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

try {
  // With `representation` the answer also holds warnings and gaps.
  const { body } = await client.createReceivingEvents({ body: payload, representation: true })
  console.log(`Created ${body.request_ids.join(', ')} with ${body.findingCount} findings.`)
  for (const { severity, pointer, message } of body.findings ?? []) console.log(`${severity} ${pointer}: ${message}`)
} catch (error) {
  if (!(error instanceof ProblemError)) throw error
  // `taken`: this event exists already. `refused`: the findings say why.
  console.log(`${error.outcome}: ${error.message}`)
  for (const { pointer, message, remedy } of error.findings) console.log(`${pointer}: ${message} ${remedy}`)
}
