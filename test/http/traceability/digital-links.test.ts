// The GS1-conformant resolver, and web addresses of sources of lot codes. Conformance statements are
// those of GS1's test suite for resolvers, and linksets have the form of RFC 9264 with the members
// that GS1 allows. Source: decisions 0099, 0100.
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventPayload, locationPayload, paths } from '../../support/records/payloads.ts'
import { type Call, calling, type Service, startService, type TestProvider } from '../../support/servers/service.ts'

const gtin = '10614141000415'
const lotPath = `/01/${gtin}/10/DL-1`

let service: Service
let owner: TestProvider
let administrator: Call
beforeAll(async () => {
  service = await startService({ failedSignInsPerMinute: 0 })
  owner = await service.provider()
  administrator = calling(service.url, await owner.key('administrator'))
  const made = await owner.call('POST', paths.receivingEvent, {
    body: eventPayload(({ eventList }) => {
      eventList.productList = [{ ...eventList.productList[0], caseGtin: gtin, caseLotNumber: 'DL-1' }]
    }),
  })
  expect(made.status, made.text).toBe(201)
})
afterAll(() => service?.close())

/** As a phone or a program calls it: without a key. */
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(service.url + path, { method, headers, redirect: 'manual' })
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const linksetType = 'application/linkset+json'

const address = { type: 'string', pattern: '^https?://' }
const target = {
  type: 'object',
  properties: {
    href: address,
    title: { type: 'string', minLength: 1 },
    hreflang: { type: 'array', items: { type: 'string', pattern: '^[a-z]{2}(-[A-Z]{2})?$' } },
    type: { type: 'string', pattern: '^[^/ ]+/[^/ ]+$' },
    // GS1's: whether the query of the link goes on to the target.
    fwqs: { type: 'boolean' },
  },
  required: ['href', 'title'],
  additionalProperties: false,
}
const context = {
  type: 'object',
  properties: { anchor: address, itemDescription: { type: 'string' } },
  // A relation is registered, a lower-case word, or an address.
  patternProperties: {
    '^(?!(anchor|itemDescription)$)([a-z-]+|https?://.+)$': { type: 'array', minItems: 1, items: target },
  },
  required: ['anchor', 'itemDescription'],
  additionalProperties: false,
}
const isLinkset = new Ajv({ strict: false }).compile({
  type: 'object',
  properties: { linkset: { type: 'array', minItems: 1, items: context } },
  required: ['linkset'],
  additionalProperties: false,
})

interface LinkObject {
  readonly href: string
  readonly title: string
  readonly type?: string
}

async function linksetAt(path: string) {
  const answer = await ask(path, { accept: linksetType })
  expect(answer.status).toBe(200)
  const body = (await answer.json()) as { linkset: Record<string, readonly LinkObject[]>[] }
  expect(isLinkset(body), JSON.stringify(isLinkset.errors)).toBe(true)
  return body.linkset
}

const voc = (type: string) => `https://ref.gs1.org/voc/${type}`

