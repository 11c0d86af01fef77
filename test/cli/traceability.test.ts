// The commands that trace and export: what a terminal shows, and files that are whole or not there.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { download } from '../../src/cli/records/download.ts'
import { samplePayload } from '../samples/payloads.ts'
import { eventPayload, paths, shippingPayload } from '../support/records/payloads.ts'
import { runCommand } from '../support/servers/server-process.ts'
import { type Service, startService } from '../support/servers/service.ts'

const eventCount = 103

let service: Service
let env: Record<string, string>
let folder: string
beforeAll(async () => {
  service = await startService()
  const provider = await service.provider()
  env = { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: await provider.key('reader') }
  folder = await mkdtemp(join(tmpdir(), 'lotkeeper-traceability-'))
  const events = Array.from({ length: eventCount }, (_, i) => {
    const { eventList } = eventPayload()
    eventList.productList[0].caseLotNumber = i < 2 ? 'TRACED-1' : `OTHER-${i}`
    return eventList
  })
  const { status } = await provider.call('POST', '/data-provider/events/receiving', {
    body: { ...eventPayload(), eventList: events },
  })
  expect(status).toBe(201)
  for (const kind of ['transformationEvent', 'initialPackingEvent'] as const) {
    const made = await provider.call('POST', paths[kind], { body: samplePayload(kind) })
    expect(made.status, made.text).toBe(201)
  }
})
afterAll(async () => {
  await service?.close()
  await rm(folder, { recursive: true, force: true })
})

const run = (...args: readonly string[]) => runCommand(args, env)

describe('chain', () => {
  test('shows the lots that were made of a lot, by which events, and what the records leave open', async () => {
    const { code, stdout, stderr } = await run('chain', 'HG-2026-061')
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/^Lot HG-2026-061: 1 lot made of it, by 1 event\n\nlot +steps +by +source /)
    expect(stdout).toMatch(/\nL2 RW-2026-063 +1 +lot code and source /)
    expect(stdout).toMatch(/\n! 1 lot was used, and no event says where from: HG-2026-061\.\n +→ /)
    const back = await run('chain', 'RW-2026-063', '--direction', 'back', '--json')
    expect(JSON.parse(back.stdout)).toMatchObject({ lots: [{ lotCode: 'RW-2026-063' }, { lotCode: 'HG-2026-061' }] })
  })

  test('shows where and when food was harvested and cooled before it was packed', async () => {
    const { code, stdout, stderr } = await run('chain', 'PK-2026-063', '--direction', 'back')
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/\nF1 Vine tomatoes, field run +harvested +2026-03-02 +Harbor Greenhouse +House 3 /)
    expect(stdout).toMatch(/\nF2 Vine tomatoes, field run +cooled +2026-03-03 +River Warehouse /)
  })

  test('follows food forward from its farm and date, and saves the rows and the drawing', async () => {
    const farm = ['--data-provider-vendor-id', 'V-1', '--location-code', 'SHIP-FROM', '--date', '2026-03-02']
    const { code, stdout, stderr } = await run('food', ...farm)
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/^Food harvested on 2026-03-02 at Harbor Greenhouse: 1 lot made of it, by 1 event\n/)
    expect(stdout).toMatch(/\nL1 PK-2026-063 +1 +place and date /)
    const csv = await run('food', ...farm, '--format', 'csv')
    expect(csv.stdout).toMatch(/^direction,id,lotCode,/)
    const path = join(folder, 'chain.svg')
    expect((await run('chain', 'HG-2026-061', '--format', 'svg', '--output', path)).code).toBe(0)
    expect(await readFile(path, 'utf8')).toMatch(/^<svg[\s\S]*<\/svg>\s*$/)
    expect(await run('food', '--date', '2026-03-02')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Name the food'),
    })
  })

  test('counts what is left of each lot at each place, of a period and within a tolerance', async () => {
    const { code, stdout, stderr } = await run('chain', 'HG-2026-061')
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/\nbalance of +at +made +received +used +shipped +left +note\n/)
    expect(stdout).toMatch(/\nL2 RW-2026-063 +River Warehouse +(\d+) case +\1 case\n/)
    const later = await run('chain', 'HG-2026-061', '--event-start-date', '2026-04-01', '--tolerance', '2')
    expect(later.stdout).toMatch(/\nbalance of +at +before +made /)
  })

  test('says what it was asked for that is not there', async () => {
    expect(await run('chain', 'NOBODY-HAD-IT')).toMatchObject({ code: 1, stderr: expect.stringContaining('No event') })
  })
})

