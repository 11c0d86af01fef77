// Counts the records of each kind, and the versions that they have had.
import { lotkeeper } from 'lotkeeper-client'

const { LOTKEEPER_URL = 'http://127.0.0.1:3000', LOTKEEPER_KEY = '' } = process.env
const client = lotkeeper({ url: LOTKEEPER_URL, key: LOTKEEPER_KEY })

for (const kind of ['receivingEvent', 'masterProduct', 'location'] as const) {
  const records = client.of(kind)
  let [count, versions] = [0, 0]
  for await (const { id } of records.each()) {
    count++
    versions += (await records.listVersions({ id, limit: 200 })).body.content.length
  }
  console.log(`${kind}: ${count} records, ${versions} versions.`)
}
