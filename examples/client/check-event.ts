// Checks a payload from a file before it is sent: first by the rules in this program, then by the
// service (dry run).
import { readFileSync } from 'node:fs'
import { InvalidPayloadError, lotkeeper, ProblemError, type ReceivingEventsPayload } from 'lotkeeper-client'
import { localRules } from 'lotkeeper-client/rules'

const { LOTKEEPER_URL = 'http://127.0.0.1:3000', LOTKEEPER_KEY = '' } = process.env
const [file = new URL('../receiving-event.json', import.meta.url)] = process.argv.slice(2)
const service = { url: LOTKEEPER_URL, key: LOTKEEPER_KEY }

const { body: settings } = await lotkeeper(service).readSettings()
const client = lotkeeper({ ...service, judgeFirst: localRules(settings) })
const payload: ReceivingEventsPayload = JSON.parse(readFileSync(file, 'utf8'))

try {
  const { body } = await client.createReceivingEvents({ body: payload, dryRun: true })
  console.log(`It would be ${body.wouldBe}, with ${body.findingCount} findings.`)
} catch (error) {
  if (!(error instanceof InvalidPayloadError || error instanceof ProblemError)) throw error
  const where = error instanceof InvalidPayloadError ? 'Refused before it was sent' : 'Refused by the service'
  console.log(`${where}:`)
  for (const { pointer, message } of error.findings) console.log(`${pointer}: ${message}`)
}