describe('trace', () => {
  test('shows links, places and sources; as JSON everything', async () => {
    const { code, stdout, stderr } = await run('trace', 'TRACED-1')
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(
      /^Lot TRACED-1: 2 events, 2 lines, 2 places, 1 source\n\nfirst received .*\n.* GV-COOLER-1 +DC-07 +\d+ case +S1\n/,
    )
    expect(JSON.parse((await run('trace', 'TRACED-1', '--json')).stdout)).toMatchObject({ totals: { events: 2 } })
  })

  test('saves a drawing under its own name and prints a table of lines', async () => {
    const path = join(folder, 'lot.svg')
    const saved = await run('trace', 'TRACED-1', '--format', 'svg', '--output', path)
    expect(saved.stdout).toBe('')
    expect(saved.stderr).toMatch(/^Saved .*lot\.svg: \d.* KiB, .*\/s\.\n$/)
    expect(await readFile(path, 'utf8')).toMatch(/^<svg[\s\S]*<\/svg>\s*$/)
    const csv = await run('trace', 'TRACED-1', '--format', 'csv', '-o', folder)
    expect(csv.code).toBe(0)
    expect(await readFile(join(folder, 'lot-TRACED-1.csv'), 'utf8')).toMatch(/^lotCode,match,/)
    expect((await run('trace', 'TRACED-1', '--format', 'csv')).stdout.trim().split('\n')).toHaveLength(3)
  })

  test('shows lot codes that read alike in a separate table, which is the only one if there is no other line', async () => {
    const { code, stdout, stderr } = await run('trace', 'traced 1')
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(
      /^Lot traced 1: 0 events, 0 lines, 0 places, 0 sources\n\nreads alike +received .*\n"TRACED-1" /,
    )
    expect(stdout).toContain('2 lines have lot codes that read alike')
  })

  test.each<[readonly string[], number, RegExp]>([
    [['trace', 'NOBODY-HAD-IT'], 1, /No receiving or shipping event has this lot code/],
    [['trace', 'TRACED-1', '--format', 'pdf'], 2, /Allowed choices are json, csv, svg/],
    [['trace', 'TRACED-1', '--gtin', 'x'], 1, /gtin/],
    [
      ['trace', 'TRACED-1', '-o', '/nowhere/lot.json'],
      1,
      /^lotkeeper: \/nowhere\/lot\.json cannot be written: there is no such folder\.\n$/,
    ],
    [['trace'], 2, /missing required argument/],
  ])('%j ends with %i and says why', async (args, code, says) => {
    const end = await run(...args)
    expect(end.code, end.stderr).toBe(code)
    expect(end.stderr).toMatch(says)
  })
})

