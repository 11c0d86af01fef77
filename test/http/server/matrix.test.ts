// Every operation, asked with every kind of key about what is one's own, another provider's, and
// nobody's. Source: decisions 0002, 0018.

import { randomBytes, randomUUID } from 'node:crypto'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { recordKinds } from '../../../src/contract/record-kinds.ts'
import { mayAs, type Role, roles } from '../../../src/contract/role.ts'
import { type Operation, outcomesOf } from '../../../src/operations/base/operation.ts'
import { catalogue, type OperationName } from '../../../src/operations/catalogue.ts'
import { revokeApiKey } from '../../../src/store/base/api-keys.ts'
import {
  addressOf,
  correctionOf,
  marked,
  packageLinkOf,
  partnerOf,
  planOf,
  type RequestSample,
  requestSamples,
  type Subject,
  webhookOf,
} from '../../samples/operation-requests.ts'
import { allowMs } from '../../support/patience.ts'
import { lookAt } from '../../support/records/alert-looks.ts'
import { paths } from '../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../support/servers/service.ts'

/** A provider with something of everything, and a key of each role. */
interface Tenant {
  readonly mark: string
  readonly keys: Readonly<Record<Role, string>>
  readonly newKey: TestProvider['key']
  /** Everything an answer could give away: its mark, ids of its records, of its keys. */
  readonly secrets: Set<string>
  readonly subjects: Readonly<Record<Subject, string>>
  /** Where the second page of each list begins. */
  readonly cursors: Map<OperationName, string>
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** All text in it, what is packed in a ZIP included. */
  readonly text: string
  readonly statements: readonly string[]
}

let service: Service
let ours: Tenant
let theirs: Tenant
let invalid: Readonly<Record<string, string | undefined>>
let statements: string[] = []
let cells = 0

beforeAll(async () => {
  service = await startService({ failedSignInsPerMinute: 0 }, (name) => statements.push(name))
  ours = await tenant()
  theirs = await tenant()
  const good = ours.keys.administrator
  const expired = await ours.newKey('administrator', new Date(Date.now() - 1_000))
  const revoked = await ours.newKey('administrator')
  await revokeApiKey(service.database.pool, idOf(revoked))
  invalid = {
    none: undefined,
    malformed: 'lk_nonsense',
    'of another secret': good.slice(0, -4) + (good.endsWith('AAAA') ? 'BBBB' : 'AAAA'),
    expired,
    revoked,
  }
})
afterAll(() => service?.close())