describe('a resolver', () => {
  test('leads a browser to the trace in the console, also with a slash at the end and other data', async () => {
    const expected = `/console/trace?lotCode=%2801%29${gtin}%2810%29DL-1`
    for (const path of [lotPath, `${lotPath}/`, `${lotPath}?linkType=gs1:traceability`, `${lotPath}/21/SER-1`]) {
      const answer = await ask(path, browser)
      expect([answer.status, answer.headers.get('location')], path).toEqual([307, expected])
    }
    const withData = await ask(`${lotPath}?17=271231&11=260301`, browser)
    expect(withData.headers.get('location')).toBe(`${expected}&17=271231&11=260301`)
    expect((await ask(expected, browser)).status).toBe(200)
  })

  test('leads a program to EPCIS or to the trace, which need a key', async () => {
    for (const [path, accept, target] of [
      [lotPath, 'application/ld+json', '/traceability/epcis?'],
      [`${lotPath}?linkType=gs1:epcis&17=271231`, '*/*', '/traceability/epcis?'],
      [`${lotPath}?linkType=https://gs1.org/voc/epcis`, 'text/html', '/traceability/epcis?'],
      [lotPath, 'application/json', '/traceability/lots/'],
    ] as const) {
      const answer = await ask(path, { accept })
      const location = answer.headers.get('location') ?? ''
      expect([answer.status, location.slice(0, target.length)], path).toEqual([307, target])
      expect((await ask(location)).status).toBe(401)
      const found = await owner.call('GET', location)
      expect([found.status, found.text.includes('DL-1')], found.text).toEqual([200, true])
      const others = await (await service.provider()).call('GET', location)
      expect(others.text).not.toContain('GV-COOLER-1')
    }
  })

  test('lists all links of each level as a linkset that GS1 accepts, with one default', async () => {
    const [ofSerial, ofLot, ofItem, ...others] = await linksetAt(`${lotPath}/21/SER-1`)
    expect(others).toEqual([])
    expect([ofSerial?.anchor, ofLot?.anchor, ofItem?.anchor]).toEqual(
      [`${lotPath}/21/SER-1`, lotPath, `/01/${gtin}`].map((path) => service.url + path),
    )
    const [fallback, ...more] = ofLot?.[voc('defaultLink')] ?? []
    expect([more, Object.keys(fallback ?? {})]).toEqual([[], ['href', 'title']])
    expect(ofLot?.[voc('traceability')]?.map(({ href }) => href)).toContain(fallback?.href)
    expect(ofLot?.[voc('epcis')]?.[0]).toMatchObject({ type: 'application/ld+json' })
    for (const path of ['/00/106141410000000019', '/414/0614141000012']) {
      const [level] = await linksetAt(path)
      expect(level?.[voc('defaultLink')]).toHaveLength(1)
    }
    expect(await (await ask(`${lotPath}?linkType=linkset`, browser)).json()).toEqual({
      linkset: await linksetAt(lotPath),
    })
    expect((await ask(`${lotPath}?linkType=all`)).headers.get('content-type')).toContain(linksetType)
  })

  test('a pallet, an item and a location lead to what the service finds of them', async () => {
    for (const [path, key] of [
      ['/00/106141410000000019', '106141410000000019'],
      [`/01/${gtin}`, gtin],
      ['/414/0614141000012', '0614141000012'],
    ] as const) {
      expect((await ask(path, browser)).headers.get('location')).toBe(`/console/?find=${key}`)
      const location = (await ask(path, { accept: 'application/json' })).headers.get('location') ?? ''
      expect((await owner.call('GET', location)).status).toBe(200)
    }
    expect((await ask('/414/0614141000012?linkType=gs1:locationInfo')).status).toBe(307)
  })

  test('keeps the other statements of the standard', async () => {
    const redirected = await ask(lotPath, browser)
    expect(redirected.headers.get('link')).toBe(
      `<${service.url}${lotPath}?linkType=linkset>; rel="linkset"; type="${linksetType}"`,
    )
    expect((await ask(lotPath, { accept: linksetType })).headers.get('link')).toContain('json-ld#context')
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const answer = await ask(lotPath, browser, method)
      expect(answer.headers.get('access-control-allow-origin'), method).toBe('*')
      expect(answer.status).toBe(method === 'OPTIONS' ? 204 : 307)
    }
    expect((await ask(`${lotPath}?linkType=gs1:safetyInfo`)).status).toBe(404)
    expect((await ask(`${lotPath}?linkType=gs1:toString`)).status).toBe(404)
    for (const path of ['/01/09506000134376/badrequest', '/01/09506000134353', '/gtin/09506000134352', '/01/%'])
      expect((await ask(path, browser)).status, path).toBe(400)
    const described = await ask('/.well-known/gs1resolver')
    expect(described.headers.get('access-control-allow-origin')).toBe('*')
    expect(await described.json()).toMatchObject({
      resolverRoot: service.url,
      supportedPrimaryKeys: ['00', '01', '414'],
    })
    expect((await ask(lotPath, browser, 'POST')).status).toBe(405)
  })

  test('reveals nothing: it answers alike for what is stored and what is not', async () => {
    const answers = ['DL-1', 'NOBODYS'].map(async (lot) => {
      const answer = await ask(`/01/${gtin}/10/${lot}?linkType=linkset`)
      return (await answer.text()).replaceAll(lot, '')
    })
    const [known, unknown] = await Promise.all(answers)
    expect(known).toBe(unknown)
  })
})

