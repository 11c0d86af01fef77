// Mock recalls: a lot is traced and packed against the clock, and the report is signed.
// Source: decision 0069.
import { execFile } from 'node:child_process'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { canonicalJson } from '../../../src/contract/json/canonical.ts'
import { placeOf } from '../../house/tree.ts'
import { samplePayload } from '../../samples/payloads.ts'
import { allowMs } from '../../support/patience.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { type Call, type Service, startService } from '../../support/servers/service.ts'

let service: Service
let folder: string
beforeAll(async () => {
  service = await startService()
  folder = mkdtempSync(join(tmpdir(), 'mock-recalls-'))
})
afterAll(async () => {
  await service?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function ended(call: Call, body: object): Promise<Payload> {
  const started = await call('POST', '/mock-recalls', { body })
  expect(started.status, started.text).toBe(201)
  const address = started.headers.get('location') ?? ''
  expect(address).toBe(`/mock-recalls/${started.body.id}`)
  await expect
    .poll(async () => (await call('GET', address)).body.state, { timeout: allowMs(20_000) })
    .not.toBe('running')
  return (await call('GET', address)).body
}

const deliver = async (call: Call, edit: (payload: Payload) => void) => {
  const reply = await call('POST', paths.receivingEvent, { body: eventPayload(edit) })
  expect(reply.status, reply.text).toBe(201)
}

test('the report says what was found, how long each step took, and the hash of the package', async () => {
  const { id: provider, call } = await service.provider()
  await deliver(call, ({ eventList, productMasterDataList }) => {
    for (const line of eventList.productList) line.caseLotNumber = 'LOT-1'
    for (const product of productMasterDataList) delete product.packSize
  })
  await deliver(call, ({ eventList }) => {
    eventList.productList[0].caseLotNumber = 'LOT-1'
  })
  const recall = await ended(call, { lotCode: 'LOT-1' })
  const trace = (await call('GET', '/traceability/lots/LOT-1')).body
  const { report } = recall
  expect(recall.state).toBe('done')
  expect(report).toMatchObject({
    provider: { id: provider },
    lotCode: 'LOT-1',
    drawn: null,
    targetSeconds: 86_400,
    isWithinTarget: true,
    failure: null,
    steps: [{ name: 'trace' }, { name: 'package' }, { name: 'gaps' }],
    found: {
      events: 2,
      lines: trace.totals.lines,
      places: trace.totals.places,
      notes: trace.noteCount,
      missing: [{ kde: 'Product description: packaging size', cites: '21 CFR 1.1345(a)(3)' }],
    },
    package: { name: 'fda-package-lot-LOT-1.zip', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  })
  expect(report.found.incompleteLines).toBe(report.found.missing[0].lines)
  expect(report.package.bytes).toBeGreaterThan(0)
  const steps = report.steps.reduce((sum: number, { seconds }: Payload) => sum + seconds, 0)
  expect(report.seconds).toBeGreaterThanOrEqual(Math.round(1_000 * steps) / 1_000 - 0.002)
  const { content } = (await call('GET', '/mock-recalls')).body
  expect(content).toEqual([recall])
})

test('it reports recovered ÷ made, of the lots that were made of it too where it was asked', async () => {
  const { call } = await service.provider()
  const body = samplePayload('transformationEvent')
  const { eventList: event } = body
  const [plant] = body.locationMasterList
  const line = (caseLotNumber: string, shipQuantity: number, more = {}) => ({
    vendorItemCode: event.productList[0].vendorItemCode,
    shipQuantityUom: 'case',
    caseLotNumber,
    shipQuantity,
    ...more,
  })
  const farm = { tlcSourceReferenceGln: '0614141000043' }
  Object.assign(event, { ingredientList: [line('LEAF', 90, farm)], productList: [line('SALAD', 200)] })
  expect((await call('POST', paths.transformationEvent, { body })).status).toBe(201)
  await deliver(call, ({ eventList, locationMasterList }) => {
    locationMasterList.push(plant)
    Object.assign(eventList, { shipToLocationCode: plant.locationCode, productList: [line('LEAF', 100, farm)] })
  })
  const leave = samplePayload('shippingEvent')
  leave.locationMasterList.push(plant)
  const ofPlant = { tlcSourceReferenceGln: plant.gln }
  Object.assign(leave.eventList, {
    shipFromLocationCode: plant.locationCode,
    productList: [line('SALAD', 50, ofPlant)],
  })
  const shipped = await call('POST', paths.shippingEvent, { body: leave })
  expect(shipped.status, shipped.text).toBe(201)

  const leaf = { lotCode: 'LEAF', made: [], entered: [{ quantity: 100 }], recovered: [{ quantity: 100 }], share: 1 }
  expect((await ended(call, { lotCode: 'LEAF' })).report.found).toMatchObject({
    recovery: [leaf],
    recoveryCount: 1,
    isRecoveryWhole: true,
  })
  // 50 of 200 cases were shipped, and no event says that they arrived.
  const { report: ofChain } = await ended(call, { lotCode: 'LEAF', chain: true })
  expect(ofChain.package.name).toMatch(/^fda-package-chain-forward-LEAF/)
  expect(ofChain.found).toMatchObject({
    recovery: [leaf, { lotCode: 'SALAD', made: [{ quantity: 200 }], recovered: [{ quantity: 150 }], share: 0.75 }],
    recoveryCount: 2,
  })
})

test('a lot that is in no delivery is packed, judged and counted, and the report says so', async () => {
  const { call } = await service.provider()
  const body = samplePayload('transformationEvent')
  const [made] = body.eventList.productList
  Object.assign(made, { caseLotNumber: 'SALAD', shipQuantity: 200, shipQuantityUom: 'case' })
  for (const product of body.productMasterDataList) delete product.packSize
  expect((await call('POST', paths.transformationEvent, { body })).status).toBe(201)
  const { state, report } = await ended(call, { lotCode: 'SALAD' })
  expect(state, report.failure).toBe('done')
  expect(report).toMatchObject({
    failure: null,
    steps: [{ name: 'trace' }, { name: 'package' }, { name: 'gaps' }],
    found: {
      ...{ events: 0, lines: 0, shippingEvents: 0, shippingLines: 0, places: 0, notes: 0 },
      isInDelivery: false,
      recovery: [{ lotCode: 'SALAD', made: [{ quantity: 200 }], recovered: [{ quantity: 200 }], share: 1 }],
      incompleteLines: 1,
    },
    package: { name: 'fda-package-lot-SALAD.zip' },
  })
  expect(report.found.missing).toContainEqual({
    kde: 'Product description: packaging size',
    cites: '21 CFR 1.1350(a)(1)(ii), 1.1350(a)(2)(iv)',
    lines: 1,
  })
})

test('its signature is checked without the service, and whatever is changed is found out', async () => {
  const { call } = await service.provider()
  await deliver(call, () => undefined)
  const recall = await ended(call, { lotCode: 'GV26062-A' })
  const { report, reportHash, signingKeyId, publicKey, signature } = recall
  // As docs/evidence.md has it, with nothing of this program but the order of names.
  expect(createHash('sha256').update(canonicalJson(report)).digest('hex')).toBe(reportHash)
  const text = ['lotkeeper mock recall 1', report.provider.id, recall.id, reportHash, signingKeyId].join('\n')
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
  expect(verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))).toBe(true)

  const program = async (content: object, ...more: string[]) => {
    const path = join(folder, 'recall.json')
    writeFileSync(path, JSON.stringify(content, null, 2))
    const run = promisify(execFile)
    const options = ['--conditions=source', '--import', 'tsx', placeOf('src/cli/main.ts'), 'verify', path, ...more]
    return run(process.execPath, options).then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }) => ({ code, stdout }),
    )
  }
  const pem = join(folder, 'key.pem')
  writeFileSync(pem, key.export({ format: 'pem', type: 'spki' }))
  expect(await program(recall, '--key', pem)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('which was given'),
  })
  const faster = { ...recall, report: { ...report, seconds: 0.001 } }
  expect(await program(faster)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('does not match its reportHash'),
  })
  const rehashed = createHash('sha256').update(canonicalJson(faster.report)).digest('hex')
  expect(await program({ ...faster, reportHash: rehashed })).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('its signature is not that of key'),
  })
})