describe('what was shipped', () => {
  let own: Record<string, string>
  const asked = (...args: readonly string[]) => runCommand(args, own)
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    const provider = await service.provider()
    own = { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: await provider.key('reader') }
    const stored = [
      ['shippingEvent', 'PO-1', 56],
      ['receivingEvent', 'PO-1', 50],
      ['shippingEvent', 'PO-2', 9],
    ] as const
    for (const [kind, order, quantity] of stored) {
      const body = kind === 'shippingEvent' ? shippingPayload() : eventPayload()
      const { eventList: event } = body
      Object.assign(event, { purchaseOrderNumber: order, billOfLadingNumber: `B-${order}`, asnNumber: undefined })
      event.eventDateTime = `2026-03-0${kind === 'shippingEvent' ? 4 : 5}T12:00:00Z`
      event.productList = [{ ...event.productList[0], caseLotNumber: `LEG-${order}`, shipQuantity: quantity }]
      const reply = await provider.call('POST', paths[kind], { body })
      expect(reply.status, reply.text).toBe(201)
      ids[`${kind} ${order}`] = reply.body.request_ids[0]
    }
  })

  test('is in the trace of its lot with what arrived of it, also where nothing did', async () => {
    const { stdout } = await asked('trace', 'LEG-PO-1')
    expect(stdout).toMatch(/^Lot LEG-PO-1: 1 event, .*, 1 shipping event\n/)
    expect(stdout).toMatch(/\nfirst shipped +from +to +shipped +received +missing +arrival\n/)
    expect(stdout).toMatch(/\n2026-03-04T12:00:00Z +GV-COOLER-1 +DC-07 +56 case +50 case +6 case +partly received\n/)
    const alone = (await asked('trace', 'LEG-PO-2')).stdout
    expect(alone).toMatch(/^Lot LEG-PO-2: 0 events, .*\n\nfirst shipped .*\n.* 9 case +9 case +not received\n/)
  })

  test('is a sheet of its own for FDA, beside that of what was received', async () => {
    const rowsOf = async (sheet: string, ...more: readonly string[]) => {
      const args = ['export', 'fda', '--format', 'csv', '--sheet', sheet, ...more]
      const { code, stdout, stderr } = await asked(...args)
      expect(code, stderr).toBe(0)
      return stdout.trimEnd().split('\r\n')
    }
    const [heading, ...shipped] = await rowsOf('shipping')
    expect(heading).toContain('Shipping Date (mm/dd/yyyy)')
    expect(shipped.map((row) => /LEG-PO-\d/.exec(row)?.[0]).sort()).toEqual(['LEG-PO-1', 'LEG-PO-2'])
    expect(await rowsOf('shipping', '--lot-code', 'LEG-PO-2')).toHaveLength(2)
    const received = await rowsOf('receiving')
    expect(received).toHaveLength(2)
    expect(received[0]).not.toBe(heading)
    const saved = await asked('export', 'fda', '--format', 'csv', '--sheet', 'shipping', '-o', folder)
    expect(saved.stderr).toMatch(/^Saved .*shipping.*\.csv/)
    expect((await asked('export', 'fda', '--format', 'csv', '--sheet', 'colour')).code).toBe(2)
  })

  test('is compared with what was received: counted, listed, as JSON and as a file', async () => {
    const march = ['differences', '--event-start-date', '2026-03-01', '--event-end-date', '2026-03-31']
    const { code, stdout, stderr } = await asked(...march)
    expect(code, stderr).toBe(0)
    const [title, , heading, vendor, , columns, ...rows] = stdout.trimEnd().split('\n')
    expect(title).toBe(
      'Shipped and received 2026-03-01 to 2026-03-31: 2 differences between 2 shipping events and 1 receiving event',
    )
    expect([heading, vendor]).toEqual([
      expect.stringMatching(/^vendor +differences +kinds +name$/),
      expect.stringMatching(/^\S+ +2 {2}1 not received, 1 quantity/),
    ])
    expect(columns).toMatch(/^date +kind +vendor +document +difference +shipped in +received in$/)
    expect(rows).toHaveLength(2)
    expect(rows.find((row) => row.includes('PO-1'))).toMatch(
      new RegExp(`Shipped 56 case, received 50 case\\. +${ids['shippingEvent PO-1']} +${ids['receivingEvent PO-1']}$`),
    )
    const one = await asked(...march, '--limit', '1')
    expect(one.stdout.trimEnd().split('\n')).toHaveLength(7)
    expect(one.stderr).toMatch(/There are more\. Continue with --cursor \S+, or list all with --all\.\n$/)
    const all = JSON.parse((await asked(...march, '--limit', '1', '--all', '--json')).stdout)
    expect(all).toMatchObject({ differences: 2, nextCursor: null, content: [{ date: '2026-03-04' }, {}] })
    expect((await asked(...march, '--format', 'csv', '-o', folder)).stderr).toMatch(/^Saved .*\.csv/)
    const saved = await readFile(join(folder, 'differences-2026-03-01-to-2026-03-31.csv'), 'utf8')
    expect(saved.trimEnd().split('\r\n')).toHaveLength(3)
    for (const args of [
      ['--kind', 'colour'],
      ['-o', folder],
      ['--under-way-days', '91'],
    ])
      expect((await asked(...march, ...args)).code, args.join(' ')).toBe(2)
  })
})