async function tenant(): Promise<Tenant> {
  const { id, key: newKey } = await service.provider()
  const mark = `MARK${randomBytes(8).toString('hex')}`
  const keys = {
    invited: await newKey('invited'),
    partner: await newKey('partner'),
    reader: await newKey('reader'),
    writer: await newKey('writer'),
    administrator: await newKey('administrator'),
  }
  const secrets = new Set([mark, ...Object.values(keys).map(idOf)])
  const one = { mark, keys, newKey, secrets, cursors: new Map() }
  const made: Partial<Record<Subject, string>> = { lot: `LOT-${mark}`, key: await newSubject(one, 'key') }
  made.listView = await newSubject(one, 'listView')
  made.webhook = await newSubject(one, 'webhook')
  for (let i = 0; i < 2; i++) made.packageLink = await newSubject(one, 'packageLink')
  for (let i = 0; i < 2; i++) await ask(keys.administrator, 'DELETE', `/partners/${await newSubject(one, 'partner')}`)
  for (let i = 0; i < 2; i++) made.partner = await newSubject(one, 'partner')
  for (let i = 0; i < 2; i++) made.legalHold = await newSubject(one, 'legalHold')
  for (const { name: kind } of recordKinds) {
    await newSubject(one, kind)
    made[kind] = await newSubject(one, kind)
    await ask(keys.writer, 'PUT', `${paths[kind]}/${made[kind]}`, marked[kind](mark))
  }
  // Two orders that were shipped once and received twice: differences.
  await newSubject(one, 'receivingEvent')
  const twice = await newSubject(one, 'receivingEvent')
  await ask(keys.writer, 'PUT', `${paths.receivingEvent}/${twice}`, marked.receivingEvent(mark))
  for (let i = 0; i < 2; i++) made.mockRecall = await newSubject(one, 'mockRecall')
  for (let i = 0; i < 2; i++) {
    const voided = await newSubject(one, 'receivingEvent')
    await ask(keys.writer, 'POST', `${paths.receivingEvent}/${voided}/void`, { reason: mark })
  }
  for (let i = 0; i < 2; i++) made.correction = await newSubject(one, 'correction')
  for (let i = 0; i < 2; i++) await ask(keys.writer, 'POST', paths.receivingEvent, { payloadId: mark, eventList: mark })
  const timeZones = [0, 1].map((i) => ({ locationCode: `${mark}-${i}`, timeZone: 'America/New_York' }))
  await ask(keys.administrator, 'PUT', '/location-time-zones', { timeZones })
  for (const text of [`${mark}-0`, mark]) await ask(keys.administrator, 'PUT', '/traceability-plan', planOf(text))
  const targets = [0, 1].map((i) => ({ dataProviderVendorId: `${mark}-${i}`, silentDays: 1 }))
  await ask(keys.administrator, 'PUT', '/vendor-targets', { targets })
  await lookAt(service.database.pool, id)
  const whole = { ...one, subjects: made as Record<Subject, string> }
  // They are kept after their answer.
  await vi.waitFor(
    async () => expect(JSON.parse((await ask(keys.reader, 'GET', '/refusals')).text).content).toHaveLength(2),
    { timeout: allowMs(10_000) },
  )
  for (const operation of catalogue) {
    const { pages, subject } = sampleOf(operation)
    if (pages === undefined) continue
    const about = subject === undefined ? '' : whole.subjects[subject]
    const first = await ask(keys.administrator, 'GET', addressOf(operation.path, about, { [pages[0]]: '1' }))
    const next = /[?&]nextPageToken=([^&>]+)/.exec(first.headers.link ?? '')?.[1] ?? JSON.parse(first.text).nextCursor
    expect(next, operation.name).toEqual(expect.any(String))
    whole.cursors.set(operation.name as OperationName, next)
  }
  return whole
}

const idOf = (key: string): string => key.split('_')[1] ?? ''
const sampleOf = ({ name }: Operation): RequestSample => requestSamples[name as OperationName]

/** Makes something new of a provider, and returns its id. */
async function newSubject({ keys, mark, secrets }: Pick<Tenant, 'keys' | 'mark' | 'secrets'>, subject: Subject) {
  if (subject === 'lot') return `LOT-${mark}`
  const { text } =
    subject === 'key'
      ? await ask(keys.administrator, 'POST', '/keys', { role: 'reader', label: mark })
      : subject === 'legalHold'
        ? await ask(keys.administrator, 'POST', '/legal-holds', { reason: mark, everything: true })
        : subject === 'webhook'
          ? await ask(keys.administrator, 'POST', '/webhooks', webhookOf(mark))
          : subject === 'packageLink'
            ? await ask(keys.administrator, 'POST', '/package-links?lotCode=LOT', packageLinkOf(mark))
            : subject === 'partner'
              ? await ask(keys.administrator, 'POST', '/partners', partnerOf(mark))
              : subject === 'listView'
                ? await ask(keys.reader, 'POST', '/list-views', {
                    list: 'location',
                    name: randomBytes(8).toString('hex'),
                    query: mark,
                    shared: true,
                  })
                : subject === 'correction'
                  ? await ask(keys.writer, 'POST', '/corrections', correctionOf(mark))
                  : subject === 'mockRecall'
                    ? await ask(keys.writer, 'POST', '/mock-recalls', { lotCode: `LOT-${mark}` })
                    : await ask(keys.writer, 'POST', paths[subject], marked[subject](mark))
  const body = JSON.parse(text)
  const id: string = body.keyId ?? body.id ?? body.request_ids[0]
  secrets.add(id)
  return id
}