test('a draw is told and repeats: the same seed draws the same lot from the same events', async () => {
  const { call } = await service.provider()
  for (let n = 0; n < 6; n++)
    await deliver(call, ({ eventList }) => {
      for (const [i, line] of eventList.productList.entries()) line.caseLotNumber = `LOT-${n}-${i}`
    })
  const first = await ended(call, { seed: '2026-Q1' })
  const again = await ended(call, { seed: '2026-Q1' })
  expect(again.lotCode).toBe(first.lotCode)
  expect(first.report.drawn).toMatchObject({ seed: '2026-Q1', events: 6 })
  const event = (await call('GET', `${paths.receivingEvent}/${first.report.drawn.event}`)).body
  expect(event.eventList.productList.map(({ caseLotNumber }: Payload) => caseLotNumber)).toContain(first.lotCode)
  const lots = new Set<string>()
  for (let n = 0; n < 5; n++) lots.add((await ended(call, {})).lotCode)
  expect(lots.size).toBeGreaterThan(1)
})

test('a lot that nobody has fails, and says so in a report that is signed too', async () => {
  const { call } = await service.provider()
  const recall = await ended(call, { lotCode: 'NOBODY' })
  expect(recall).toMatchObject({ state: 'failed', signature: expect.any(String) })
  expect(recall.report).toMatchObject({ isWithinTarget: false, steps: [], package: null })
  expect(recall.report.failure).toContain('"NOBODY"')
  expect((await call('POST', '/mock-recalls', { body: {} })).body.detail).toContain('No event')
  expect((await call('POST', '/mock-recalls', { body: { lotCode: 'A', seed: 'b' } })).body.detail).toContain('exclude')
})
