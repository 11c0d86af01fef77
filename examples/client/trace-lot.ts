// Shows where a lot came from and where it went.
import { lotkeeper } from 'lotkeeper-client'

const { LOTKEEPER_URL = 'http://127.0.0.1:3000', LOTKEEPER_KEY = '' } = process.env
const [lotCode = 'GV26063-A'] = process.argv.slice(2)
const client = lotkeeper({ url: LOTKEEPER_URL, key: LOTKEEPER_KEY })

const { body: trace } = await client.traceLot({ lotCode })
const nameOf = new Map(trace.places.map(({ id, name }) => [id, name]))
for (const { from, to, quantities, firstDateTime } of trace.links) {
  const amounts = quantities.map(({ quantity, unit }) => `${quantity} ${unit}`).join(', ')
  console.log(`${firstDateTime}  ${nameOf.get(from)} to ${nameOf.get(to)}: ${amounts}`)
}
for (const { message, remedy } of trace.notes) console.log(`Note: ${message} ${remedy}`)