async function ask(
  key: string | undefined,
  method: string,
  address: string,
  body?: unknown,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  statements = []
  const response = await fetch(service.url + address, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...more,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const headers = Object.fromEntries(response.headers)
  const text = textIn(new Uint8Array(await response.arrayBuffer()))
  // A mock recall goes on after its answer: its statements would be taken for those of the next.
  if (headers.location?.startsWith('/mock-recalls/')) await drillEnded(service.url + headers.location, key)
  return { status: response.status, headers, text, statements: statements.filter((name) => !ofKeys.includes(name)) }
}

const drillEnded = (address: string, key: string | undefined) =>
  vi.waitFor(
    async () => {
      const reply = await fetch(address, { headers: { authorization: `Bearer ${key}` } })
      expect(((await reply.json()) as { state: string }).state).not.toBe('running')
    },
    { timeout: allowMs(20_000) },
  )

/** Run for a key once in two seconds, or once a minute: whoever asked first. */
const ofKeys = ['keysById', 'touchKeys']

/** The text of a body; of a ZIP that of all its parts, workbooks in packages included. */
function textIn(bytes: Uint8Array): string {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return new TextDecoder().decode(bytes)
  return Object.values(unzipSync(bytes)).map(textIn).join('\n')
}

/** Asks an operation about something, or at a place of its list. */
async function askAbout(
  operation: Operation,
  { mark }: Tenant,
  key: string | undefined,
  about: string,
  cursor?: string,
) {
  cells++
  const { body, query, pages } = sampleOf(operation)
  const page = cursor === undefined || pages === undefined ? {} : { [pages[0]]: '1', [pages[1]]: cursor }
  const address = addressOf(operation.path, about, { ...query, ...page })
  return ask(key, operation.method, address, body?.(mark))
}

/** Something like what is another's, that nobody has. */
const nobodys = (subject: Subject): string =>
  subject === 'key'
    ? randomBytes(8).toString('hex')
    : subject === 'lot'
      ? `LOT-MARK${randomBytes(8).toString('hex')}`
      : randomUUID()

/** An answer without what differs by request: its id, its date, and what was asked about. */
const comparable = ({ status, headers, text }: Answer, about: string) => {
  const { 'request-id': _, date: __, ...rest } = headers
  return { status, headers: rest, text: text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…').replaceAll(about, '…') }
}

function expectEnd(operation: Operation, answer: Answer, name: string, cell: string): void {
  const status = outcomesOf(operation)[name]?.status
  expect(status, `${operation.name} declares ${name}`).toBeDefined()
  expect(answer.status, `${cell}: ${answer.text.slice(0, 300)}`).toBe(status)
  if (answer.status >= 400) expect(JSON.parse(answer.text).type, cell).toBe(`/docs/problems/${name}`)
}

const expectNothingOf = ({ secrets }: Tenant, { text, headers }: Answer, cell: string, asked?: string) => {
  const all = JSON.stringify(headers) + text
  expect(
    [...secrets].filter((secret) => secret !== asked && all.includes(secret)),
    cell,
  ).toEqual([])
}

describe.each(catalogue.map((operation) => [operation.name, operation] as const))('%s', (_name, operation) => {
  const sample = sampleOf(operation)
  const { subject } = sample
  const subjectOf = async (one: Tenant): Promise<string> =>
    subject === undefined ? '' : sample.spends ? newSubject(one, subject) : one.subjects[subject]
  const places = async (one: Tenant, other: Tenant): Promise<readonly (readonly [string, string])[]> =>
    subject === undefined
      ? [['all', '']]
      : [
          ['own', await subjectOf(one)],
          ["another's", other.subjects[subject]],
          ["nobody's", nobodys(subject)],
        ]

  test('without a valid key the answer is the same, whatever the key lacks and whatever is asked about', async () => {
    const answers = new Set<string>()
    for (const [kind, key] of Object.entries(invalid))
      for (const [place, about] of await places(ours, theirs)) {
        const answer = await askAbout(operation, ours, key, about)
        expectEnd(operation, answer, 'notAuthenticated', `${kind} key, ${place}`)
        expectNothingOf(ours, answer, kind)
        if (key !== undefined) answers.add(JSON.stringify(comparable(answer, about || ' ')))
      }
    expect([...answers]).toHaveLength(1)
  })

  test.each(roles)('a %s of either provider gets the declared answer, and nothing of the other', async (role) => {
    for (const [one, other] of [
      [ours, theirs],
      [theirs, ours],
    ] as const)
      for (const [place, about] of await places(one, other)) {
        const answer = await askAbout(operation, one, one.keys[role], about)
        const end = place === 'own' || place === 'all' ? sample.success : (sample.missing ?? '')
        expectEnd(operation, answer, mayAs(role, operation.role) ? end : 'notAllowed', `${role}, ${place}`)
        // What it was asked about may be said again, the mark in a lot code too.
        if (subject !== 'lot' || place === 'own') expectNothingOf(other, answer, `${role}, ${place}`, about)
        if (answer.status === 201 && subject === undefined)
          for (const id of JSON.parse(answer.text).request_ids ?? []) one.secrets.add(id)
      }
  })

  if (subject !== undefined)
    test("what is another's is answered like what is not there: status, headers, body, statements", async () => {
      for (const role of roles.filter((held) => mayAs(held, operation.role))) {
        const key = ours.keys[role]
        const [hidden, missing] = [theirs.subjects[subject], nobodys(subject)]
        const answerHidden = await askAbout(operation, ours, key, hidden)
        const answerMissing = await askAbout(operation, ours, key, missing)
        expect(comparable(answerHidden, hidden)).toEqual(comparable(answerMissing, missing))
        expect(answerHidden.statements).toEqual(answerMissing.statements)
        expect(answerHidden.statements.length).toBeGreaterThan(0)
      }
    })

  if (operation.method === 'GET')
    test('an answer with an ETag is not sent again to whoever has it, also to HEAD, and declares so', async () => {
      const about = await subjectOf(ours)
      const read = (address: string, more?: Readonly<Record<string, string>>) =>
        ask(ours.keys.administrator, 'GET', address, undefined, more)
      let tagged = 0
      for (const query of [{}, sample.query]) {
        const address = addressOf(operation.path, about, query)
        const { etag } = (await read(address)).headers
        if (etag === undefined) continue
        tagged++
        for (const form of [(tag: string) => tag, (tag: string) => `"999", ${tag}`, (tag: string) => `W/${tag}`]) {
          // What says how many seconds something is behind may be another text a moment later.
          let [tag, answer] = [etag, await read(address, { 'if-none-match': form(etag) })]
          while (answer.status === 200 && answer.headers.etag !== tag) {
            tag = answer.headers.etag ?? ''
            answer = await read(address, { 'if-none-match': form(tag) })
          }
          const { status, headers, text } = answer
          expect({ status, text, etag: headers.etag }, form(tag)).toEqual({ status: 304, text: '', etag: tag })
        }
        expect(await read(address, { 'if-none-match': '*' })).toMatchObject({ status: 304, text: '' })
        expect((await read(address, { 'if-none-match': '"999"' })).status).toBe(200)
        for (const [condition, status] of [
          [etag, 304],
          [`"999", W/${etag}`, 304],
          ['*', 304],
          ['"999"', 200],
        ] as const) {
          const head = await ask(ours.keys.administrator, 'HEAD', address, undefined, { 'if-none-match': condition })
          expect(head.text, condition).toBe('')
          // It may be another text a moment later, as above.
          if (head.headers.etag === etag || condition === '*') expect(head.status, condition).toBe(status)
        }
      }
      const statuses = Object.values(outcomesOf(operation)).map(({ status }) => status)
      expect([operation.headers.includes('If-None-Match'), statuses.includes(304)]).toEqual(
        tagged > 0 ? [true, true] : [false, false],
      )
    })

  if (sample.pages !== undefined)
    test("a cursor leads to one's own entries, be it another's", async () => {
      const name = operation.name as OperationName
      const about = await subjectOf(ours)
      const own = await askAbout(operation, ours, ours.keys.administrator, about, ours.cursors.get(name))
      expectEnd(operation, own, sample.success, 'own cursor')
      expect([...ours.secrets].some((secret) => own.text.includes(secret))).toBe(true)
      const strange = await askAbout(operation, ours, ours.keys.administrator, about, theirs.cursors.get(name))
      // That of a history is good for the record it came from alone.
      expectEnd(operation, strange, subject === undefined ? sample.success : 'badQuery', "another's cursor")
      expectNothingOf(theirs, strange, "another's cursor")
    })
})

test('the matrix is whole: every operation with every key about everything', () => {
  const keys = Object.keys(invalid).length + 2 * roles.length
  const least = catalogue.reduce((sum, operation) => {
    const { subject, missing, pages } = sampleOf(operation)
    const compared = missing ? 2 * roles.filter((role) => mayAs(role, operation.role)).length : 0
    return sum + keys * (subject === undefined ? 1 : 3) + compared + (pages ? 2 : 0)
  }, 0)
  expect(cells).toBe(least)
  expect(cells).toBeGreaterThan(0)
})
