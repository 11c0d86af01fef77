// Corrects the newest event of a lot, unless somebody else changed it in the meantime.
import { lotkeeper, ProblemError } from 'lotkeeper-client'

const { LOTKEEPER_URL = 'http://127.0.0.1:3000', LOTKEEPER_KEY = '' } = process.env
const [lotCode = 'GV26063-A'] = process.argv.slice(2)
const client = lotkeeper({ url: LOTKEEPER_URL, key: LOTKEEPER_KEY })

const { body: page } = await client.listReceivingEvents({ lotCode, limit: 1 })
const id = page.content[0]?.id
if (id === undefined) throw new Error(`No event has lot ${lotCode}.`)

for (;;) {
  const { body: event, version } = await client.readReceivingEvent({ id })
  for (const line of event.eventList.productList) if (line.caseLotNumber === lotCode) line.shipQuantity += 1
  try {
    const corrected = await client.replaceReceivingEvent({ id, body: event, ifMatch: version, representation: true })
    console.log(`Version ${corrected.version}: changed ${corrected.body.changes?.replaced.join(', ')}.`)
    break
  } catch (error) {
    // `stale`: the record has a newer version. Read it, and correct that one.
    if (!(error instanceof ProblemError) || error.outcome !== 'stale') throw error
  }
}
