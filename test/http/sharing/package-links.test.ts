// Packages by link: an address and a code open one package, nothing else does, and nobody learns
// more. Source: decision 0079.
import { randomUUID } from 'node:crypto'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { packageOpener } from '../../../src/handlers/sharing/package-links.ts'
import { wrongCodesMax } from '../../../src/store/sharing/package-links.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { handlerContextOn } from '../../support/servers/handler-context.ts'
import { type Call, calling, type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
let provider: TestProvider
let administrator: Call
beforeAll(async () => {
  service = await startService({ failedSignInsPerMinute: 0 })
  provider = await service.provider()
  administrator = calling(service.url, await provider.key('administrator'))
  await provider.call('POST', paths.receivingEvent, { body: eventPayload() })
})
afterAll(() => service?.close())

const lotCode = 'GV26062-A'

const create = async (query = `lotCode=${lotCode}`, body: Payload = { label: 'FDA, request 7' }) =>
  (await administrator('POST', `/package-links?${query}`, { body })).body

const send = (path: string, code: string, url = service.url): Promise<Response> =>
  fetch(url + path, { method: 'POST', body: new URLSearchParams({ code }) })

const open = async (path: string, code: string) => {
  const response = await send(path, code)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const isZip = response.headers.get('content-type') === 'application/zip'
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    text: isZip ? '' : new TextDecoder().decode(bytes),
  }
}

const stateOf = async (id: string) =>
  (await administrator('GET', '/package-links')).body.content.find((link: Payload) => link.id === id)

/** A code that is not the one. */
const wrong = (code: string): string => (code.startsWith('2') ? '3' : '2') + code.slice(1)

const changed = (text: string, at: number): string =>
  text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)

