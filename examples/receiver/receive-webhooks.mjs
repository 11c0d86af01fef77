// Receives webhooks: verifies each message, stores it once, answers, and works on it afterwards.
import { createPublicKey, verify } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'

const { WEBHOOK_KEYS = '', PORT = '4000', INBOX = 'inbox.ndjson' } = process.env

// The keys of the endpoint, separated by blanks: two of them while you rotate.
const ed25519 = Buffer.from('302a300506032b6570032100', 'hex')
const keys = WEBHOOK_KEYS.split(' ').map((key) =>
  createPublicKey({
    key: Buffer.concat([ed25519, Buffer.from(key.replace('whpk_', ''), 'base64')]),
    format: 'der',
    type: 'spki',
  }),
)

/** True for a message that the service signed in the last five minutes. */
function isAuthentic(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])
  return signatures
    .split(' ')
    .filter((signature) => signature.startsWith('v1a,'))
    .map((signature) => Buffer.from(signature.slice('v1a,'.length), 'base64'))
    .some((signature) => keys.some((key) => verify(null, signed, key, signature)))
}

// The inbox: a line for each message. In your system it is a table with the id as its primary key.
const text = existsSync(INBOX) ? readFileSync(INBOX, 'utf8') : ''
const whole = text.slice(0, text.lastIndexOf('\n') + 1)
// What was cut off in the middle was not answered, and comes again.
if (whole !== text) truncateSync(INBOX, Buffer.byteLength(whole))
const known = new Set(whole.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).id])))
const inbox = openSync(INBOX, 'a')

/** Stores a message, unless it is stored already. */
function store(id, message) {
  if (known.has(id)) return false
  writeSync(inbox, `${JSON.stringify({ id, message })}\n`)
  // On disk before the answer: what is answered with 2xx does not come again.
  fsyncSync(inbox)
  known.add(id)
  return true
}

/** Everything that takes long is done here, after the answer. */
function work(message) {
  const { type, data } = message
  if (type !== 'changes') console.log(type, data.id ?? '', data.version ?? '')
  else for (const change of data.changes) console.log(change.type, change.id, change.version)
}

const server = createServer(async (request, response) => {
  try {
    const parts = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts)
    if (!isAuthentic(request.headers, body)) return response.writeHead(401).end()
    const message = JSON.parse(body.toString())
    const isNew = store(request.headers['webhook-id'], message)
    response.writeHead(204).end()
    if (isNew) setImmediate(work, message)
  } catch (error) {
    // Not stored: the service sends it again.
    console.error(error)
    if (!response.headersSent) response.writeHead(500).end()
  }
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`Receiving at http://127.0.0.1:${server.address().port}/`))

process.once('SIGTERM', () => server.close(() => closeSync(inbox)))
