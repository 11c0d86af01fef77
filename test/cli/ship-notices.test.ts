// `lotkeeper import` of ship notices: files of any size, sent in parts, with findings at the
// segments of the file.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  exampleCancellation,
  exampleNotice,
  exampleReplacement,
  interchangeOf,
  noticeOf,
} from '../samples/ship-notices.ts'
import type { Payload } from '../support/records/payloads.ts'
import { runCommand } from '../support/servers/server-process.ts'
import { calling, type Service, startService } from '../support/servers/service.ts'

let service: Service
let folder: string
beforeAll(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'lotkeeper-notices-'))
})
afterAll(async () => {
  await service?.close()
  await rm(folder, { recursive: true, force: true })
})

/** An account that reads the notices of the samples. */
async function account() {
  const { call, key } = await service.provider()
  const settings = { dataProviderVendorId: 'V-1001', timeZone: 'America/Chicago', tlcSourceIsShipFrom: true }
  const senders = ['GREENVALLEY', 'SENDER'].map((senderId) => ({ senderId, ...settings }))
  const administrator = calling(service.url, await key('administrator'))
  await administrator('PUT', '/ship-notice-senders', { body: { senders } })
  return { call, administrator, env: { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: await key('writer') } }
}

async function fileOf(text: string): Promise<string> {
  const path = join(folder, 'asn.edi')
  await writeFile(path, text)
  return path
}

test('stores a notice once, and says so', async () => {
  const { call, env } = await account()
  const path = await fileOf(exampleNotice)
  expect((await runCommand(['import', path, '--dry-run'], env)).stdout).toContain('ship notices: 1 would be imported.')
  expect(await runCommand(['import', path], env)).toMatchObject({
    code: 0,
    stdout: `${path}: ship notices: 1 imported.\n`,
    stderr: '',
  })
  expect((await runCommand(['import', path], env)).stdout).toContain('1 imported before.')
  expect((await call('GET', '/data-provider/events/shipping')).body.content).toHaveLength(1)
})

test('carries out replacements and cancellations, and says what became of them', async () => {
  const { call, env } = await account()
  const end = async (text: string) => (await runCommand(['import', await fileOf(text)], env)).stdout.split(': ').at(-1)
  expect(await end(exampleNotice + exampleReplacement)).toBe('1 imported, 1 replaced.\n')
  const older = exampleReplacement.replace('*1702*', '*1632*').replace('SN1**38*CA', 'SN1**1*CA')
  const late = await runCommand(['import', await fileOf(older)], env)
  expect([late.code, late.stdout.split(': ').at(-1)]).toEqual([0, '1 superseded by later ones.\n'])
  expect(late.stderr).toContain('warning at segment 4, BSN01: A later notice with the number "ASN-771203" replaced')
  expect(await end(exampleCancellation)).toBe('1 cancelled.\n')
  expect(await end(exampleNotice + exampleReplacement + exampleCancellation)).toBe('3 imported before.\n')
  expect((await call('GET', '/data-provider/events/shipping')).body.content).toEqual([])
})

test('sends a large file in parts, and names the segments of the file', async () => {
  const { call, env } = await account()
  const levels = ['HL*2*1*I', 'LIN**UK*10614141000415*LT*LOT-A', 'SN1**56*CA']
  const places = (segment: string) => (segment.startsWith('N1*ST') ? 'N1*ST*DC 7*UL*0614141000029' : segment)
  const notice = (n: number) =>
    noticeOf(levels).map((segment) => places(segment).replace('*ASN-1*', `*ASN-${n}*`).replace('*BOL-1', `*BOL-${n}`))
  const broken = notice(0).map((segment) => segment.replace('56*CA', 'many*CA'))
  const text = interchangeOf([...Array.from({ length: 250 }, (_, i) => notice(i + 1)), broken])
  const segment = text.split('~\n').indexOf('SN1**many*CA') + 1
  const { code, stdout, stderr } = await runCommand(['import', await fileOf(text)], env)
  expect(stdout).toContain('ship notices: 250 imported, 1 refused.')
  expect(stderr).toContain('notice "ASN-0" was refused.')
  expect(stderr).toContain(`error at segment ${segment}, SN102: SN102 is "many".`)
  expect(code).toBe(1)
  expect((await call('GET', '/data-provider/events/shipping?total=true')).body.total.records).toBe(250)
})

test('reads a file with the release characters of its senders', async () => {
  const { call, env, administrator } = await account()
  const sender = { senderId: 'SENDER', dataProviderVendorId: 'V-1001', timeZone: 'America/Chicago' }
  const senders = [{ ...sender, tlcSourceIsShipFrom: true, releaseCharacter: '?' }]
  expect((await administrator('PUT', '/ship-notice-senders', { body: { senders } })).status).toBe(200)
  const lots = ['A?~', 'B?~ST', 'C?*D', 'E??']
  const notices = lots.map((lot, i) =>
    noticeOf(['HL*2*1*I', `LIN**UK*10614141000415*LT*${lot}`, 'SN1**56*CA']).map((segment) =>
      (segment.startsWith('N1*ST') ? 'N1*ST*DC 7*UL*0614141000029' : segment)
        .replace('*ASN-1*', `*ASN-${i}*`)
        .replace('*BOL-1', `*BOL-${i}`),
    ),
  )
  const broken = noticeOf(['HL*2*1*I', 'LIN**UK*10614141000415*LT*LOT', 'SN1**many*CA'])
  const text = interchangeOf([...notices, broken])
  const segment = text.split('~\n').indexOf('SN1**many*CA') + 1
  const { stdout, stderr } = await runCommand(['import', await fileOf(text)], env)
  expect(stdout, stderr).toContain('ship notices: 4 imported, 1 refused.')
  expect(stderr).toContain(`error at segment ${segment}, SN102`)
  const { content } = (await call('GET', '/data-provider/events/shipping')).body
  const stored = content.map(({ eventList }: Payload) => eventList.productList[0].caseLotNumber)
  expect(stored.sort()).toEqual(['A~', 'B~ST', 'C*D', 'E?'])
})

test('reports a file that is broken, and one that is not UTF-8', async () => {
  const { env } = await account()
  const cut = await runCommand(['import', await fileOf(exampleNotice.slice(0, 400))], env)
  expect([cut.code, cut.stderr]).toEqual([1, expect.stringContaining('The file ends before SE.')])
  const path = await fileOf('')
  await writeFile(path, Buffer.from(exampleNotice.replace('Romaine', 'Rom\u00e1ine'), 'latin1'))
  expect((await runCommand(['import', path], env)).stderr).toContain('The file is not UTF-8.')
})