describe('an address of a source', () => {
  const open = async (name: string, locationCode = 'COOLER') =>
    administrator('PUT', '/source-addresses', {
      body: { addresses: [{ name, dataProviderVendorId: 'V-1001', locationCode }] },
    })
  const pathsListed = async (): Promise<string[]> =>
    (await administrator('GET', '/source-addresses')).body.content.map(({ path }: { path: string }) => path)

  beforeAll(async () => {
    const made = await owner.call('POST', paths.location, {
      body: locationPayload(({ locationMasterList }) => {
        Object.assign(locationMasterList, { locationCode: 'COOLER', dataProviderVendorId: 'V-1001' })
        locationMasterList.locationName = 'Cooler <1>'
      }),
    })
    expect(made.status, made.text).toBe(201)
  })

  test('shows the location description and nothing else, to a program and to a person, until it is closed', async () => {
    expect((await open('cooler')).status).toBe(200)
    const [path = ''] = await pathsListed()
    expect(path).toBe(`/tlc-sources/${owner.id}/cooler`)
    const answer = await ask(path, { accept: 'application/json' })
    const body = (await answer.json()) as object
    expect(Object.keys(body).sort()).toEqual(['address', 'locationName', 'phoneNumber'])
    expect(answer.headers.get('x-robots-tag')).toBe('noindex')
    const page = await (await ask(path, browser)).text()
    expect(page).toContain('Cooler &lt;1&gt;')
    for (const secret of ['V-1001', 'COOLER"', owner.id, 'DL-1'])
      expect(JSON.stringify(body) + page).not.toContain(secret)
    const closed = await administrator('PUT', '/source-addresses', { body: { addresses: [{ name: 'cooler' }] } })
    expect(closed.status).toBe(200)
    const gone = await ask(path, browser)
    const never = await ask(`/tlc-sources/${owner.id}/never-was`, browser)
    expect([gone.status, await gone.text()]).toEqual([404, await never.text()])
  })

  test('is found by its whole path only, and with hostile ones nothing is', async () => {
    await open('whole')
    const other = await service.provider()
    for (const path of [
      `/tlc-sources/${other.id}/whole`,
      `/tlc-sources/${owner.id}/WHOLE`,
      `/tlc-sources/${owner.id}/who`,
      `/tlc-sources/${owner.id}/%2e%2e`,
      `/tlc-sources/not-an-id/whole`,
      `/tlc-sources/${owner.id}/${'x'.repeat(1_000)}`,
      `/tlc-sources/${owner.id}/%00`,
    ])
      expect((await ask(path)).status, path).toBe(404)
    expect((await ask(`/tlc-sources/${owner.id.toUpperCase()}/whole`)).status).toBe(200)
    // Opened for a location that nobody described.
    await open('empty', 'NOBODYS')
    expect((await ask(`/tlc-sources/${owner.id}/empty`)).status).toBe(404)
  })

  test('is opened by an administrator, with a name that can stand in an address', async () => {
    const writer = await owner.call('PUT', '/source-addresses', { body: { addresses: [{ name: 'cooler' }] } })
    expect(writer.status).toBe(403)
    for (const name of ['ab', 'with blank', 'a/b', 'x'.repeat(65), 'ä-ä-ä'])
      expect((await open(name)).status, name).toBe(422)
    const half = await administrator('PUT', '/source-addresses', {
      body: { addresses: [{ name: 'cooler', dataProviderVendorId: 'V-1001' }] },
    })
    expect([half.status, half.body.detail]).toEqual([422, expect.stringContaining('Give both')])
  })

  test('is asked for only so often from one network', async () => {
    const limited = await startService({ failedSignInsPerMinute: 3 })
    try {
      const statuses: number[] = []
      for (let n = 0; n < 5; n++)
        statuses.push((await fetch(`${limited.url}/tlc-sources/${owner.id}/guess-${n}`)).status)
      expect(statuses).toEqual([404, 404, 404, 429, 429])
    } finally {
      await limited.close()
    }
  })
})