describe('export epcis', () => {
  test('is one document with the events of all pages', async () => {
    const { code, stdout, stderr } = await run('export', 'epcis')
    expect(code, stderr).toBe(0)
    const document = JSON.parse(stdout)
    expect(document).toMatchObject({ type: 'EPCISQueryDocument', schemaVersion: '2.0' })
    const { eventList } = document.epcisBody.queryResults.resultsBody
    expect(new Set(eventList.map(({ eventID }: { eventID: string }) => eventID)).size).toBe(eventList.length)
    expect(eventList.filter(({ type }: { type: string }) => type === 'ObjectEvent')).toHaveLength(eventCount)
  })

  test('for a capture interface is one document a line, each small, with the same events', async () => {
    const { code, stdout, stderr } = await run('export', 'epcis', '--document-type', 'EPCISDocument')
    expect(code, stderr).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines.every((line) => Buffer.byteLength(line) < 100_000)).toBe(true)
    const events = lines.flatMap((line) => JSON.parse(line).epcisBody.eventList)
    const whole = JSON.parse((await run('export', 'epcis')).stdout).epcisBody.queryResults.resultsBody.eventList
    expect(events).toEqual(whole)
  })

  test('takes the filters of the operation, and options may be repeated', async () => {
    const found = async (...args: readonly string[]) =>
      JSON.parse((await run('export', 'epcis', ...args)).stdout).epcisBody.queryResults.resultsBody.eventList.filter(
        ({ type }: { type: string }) => type === 'ObjectEvent',
      ).length
    expect(await found('--lot-code', 'TRACED-1')).toBe(2)
    expect(await found('--lot-code', 'TRACED-1', '--lot-code', 'OTHER-7', '--lot-code', 'NOBODY')).toBe(3)
    expect((await run('export', 'epcis', '--event-start-date', 'March')).code).toBe(2)
    expect((await run('export', 'xml')).code).toBe(2)
  })
})

describe('an export that nothing fits', () => {
  test.each<readonly string[]>([
    ['fda', '--lot-code', 'NOPE'],
    ['fda', '--format', 'csv', '--lot-code', 'TRACED-1', '--ftl-category', 'tomatoes'],
    ['package', '--event-start-date', '2999-01-01'],
    ['epcis', '--lot-code', 'NOPE'],
  ])('%s %s %s ends with 1, says so, and leaves no file', async (...args) => {
    const before = await readdir(folder)
    for (const to of [['-o', folder], args.includes('csv') || args[0] === 'epcis' ? [] : ['-o', folder]]) {
      const { code, stdout, stderr } = await run('export', ...args, ...to)
      expect(code).toBe(1)
      expect(stdout).toBe('')
      expect(stderr).toMatch(/^lotkeeper: No (product line|receiving event) matches\. .* Nothing was written\.\n$/)
    }
    expect(await readdir(folder)).toEqual(before)
  })
})

test('an export that nothing fits names lot codes that read alike, and records that had the lot code until a correction', async () => {
  const provider = await service.provider()
  const own = { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: await provider.key('reader') }
  const created = await provider.call('POST', '/data-provider/events/receiving', {
    body: eventPayload(({ eventList }) => {
      eventList.productList[0].caseLotNumber = 'WRONG-1'
    }),
  })
  const [id] = created.body.request_ids
  const { body } = await provider.call('GET', `/data-provider/events/receiving/${id}`)
  body.eventList.productList[0].caseLotNumber = 'RIGHT-1'
  await provider.call('PUT', `/data-provider/events/receiving/${id}`, { body })
  const said = async (...args: readonly string[]) =>
    (await runCommand(['export', 'fda', ...args, '-o', folder], own)).stderr
  expect(await said('--lot-code', 'WRONG-1')).toMatch(
    new RegExp(`No product line matches.* Record ${id} had WRONG-1 until version 1, now .*RIGHT-1`),
  )
  expect(await said('--lot-code', 'right 1')).toMatch(/read alike are on 1 line: RIGHT-1\. --read-alike includes them/)
  const { stdout } = await runCommand(
    ['export', 'fda', '--format', 'csv', '--lot-code', 'right 1', '--read-alike'],
    own,
  )
  expect(stdout).toContain('RIGHT-1')
})

