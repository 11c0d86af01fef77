// What a person gets who sends a key, an id or a part of a record in the wrong way: words that lead
// on.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventPayload, paths, productPayload } from '../../support/records/payloads.ts'
import { type Call, calling, type Service, startServiceWithWriter } from '../../support/servers/service.ts'

let service: Service
let call: Call
let key: string
beforeAll(async () => {
  ;({ service, call, key } = await startServiceWithWriter())
})
afterAll(() => service?.close())

const created = async (path: string, body: unknown): Promise<string> =>
  (await call('POST', path, { body })).body.request_ids[0]

describe('a key that is sent in another way', () => {
  const how = 'Send Authorization: Bearer lk_…, or X-Api-Key: lk_….'
  test.each([
    ['not at all', {}, `No key was sent. ${how}`],
    ['bare', { authorization: 'KEY' }, `Authorization holds a key without the word Bearer before it. ${how}`],
    ['as a token', { authorization: 'Token KEY' }, `Authorization: Token is not supported. ${how}`],
    ['as a password', { authorization: 'Basic bGs6eA==' }, `Authorization: Basic is not supported. ${how}`],
    [
      'as a bearer in two parts',
      { authorization: 'Bearer KEY x' },
      `Authorization: Bearer holds no valid key: it contains blanks or is too long. ${how}`,
    ],
    ['as anything else', { authorization: '???' }, `Authorization cannot be read. ${how}`],
  ])('%s: the answer says how, and does not quote it', async (_title, headers, detail) => {
    const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('KEY', key)]))
    const reply = await calling(service.url, undefined)('GET', paths.receivingEvent, { headers: sent })
    expect(reply.status).toBe(401)
    expect(reply.body.detail).toBe(detail)
    expect(reply.text).not.toContain(key)
  })
})

describe('an id that names no record of the kind', () => {
  test('left out: the address shows where it goes', async () => {
    for (const method of ['GET', 'PUT']) {
      const reply = await call(method, `${paths.receivingEvent}/`, method === 'PUT' ? { body: eventPayload() } : {})
      expect(reply.status).toBe(404)
      expect(reply.body.detail).toContain(
        `The address names no receiving event. Its id goes at the end, as in ${paths.receivingEvent}/{id}.`,
      )
    }
  })

  test('no UUID: what an id looks like', async () => {
    const reply = await call('GET', `${paths.receivingEvent}/PO-88120`)
    expect(reply.body.detail).toMatch(
      /^There is no receiving event with id "po-88120"\. An id is a UUID, e\.g\. [0-9a-f-]{36}\.$/,
    )
  })

  test('of another kind: which kind and where it is; another provider sees nothing of it', async () => {
    const product = await created(paths.masterProduct, productPayload())
    const detail = `There is no receiving event with id ${product}.`
    const hint = ` It is the id of a master product: ${paths.masterProduct}/${product}.`
    const address = `${paths.receivingEvent}/${product}`
    expect((await call('GET', address)).body.detail).toBe(detail + hint)
    expect((await call('GET', `${address}/findings`)).body.detail).toBe(detail + hint)
    expect((await call('PUT', address, { body: eventPayload() })).body.detail).toBe(
      `${detail}${hint} A replacement never creates a record.`,
    )
    const other = await service.provider()
    expect((await other.call('GET', address)).body.detail).toBe(detail)
  })

  test('longer than an address takes: that it is too long, and not that its encoding is wrong', async () => {
    const reply = await call('GET', `${paths.receivingEvent}/${'x'.repeat(2_001)}`)
    expect(reply.status).toBe(400)
    expect(reply.body.detail).toBe(
      'A segment of the address has more than 2000 characters. An id has 36, a lot code at most 100.',
    )
  })
})

test('a replacement with few fields is told once that it replaces the whole record', async () => {
  const id = await created(paths.receivingEvent, eventPayload())
  const reply = await call('PUT', `${paths.receivingEvent}/${id}`, { body: { eventList: { asnNumber: 'ASN-1' } } })
  expect(reply.status).toBe(422)
  const words = 'A replacement replaces the whole receiving event.'
  expect(reply.body.detail.split(words)).toHaveLength(2)
  expect(JSON.stringify(reply.body.findings)).not.toContain(words)
  const creation = await call('POST', paths.receivingEvent, { body: { eventList: { asnNumber: 'ASN-1' } } })
  expect(creation.body.detail).not.toContain(words)
})

test('each finding leads to a page, in a refusal, in an answer and in the list of refusals', async () => {
  const refused = await call('POST', paths.receivingEvent, { body: { lotNumber: 1 } })
  // Refusals are recorded after the answer.
  const latest = async () => (await call('GET', '/refusals?limit=1')).body.content
  await expect.poll(latest).toHaveLength(1)
  const [listed] = await latest()
  const findings = [...refused.body.findings, ...listed.findings]
  expect(findings.length).toBeGreaterThan(2)
  for (const { rule, docsUrl } of findings) {
    const page = await calling(service.url, undefined)('GET', docsUrl)
    expect(page.status).toBe(200)
    expect(page.text).toContain(`<h1>${rule}</h1>`)
  }
})