describe('a link', () => {
  test('has a page that names who shares, and no other address names anybody', async () => {
    await administrator('PUT', '/display-name', { body: { name: 'Green <Valley> Foods' } })
    const { path, id } = await create()
    const textAt = async (at: string) => (await fetch(service.url + at)).text()
    expect(await textAt(path)).toContain('<bdi>Green &lt;Valley&gt; Foods</bdi> has prepared records for you.')
    const token = Buffer.from(path.slice(path.lastIndexOf('/') + 1), 'base64url')
    token[20] = (token[20] ?? 0) ^ 1
    const other = `${path.slice(0, path.lastIndexOf('/'))}/${token.toString('base64url')}`
    for (const nobody of [other, `${path}x`, '/packages/x'])
      expect(await textAt(nobody)).toContain('<bdi>Somebody</bdi> has prepared')
    await administrator('DELETE', `/package-links/${id}`)
    await administrator('PUT', '/display-name', { body: {} })
  })

  test('hands out the package of its parameters without a key, and each fetch is counted and in the access log', async () => {
    const { id, path, code, ...link } = await create(`lotCode=${lotCode}&gaps=true&contact=Ana`)
    expect(link).toMatchObject({ state: 'open', events: 1, fetches: 0, asked: { lotCode: [lotCode], gaps: 'true' } })
    const page = await fetch(service.url + path)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    // As people write it down.
    const { status, headers, bytes } = await open(path, ` ${code.toLowerCase().replace('-', ' ')} `)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="fda-package.*\.zip"$/)
    const files = unzipSync(bytes)
    expect(Object.keys(files)).toContain('manifest.json')
    expect(new TextDecoder().decode(files['explanation.html'])).toContain('Ana')
    expect((await open(path, code)).status).toBe(200)
    expect(await stateOf(id)).toMatchObject({ fetches: 2, wrongCodes: 0, lastFetchedDateTime: expect.any(String) })
    const [{ beganDateTime }] = (await administrator('GET', '/access-log?operation=fetchPackage&limit=1')).body.content
    const last = (await administrator('GET', '/traceability/fda-package/last')).body.made
    expect(last).toMatchObject({ beganDateTime, records: 1 })
    const log = `/access-log?who=${encodeURIComponent(`package link ${id}`)}`
    await expect
      .poll(async () => (await administrator('GET', log)).body.content.map(({ ending }: Payload) => ending))
      .toEqual(['done', 'done'])
    expect((await administrator('GET', log)).body.content[1]).toMatchObject({
      operation: 'fetchPackage',
      asked: { lotCode, gaps: 'true', contact: 'Ana' },
      records: 1,
      bytes: bytes.length,
      requestId: headers.get('request-id'),
    })
  })

  test('is made from the records as they are when it is fetched', async () => {
    const own = await service.provider()
    const call = calling(service.url, await own.key('administrator'))
    const made = await call('POST', `/package-links?lotCode=${lotCode}`, { body: { label: 'an auditor' } })
    expect(made.body.events).toBe(0)
    const [id] = (await own.call('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids
    expect((await open(made.body.path, made.body.code)).headers.get('record-count')).toBe('1')
    await own.call('POST', `${paths.receivingEvent}/${id}/void`, { body: { reason: 'Entered twice' } })
    expect((await open(made.body.path, made.body.code)).headers.get('record-count')).toBe('0')
  })

  test('says the same about a wrong code, a wrong address and a link that is over, and opens nothing', async () => {
    const links = { open: await create(), withdrawn: await create(), expired: await create() }
    await administrator('DELETE', `/package-links/${links.withdrawn.id}`)
    await expire(links.expired.id)
    const { path, code } = links.open
    const token = path.split('/').at(-1)
    const tries: Record<string, readonly [string, string]> = {
      'no code': [path, ''],
      'a wrong code': [path, wrong(code)],
      'the code of another link': [path, links.withdrawn.code],
      'another provider': [path.replace(token, changed(token, 3)), code],
      'another id': [path.replace(token, changed(token, 30)), code],
      'another secret': [path.replace(token, changed(token, 50)), code],
      'a short address': [path.slice(0, -1), code],
      'a long address': [`${path}A`, code],
      nonsense: ['/packages/%00..%2F', code],
      'a withdrawn link': [links.withdrawn.path, wrong(links.withdrawn.code)],
      'an expired link': [links.expired.path, wrong(links.expired.code)],
    }
    const answers = await Promise.all(
      Object.values(tries).map(async ([at, entered]) => {
        const { status, text, headers } = await open(at, entered)
        const { date: _, 'request-id': __, ...rest } = Object.fromEntries(headers)
        return JSON.stringify({ status, text, rest })
      }),
    )
    expect([...new Set(answers)]).toHaveLength(1)
    expect(JSON.parse(answers[0] ?? '')).toMatchObject({ status: 403 })
    const pages = await Promise.all(Object.values(tries).map(async ([at]) => (await fetch(service.url + at)).text()))
    const { accountName } = (await administrator('GET', '/display-name')).body
    expect([...new Set(pages.map((page) => page.replace(accountName, 'Somebody')))]).toHaveLength(1)
    // The secret of the address makes no difference.
    const named = Object.keys(tries).filter((_, at) => pages[at]?.includes(accountName))
    expect(named).toEqual([
      ...['no code', 'a wrong code', 'the code of another link', 'another secret'],
      ...['a withdrawn link', 'an expired link'],
    ])
    const right = await Promise.all([links.withdrawn, links.expired].map((link) => open(link.path, link.code)))
    expect(right.map(({ status }) => status)).toEqual([410, 410])
    expect(right.map(({ text }) => /was withdrawn|has expired/.exec(text)?.[0])).toEqual([
      'was withdrawn',
      'has expired',
    ])
  })

  test(`opens nothing after ${wrongCodesMax} wrong codes, also when they come at once`, async () => {
    const own = await startService({ failedSignInsPerMinute: 0 })
    const other = await startService({ failedSignInsPerMinute: 0 })
    const { id, path, code } = await create()
    // Each service counts a minute of its own: together more than one link may be tried.
    const tries = await Promise.all(
      Array.from({ length: wrongCodesMax + 4 }, (_, n) => send(path, wrong(code), [own, other][n % 2]?.url)),
    )
    for (const answer of tries) expect(answer.status).toBe(403)
    expect(await stateOf(id)).toMatchObject({ state: 'locked', wrongCodes: wrongCodesMax + 4, fetches: 0 })
    const { status, text } = await open(path, code)
    expect([status, text.includes('wrong codes were entered too often')]).toEqual([410, true])
    await Promise.all([own.close(), other.close()])
  })

  test('takes a few codes a minute, and an address of a caller a few in all', async () => {
    const limited = await startService({ failedSignInsPerMinute: 3 })
    const { path, code } = await create()
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push((await send(path, code)).status)
    expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
    const others: number[] = []
    for (let n = 0; n < 4; n++) others.push((await send(`/packages/${n}`, code, limited.url)).status)
    expect(others).toEqual([403, 403, 403, 429])
    const turnedAway = await send(path, code, limited.url)
    expect([turnedAway.status, turnedAway.headers.get('retry-after')]).toEqual([429, '60'])
    await limited.close()
  })

  test('neither its address nor its code is in the database, and only its creation shows them', async () => {
    const { id, path, code } = await create()
    const { rows } = await service.database.pool.query(
      `SELECT l::text AS line FROM package_link l UNION ALL SELECT a::text FROM access_log a`,
    )
    const all = rows.map(({ line }) => line).join('\n') + (await administrator('GET', '/package-links')).text
    expect(all).toContain(id)
    const secret = Buffer.from(path.slice(-64), 'base64url').subarray(32)
    for (const hidden of [code, code.replace('-', ''), path, secret.toString('hex'), secret.toString('base64url')])
      expect(all).not.toContain(hidden)
  })
})

/** Its end is in the past. */
const expire = (id: string) =>
  service.database.pool.query(
    `UPDATE package_link SET expires_at = now() - interval '1 second' WHERE provider_id = $1 AND id = $2`,
    [provider.id, id],
  )

describe('creating and withdrawing', () => {
  test('a link needs a name, an end within 30 days, and something that narrows the records', async () => {
    const cases: readonly (readonly [string, Payload])[] = [
      ['', { label: 'x' }],
      ['gaps=true&readAlike=true', { label: 'x' }],
      ['lotCode=L', { label: ' ' }],
      ['lotCode=L', {}],
      ['lotCode=L', { label: 'x', expiresInHours: 0 }],
      ['lotCode=L', { label: 'x', expiresInHours: 721 }],
      ['lotCode=L', { label: 'x', expiresInHours: 1.5 }],
    ]
    for (const [query, body] of cases)
      expect((await administrator('POST', `/package-links?${query}`, { body })).status, JSON.stringify(body)).toBe(422)
    const { expiresDateTime, createdDateTime } = await create('lotCode=L', { label: 'x', expiresInHours: 720 })
    expect(Date.parse(expiresDateTime) - Date.parse(createdDateTime)).toBe(720 * 3_600_000)
  })

  test('a withdrawn link opens nothing at once, and stays in the list with who withdrew it', async () => {
    const { id, path, code } = await create()
    expect((await open(path, code)).status).toBe(200)
    const { keyId } = (await administrator('GET', '/keys/own')).body
    const withdrawn = await administrator('DELETE', `/package-links/${id}`)
    expect(withdrawn.body).toMatchObject({ state: 'withdrawn', withdrawnBy: keyId })
    expect((await open(path, code)).status).toBe(410)
    expect((await administrator('DELETE', `/package-links/${id}`)).body).toEqual(withdrawn.body)
    expect((await administrator('GET', '/access-log?operation=withdrawPackageLink')).body.content[0]).toMatchObject({
      who: keyId,
      asked: { id },
    })
  })

  test('a download in progress breaks off when its link is withdrawn', async () => {
    const { id, path, code } = await create()
    const context = handlerContextOn(service.database.pool)
    const opened = await packageOpener(context)({ token: path.slice(-64), code, requestId: randomUUID() })
    if (opened.is !== 'open') throw new Error(opened.is)
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const parts = opened.file.parts[Symbol.asyncIterator]()
      expect((await parts.next()).done).toBe(false)
      await administrator('DELETE', `/package-links/${id}`)
      vi.advanceTimersByTime(2_000)
      await expect(parts.next()).rejects.toThrow('has ended')
    } finally {
      vi.useRealTimers()
    }
  })
})
