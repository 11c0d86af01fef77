// Tells what happened to receiving events, and goes on where it was when it is started again.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { lotkeeper } from 'lotkeeper-client'

const { LOTKEEPER_URL = 'http://127.0.0.1:3000', LOTKEEPER_KEY = '' } = process.env
const [seconds = '0'] = process.argv.slice(2)
const client = lotkeeper({ url: LOTKEEPER_URL, key: LOTKEEPER_KEY })

const file = 'position.txt'
const wait = Number(seconds)
let after = existsSync(file) ? readFileSync(file, 'utf8') : undefined

for (;;) {
  // With 30 seconds it follows for as long as it runs; with 0 it ends when it has everything.
  const { body } = await client.listChanges({ after, wait, kind: 'receivingEvent' })
  for (const { type, id, version } of body.content) console.log(`${type} ${id} ${version}`)
  // Only after the work is done: a program that is stopped before it gets these changes again.
  after = body.nextPosition
  writeFileSync(file, after)
  if (body.content.length === 0 && wait === 0) break
}
