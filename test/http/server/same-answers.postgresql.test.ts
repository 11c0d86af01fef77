// Every operation of the catalogue answers on a Citus cluster as on one server. Runs where
// `npm run test:distributed` runs.
import { randomUUID } from 'node:crypto'
import { strFromU8, unzipSync } from 'fflate'
import pg from 'pg'
import { expect, test } from 'vitest'
import { catalogue, type OperationName } from '../../../src/operations/catalogue.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { addressOf, type RequestSample, requestSamples } from '../../samples/operation-requests.ts'
import { isOnCluster, type TestDatabase } from '../../support/databases/database.ts'
import { startPostgresqlServer } from '../../support/databases/postgresql-server.ts'
import { newSubject, newSubjects } from '../../support/records/new-subjects.ts'
import type { Payload } from '../../support/records/payloads.ts'
import { calling, type Service, startService } from '../../support/servers/service.ts'

/** What no two runs have in common, in the order in which it is looked for. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '(id)'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, '(time)'],
  [/\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?/g, '(time)'],
  [/http:\/\/127\.0\.0\.1:\d+/g, '(service)'],
  [/lk_[\w-]+/g, '(key)'],
  [/[0-9a-f]{16,}/g, '(hash)'],
  // Positions of the feed, codes of package links, numbers of the sample records.
  [/\b(\d+-\d+)-[0-9a-f]{8}\b/g, '$1-(history)'],
  [/\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/g, '(link code)'],
  [/\b(ITEM|LOC)-\d+/g, '$1-(n)'],
  [/"(seconds(?:Behind)?)": ?[\d.]+/g, '"$1": (n)'],
  // Of interchanges: their times and control numbers.
  [/\*\d{6}(?:\d\d)?\*\d{4}\*/g, '*(date)*(time)*'],
  [/\*\d{8}\*\d{6}\*/g, '*(date)*(time)*'],
  [/\b\d{6,9}\b/g, '(number)'],
  // A spreadsheet names its time.
  [/"bytes": ?\d+/g, '"bytes": (n)'],
  // Cursors, signatures and other texts in base64.
  [/(?=[\w+/-]*\d)[\w+/-]{20,}={0,2}/g, '(code)'],
]

const normalize = (text: string): string =>
  varying.reduce((less, [pattern, instead]) => less.replaceAll(pattern, instead), text)

/** All text of an answer, what is packed in a ZIP included. */
function textIn(bytes: Uint8Array): string {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return strFromU8(bytes)
  return Object.entries(unzipSync(bytes))
    .map(([name, content]) => `${name}\n${textIn(content)}`)
    .join('\n')
}

/** The answer to a right request of each operation, about something of its own where it changes it. */
async function answersOf(service: Service, name: string): Promise<Readonly<Record<string, string>>> {
  const provider = await service.provider(name)
  const key = await provider.key('administrator')
  const call = calling(service.url, key)
  const mark = 'MARK00'
  const subjects = await newSubjects(call, mark)
  await expect
    .poll(async () => (await call('GET', '/mock-recalls')).body.content.map(({ state }: Payload) => state))
    .not.toContain('running')
  const answers: Record<string, string> = {}
  for (const operation of catalogue) {
    const sample: RequestSample = requestSamples[operation.name as OperationName]
    const { subject, spends = false, query, body } = sample
    const about =
      subject === undefined ? '' : spends ? await newSubject(call, subject, mark) : (subjects.get(subject) ?? '')
    const response = await fetch(service.url + addressOf(operation.path, about, query), {
      method: operation.method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body(mark)) }),
    })
    const text = textIn(new Uint8Array(await response.arrayBuffer()))
    // A refusal is stored behind its answer, and later answers tell of it.
    if (operation.name === 'importShipNotices')
      await expect.poll(async () => (await call('GET', '/ship-notice-senders')).body.notSetUp).toHaveLength(1)
    answers[operation.name] = `${response.status} ${response.headers.get('content-type')}\n${normalize(text)}`
  }
  return answers
}

/** Where two answers begin to differ, with some characters before. */
function firstDifference(name: string, one: string, other: string): string[] {
  if (one === other && one !== '') return []
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const from = Math.max(0, at - 60)
  return [`${name}: ${one.slice(from, at + 100)} | ${other.slice(from, at + 100)}`]
}

test.runIf(isOnCluster())('every operation answers on a cluster as on one server', async () => {
  const single = await startPostgresqlServer({ fsync: 'off' })
  const pool = new pg.Pool({ connectionString: single.url })
  await migrate(pool)
  const own: TestDatabase = { kind: 'postgresql', pool, url: single.url, close: () => pool.end() }
  const services = [await startService({}, undefined, own), await startService()]
  const name = randomUUID()
  const [onServer, onCluster] = await Promise.all(services.map((service) => answersOf(service, name)))
  for (const service of services) await service.close()
  await single.stop()
  const differing = catalogue.flatMap(({ name }) =>
    firstDifference(name, onServer?.[name] ?? '', onCluster?.[name] ?? ''),
  )
  expect(differing).toEqual([])
})
