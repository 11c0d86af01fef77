// Lists every event that lacks a key data element, with what it lacks.
import { lotkeeper } from 'lotkeeper-client'

const { LOTKEEPER_URL = 'http://127.0.0.1:3000', LOTKEEPER_KEY = '' } = process.env
const client = lotkeeper({ url: LOTKEEPER_URL, key: LOTKEEPER_KEY })

let count = 0
for await (const { id, eventDate, purchaseOrderNumber, gaps } of client.each('listGaps')) {
  count++
  console.log(`${eventDate} ${purchaseOrderNumber} ${id}: ${gaps.map(({ kde }) => kde).join(', ')}`)
}
console.log(`${count} events have gaps.`)