describe('export fda and package', () => {
  test('save the file under the name that the service gives it', async () => {
    for (const [word, name, begins] of [
      ['fda', /\.xlsx$/, 'PK'],
      ['package', /\.zip$/, 'PK'],
    ] as const) {
      const { code, stdout, stderr } = await run('export', word, '--lot-code', 'TRACED-1', '--gaps', '-o', folder)
      expect(code, stderr).toBe(0)
      expect(stdout).toBe('')
      const saved = (await readdir(folder)).find((file) => name.test(file)) ?? ''
      expect(stderr).toContain(saved)
      expect((await readFile(join(folder, saved))).toString('latin1', 0, 2)).toBe(begins)
    }
  })

  test('write CSV to stdout, and say what cannot be', async () => {
    const { stdout } = await run('export', 'fda', '--format', 'csv', '--lot-code', 'TRACED-1')
    expect(stdout.match(/TRACED-1/g)).toHaveLength(2)
    const two = await run('export', 'fda', '--format', 'csv', '--lot-code', 'OTHER-7', '--lot-code', 'OTHER-8')
    expect(two.stdout.match(/OTHER-\d+/g)?.sort()).toEqual(['OTHER-7', 'OTHER-8'])
    const refused = await run('export', 'fda', '--format', 'csv', '--gaps')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/^lotkeeper: .*gaps/)
    expect((await run('export', 'fda', '--format', 'pdf')).code).toBe(2)
  })
})

test('a download that breaks off leaves no file', async () => {
  const path = join(folder, 'broken.bin')
  const parts = async function* () {
    yield 'the first part'
    throw new Error('The connection broke.')
  }
  await expect(download({ name: 'x', parts: parts() }, path)).rejects.toThrow('The connection broke.')
  expect((await readdir(folder)).filter((name) => name.startsWith('broken'))).toEqual([])
})

describe('plan', () => {
  test('is shown with what it lacks, replaced from a file that show printed, and not over a version somebody else stored', async () => {
    const provider = await service.provider()
    const own = { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: await provider.key('administrator') }
    const ran = (...args: readonly string[]) => runCommand(['plan', ...args], own)
    const none = await ran('show')
    expect(none.stdout).toMatch(/^No traceability plan is stored\.\n/)
    expect(none.stderr).toContain('21 CFR 1.1315(a)(4): No point of contact is named.')
    const example = fileURLToPath(new URL('../../examples/traceability-plan.json', import.meta.url))
    expect(await ran('set', example)).toMatchObject({ code: 0, stderr: '' })
    const printed = await ran('show', '--json')
    expect(JSON.parse(printed.stdout)).toEqual(JSON.parse(await readFile(example, 'utf8')))
    const path = join(folder, 'plan.json')
    await writeFile(path, printed.stdout.replace('Ana Lopez', 'Sam Reed'))
    expect((await ran('set', path, '--if-match', '1')).stdout).toBe('Version 2 of the traceability plan is in force.\n')
    expect((await ran('show', '--version', '1')).stdout).toContain('Ana Lopez, Compliance manager')
    expect((await ran('versions')).stdout.trim().split('\n')).toHaveLength(3)
    const late = await ran('set', example, '--if-match', '1')
    expect([late.code, late.stdout]).toEqual([1, ''])
    expect(late.stderr).toContain('version 2')
  })
})

describe('unit-conversions', () => {
  test('are set from a file that get printed, and a file that is wrong sets nothing', async () => {
    const provider = await service.provider()
    const own = { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: await provider.key('administrator') }
    const ran = (...args: readonly string[]) => runCommand(['unit-conversions', ...args], own)
    expect((await ran('get')).stdout).toBe('No conversion is set.\n')
    const units = [{ unit: 'case', quantity: 24, inUnit: 'each' }]
    const conversions = [{ units }, { itemCode: 'ROM-24', dataProviderVendorId: 'V-1001', units }]
    const path = join(folder, 'units.json')
    await writeFile(path, JSON.stringify({ conversions }))
    expect(await ran('set', path)).toMatchObject({ code: 0, stdout: 'Set the conversions of 2 items.\n' })
    const printed = await ran('get', '--json')
    expect(JSON.parse(printed.stdout)).toEqual({ conversions })
    expect((await ran('get')).stdout).toMatch(
      /^item +vendor +conversions\nall items +1 case = 24 each\nROM-24 +V-1001 +1 case = 24 each\n$/,
    )
    await writeFile(path, printed.stdout.replaceAll('24,', '0,'))
    const refused = await ran('set', path)
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toContain('It must be more than 0')
    await writeFile(path, '{ "conversions": [')
    expect((await ran('set', path)).stderr).toMatch(/units\.json:1:\d+: /)
    expect(JSON.parse((await ran('get', '--json')).stdout)).toEqual({ conversions })
  })
})
