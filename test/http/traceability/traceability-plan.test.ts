// The traceability plan over real HTTP: written, replaced, read as of a date, and in the package for
// FDA. Source: 21 CFR 1.1315; decision 0084.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { samplePayload } from '../../samples/payloads.ts'
import { download } from '../../support/files/download.ts'
import { textIn, unzipped } from '../../support/files/read-workbook.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { calling, type Service, startService, type TestProvider } from '../../support/servers/service.ts'

const path = '/traceability-plan'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

async function parties() {
  const provider = await service.provider()
  return { provider, call: provider.call, administrator: calling(service.url, await provider.key('administrator')) }
}

const whole = {
  recordProcedures: 'Clerks scan each case.\n\nGaps are checked every Monday.',
  foodIdentification: 'Purchasing compares each item with the list.',
  assignsLotCodes: false,
  contact: { name: 'Ana Lopez', phoneNumber: '+1.614.555.0170' },
  growsFoods: false,
}

const paragraphsOf = ({ gaps }: Payload) => gaps.map(({ cites }: Payload) => cites.replace('21 CFR 1.1315', ''))

describe('the plan', () => {
  test('is empty at version 0 before it is written, lacks every paragraph, and already says what the service knows', async () => {
    const { call, provider } = await parties()
    const { status, headers, body } = await call('GET', path)
    expect([status, headers.get('etag')]).toEqual([200, expect.stringMatching(/^"0\.[0-9a-f]{16}"$/)])
    expect(body).toMatchObject({ version: 0, inForceFrom: null, replacedDateTime: null, submittedBy: null, plan: {} })
    expect(paragraphsOf(body)).toEqual(['(a)(1)', '(a)(2)', '(a)(3)', '(a)(4)', '(a)(4)', '(a)(5)'])
    for (const { message, remedy } of body.gaps) expect([message, remedy]).not.toContain('')
    expect(JSON.stringify(body.service.statements)).toContain(provider.name)
    expect(body.service.keyDataElements.map(({ cites }: Payload) => cites)).toContain('21 CFR 1.1340(a)(1)')
    expect(body.service.keyDataElements).toContainEqual({
      sheet: 'Receiving',
      cites: '21 CFR 1.1345(a)(1)',
      element: 'Traceability Lot Code',
      fields: 'caseLotNumber',
    })
  })

  test('is replaced as a whole, each version with its time and who sent it, and an equal one makes none', async () => {
    const { call, administrator } = await parties()
    const first = await administrator('PUT', path, { body: whole, headers: { 'if-match': '"0"' } })
    expect([first.status, first.headers.get('etag')]).toEqual([200, '"1"'])
    expect(first.body).toMatchObject({ version: 1, plan: whole, gaps: [], replacedDateTime: null })
    const { contact, ...without } = whole
    const second = await administrator('PUT', path, { body: without, headers: { 'if-match': '"1"' } })
    expect(second.body).toMatchObject({ version: 2, plan: without })
    expect(second.body.plan).not.toHaveProperty('contact')
    // The same content in another order, and an empty contact.
    const again = await administrator('PUT', path, { body: Object.fromEntries(Object.entries(without).toReversed()) })
    expect([again.status, again.body.version]).toEqual([200, 2])

    const { content } = (await call('GET', `${path}/versions`)).body
    expect(content.map(({ version }: Payload) => version)).toEqual([2, 1])
    expect(content[1].replacedDateTime).toBe(content[0].inForceFrom)
    expect(content[0]).toMatchObject({ replacedDateTime: null, submittedBy: second.body.submittedBy })
    expect((await call('GET', `${path}/versions/1`)).body).toMatchObject({
      version: 1,
      plan: whole,
      replacedDateTime: content[0].inForceFrom,
    })
    for (const strange of ['3', '0', 'x', '99999999999'])
      expect((await call('GET', `${path}/versions/${strange}`)).status).toBe(404)
    const log = (await administrator('GET', '/access-log?operation=replaceTraceabilityPlan')).body.content
    expect(log.map(({ asked }: Payload) => asked)).toEqual(
      content.map(({ version, contentHash }: Payload) => ({ version, contentHash })),
    )
  })

  test('lists the key data elements of the kinds of which there are events, and asks what these kinds make necessary', async () => {
    const { call, administrator } = await parties()
    const sheetsOf = ({ service: { keyDataElements } }: Payload) => [
      ...new Set(keyDataElements.map(({ sheet }: Payload) => sheet)),
    ]
    expect(sheetsOf((await call('GET', path)).body)).toEqual([
      'Receiving',
      'Shipping',
      'Harvesting',
      'Cooling',
      'Initial Packing',
      'Initial Packing Sprouts',
      'Initial Packing from Exempt',
      'First Land-Based Receiving',
      'Transformation',
    ])
    for (const kind of ['harvestingEvent', 'transformationEvent'] as const)
      expect((await call('POST', paths[kind], { body: samplePayload(kind) })).status).toBe(201)
    const { body } = await call('GET', path)
    expect(body.service.kinds).toEqual(['harvestingEvent', 'transformationEvent'])
    expect(sheetsOf(body)).toEqual(['Harvesting', 'Transformation'])
    expect(body.gaps[2].remedy).toContain('there are transformation events, which assign them')
    expect(body.gaps.at(-1).remedy).toContain('there are harvesting events')
    const { gaps } = (await administrator('PUT', path, { body: whole })).body
    expect(gaps).toMatchObject([
      {
        cites: '21 CFR 1.1315(a)(3)',
        pointer: '/assignsLotCodes',
        message:
          'The plan says that no traceability lot codes are assigned, and there are transformation events, which assign them.',
      },
    ])
    const lotCodeAssignment = 'Plant, Julian date and line.'
    const answered = await administrator('PUT', path, { body: { ...whole, assignsLotCodes: true, lotCodeAssignment } })
    expect(answered.body.gaps).toEqual([])
    // Another account has none of these.
    const other = await parties()
    expect((await other.call('GET', path)).body.service.kinds).toEqual([])
    // Receipts from exempt places are in sheets of their own.
    const places = [
      { dataProviderVendorId: 'V-1001', locationCode: 'FARM-1', exemptions: [{ reason: 'smallProduceFarm' }] },
    ]
    expect((await other.administrator('PUT', '/exempt-places', { body: { places } })).status).toBe(200)
    expect(sheetsOf((await other.call('GET', path)).body)).toContain('Receiving From Exempt')
  })

  test('of the examples answers every paragraph', async () => {
    const { administrator } = await parties()
    const example = await readFile(new URL('../../../examples/traceability-plan.json', import.meta.url), 'utf8')
    const { status, body } = await administrator('PUT', path, { body: JSON.parse(example) })
    expect([status, body.gaps]).toEqual([200, []])
  })

  test('is read as it was in force on a date', async () => {
    const { provider, call, administrator } = await parties()
    for (const recordProcedures of ['first', 'second', 'third'])
      await administrator('PUT', path, { body: { recordProcedures } })
    const set = (version: number, at: string) =>
      service.database.pool.query(
        'UPDATE traceability_plan SET submitted_at = $3 WHERE provider_id = $1 AND version = $2',
        [provider.id, version, at],
      )
    await set(1, '2025-03-01T23:59:59Z')
    await set(2, '2025-06-01T00:00:00Z')
    const on = async (date: string) => (await call('GET', `${path}?onDate=${date}`)).body.version
    expect(await Promise.all(['2025-02-28', '2025-03-01', '2025-05-31', '2025-06-01', '9999-12-31'].map(on))).toEqual([
      0, 1, 1, 2, 3,
    ])
  })

  test('of two that are sent for one version, one is stored and the other one refused', async () => {
    const { call, administrator } = await parties()
    const replies = await Promise.all(
      ['one', 'two', 'three', 'four'].map((recordProcedures) =>
        administrator('PUT', path, { body: { recordProcedures }, headers: { 'if-match': '"0"' } }),
      ),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
    const stored = replies.find(({ status }) => status === 200)
    expect((await call('GET', path)).body).toMatchObject({ version: 1, plan: stored?.body.plan })
    const refused = replies.find(({ status }) => status === 412)
    expect(refused?.body).toMatchObject({ currentVersion: 1, detail: expect.stringContaining('Read the plan again') })
    // Without a condition each is a version of its own.
    const all = await Promise.all(
      ['five', 'six', 'seven'].map((recordProcedures) => administrator('PUT', path, { body: { recordProcedures } })),
    )
    expect(all.map(({ body }) => body.version).sort()).toEqual([2, 3, 4])
  })

  test('belongs to administrators, and what has no place in it is refused with its place', async () => {
    const { provider, administrator } = await parties()
    const writer = calling(service.url, await provider.key('writer'))
    expect((await writer('PUT', path, { body: whole })).status).toBe(403)
    const reply = await administrator('PUT', path, { body: { ...whole, contact: { fax: '1' }, growsFoods: 'no' } })
    expect(reply.status).toBe(422)
    expect(reply.body.findings.map(({ pointer }: Payload) => pointer)).toEqual(['/contact/fax', '/growsFoods'])
    expect((await administrator('GET', path)).body.version).toBe(0)
  })
})

describe('the package for FDA', () => {
  const packed = async (provider: TestProvider, query = '') => {
    const { bytes } = await download(service, provider, `/traceability/fda-package${query}`)
    const files = unzipped(bytes)
    return { files, manifest: JSON.parse(textIn(files['manifest.json'])) }
  }

  test('has the plan in force as a page, and its point of contact where the request names none', async () => {
    const { provider, call, administrator } = await parties()
    await call('POST', paths.receivingEvent, { body: eventPayload() })
    expect(Object.keys((await packed(provider)).files)).not.toContain('traceability-plan.html')

    await administrator('PUT', path, { body: { ...whole, otherRecords: '<b>Paper</b> & ink' } })
    const { files, manifest } = await packed(provider)
    expect(manifest).toMatchObject({
      contact: 'Ana Lopez, +1.614.555.0170',
      traceabilityPlan: { version: 1, inForceFrom: expect.stringMatching(/Z$/) },
    })
    expect(manifest.files.map(({ name }: Payload) => name)).toContain('traceability-plan.html')
    const page = textIn(files['traceability-plan.html'])
    for (const text of [
      provider.name,
      'Gaps are checked every Monday.',
      '&lt;b&gt;Paper&lt;/b&gt; &amp; ink',
      'No traceability lot codes are assigned.',
      'at least 2 years',
      'caseLotNumber',
      '1.1345(a)(8)',
    ])
      expect(page).toContain(text)
    expect(page).not.toMatch(/<script|<link|<img|src=|url\(|@import/)
    expect(textIn(files['explanation.html'])).toContain('is in traceability-plan.html')
    expect((await packed(provider, '?contact=Sam')).manifest.contact).toBe('Sam')
  })

  test('says on the page of an empty plan which paragraphs the plan does not answer', async () => {
    const { provider, administrator } = await parties()
    await administrator('PUT', path, { body: { lotInferenceMethod: 'by slot' } })
    const page = textIn((await packed(provider)).files['traceability-plan.html'])
    expect(page.split('The plan does not say.')).toHaveLength(5)
  })
})
