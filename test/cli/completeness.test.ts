// The commands that say how complete the records are, and what one of them lacks.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventPayload } from '../support/records/payloads.ts'
import { runCommand } from '../support/servers/server-process.ts'
import { type Service, startService } from '../support/servers/service.ts'

const wideVendorName = '山东寿光蔬菜产业集团'

let service: Service
let env: Record<string, string>
let lackingId: string
let create: (vendor: string, shape: (event: ReturnType<typeof eventPayload>) => void) => Promise<string>
beforeAll(async () => {
  service = await startService()
  const provider = await service.provider()
  env = { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: await provider.key('reader') }
  create = async (vendor, shape) => {
    const payload = eventPayload()
    payload.eventList.dataProviderVendorId = vendor
    shape(payload)
    const { status, body } = await provider.call('POST', '/data-provider/events/receiving', { body: payload })
    expect(status, JSON.stringify(body)).toBe(201)
    return body.request_ids[0] as string
  }
  await create('V-WHOLE', () => undefined)
  lackingId = await create('V-LACKING', ({ eventList, productMasterDataList }) => {
    eventList.dataProviderVendorName = wideVendorName
    for (const product of productMasterDataList) delete product.packStyle
  })
})
afterAll(async () => {
  await service?.close()
})

const run = (...args: readonly string[]) => runCommand(args, env)

async function printed(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args)
  expect(code, stderr).toBe(0)
  return stdout
}

describe('completeness', () => {
  test('counts lines by vendor, the worst first, and says what they lack', async () => {
    const [title = '', blank, heading, worst, best] = (await printed('completeness')).split('\n')
    expect(title).toMatch(/^\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d: \d+ of \d+ lines are complete/)
    expect(blank).toBe('')
    expect(heading).toMatch(/^vendor +lines +complete +share +name +most lacked$/)
    expect(worst).toMatch(new RegExp(`^V-LACKING +\\d+ +0 +0 % +${wideVendorName}  .*ackaging`))
    expect(best).toMatch(/^V-WHOLE/)
  })

  test('keeps its columns in line when a name is written in characters that are twice as wide', async () => {
    const [, , heading = '', worst = ''] = (await printed('completeness')).split('\n')
    const before = worst.slice(0, worst.indexOf(wideVendorName))
    expect(heading.indexOf('name')).toBe(before.length)
    // Each of the ten characters takes two columns.
    expect(heading.indexOf('most lacked') - heading.indexOf('name')).toBe(wideVendorName.length * 2 + 2)
  })

  test('as JSON is the answer of the service; a grouping there is not is refused with those there are', async () => {
    expect(JSON.parse(await printed('completeness', '--by', 'kde', '--json'))).toMatchObject({ by: 'kde' })
    const end = await run('completeness', '--by', 'buyer')
    expect(end.code).toBe(2)
    expect(end.stderr).toContain('dataProviderVendorId, shipToLocationCode')
  })
})

describe('gaps', () => {
  test('lists the events that lack something, and nothing where nothing does', async () => {
    const rows = (await printed('gaps')).trim().split('\n')
    expect(rows[0]).toMatch(/^id +date +kind +vendor/)
    expect(rows.slice(1).map((row) => row.split(' ')[0])).toContain(lackingId)
    expect(await printed('gaps', '--data-provider-vendor-id', 'V-NOBODY')).toBe('')
    const [first] = (await printed('gaps', '--data-provider-vendor-id', 'V-LACKING', '--all', '--json')).split('\n')
    expect(JSON.parse(first ?? '')).toMatchObject({ id: lackingId, completeLines: 0 })
  })
})

describe('findings', () => {
  test('says where each is, what was found and what to do', async () => {
    const text = await printed('findings', lackingId)
    expect(text).toMatch(/^receiving event [0-9a-f-]{36}, version 1: .*\d+ gaps? when it was submitted\n/)
    expect(text).toMatch(/^gap \/productMasterDataList\/0/m)
    expect(text).toMatch(/→ .*\(product\/packaging-style, 21 CFR/)
  })

  test('are all listed, more than one answer has', async () => {
    const longId = await create('V-LONG', ({ eventList }) => {
      const [line] = eventList.productList
      eventList.productList = Array.from({ length: 600 }, () => ({ ...line, vendorItemCode: 'NEW' }))
    })
    const { findings, findingCount } = JSON.parse(await printed('findings', longId, '--json'))
    expect(findingCount).toBeGreaterThan(500)
    expect(findings).toHaveLength(findingCount)
    const text = await printed('findings', longId)
    expect(text).toContain('version 1: 600 warnings, 600 gaps when it was submitted')
    expect(text).toMatch(/^gap \/eventList\/productList\/599\//m)
  })

  test('are those of a version, or of today; an old version is not judged today', async () => {
    const of = async (...args: readonly string[]) => JSON.parse(await printed('findings', lackingId, '--json', ...args))
    expect(await of('--version', '1')).toEqual(await of())
    expect(await of('--judged', 'now')).toMatchObject({ version: 1 })
    const end = await run('findings', lackingId, '--version', '1', '--judged', 'now')
    expect(end.code).toBe(2)
    expect(end.stderr).toContain('Omit --version, or omit --judged now.')
    expect((await run('findings', '019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f')).code).toBe(1)
  })
})
