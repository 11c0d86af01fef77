// An export of a damaged database goes on and says what is missing, or is a problem that does.
// Source: decision 0075.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exported, importArchive, type Line, linesOf } from '../../support/files/archives.ts'
import { download } from '../../support/files/download.ts'
import { textIn, unzipped } from '../../support/files/read-workbook.ts'
import { changed, eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { runCommand } from '../../support/servers/server-process.ts'
import { calling, type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
let folder: string
beforeAll(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'lotkeeper-damaged-'))
})
afterAll(async () => {
  await service?.close()
  await rm(folder, { recursive: true, force: true })
})

const inDatabase = (text: string, values: unknown[]) => service.database.pool.query(text, values)
const lose = ({ id: provider }: TestProvider, id: string, version: number) =>
  inDatabase('DELETE FROM record_version WHERE provider_id = $1 AND record_id = $2 AND version = $3', [
    provider,
    id,
    version,
  ])

/** Puts a copy of the last version behind it, as somebody does who knows the tables. */
async function forge({ id: provider }: TestProvider, id: string, from: number): Promise<void> {
  await inDatabase(
    `INSERT INTO record_version (provider_id, record_id, version, kind, submitted_at, key_id, request_id, content_hash, detail, version_hash)
     SELECT provider_id, record_id, version + 1, kind, submitted_at, key_id, request_id, content_hash, detail, version_hash
     FROM record_version WHERE provider_id = $1 AND record_id = $2 AND version = $3`,
    [provider, id, from],
  )
  await inDatabase('UPDATE record SET version = version + 1 WHERE provider_id = $1 AND id = $2', [provider, id])
}

const lot = 'LOT-lost'

async function created({ call }: TestProvider, versions = 1): Promise<string> {
  const body: Payload = eventPayload((payload) => {
    payload.eventList.productList[0].caseLotNumber = lot
  })
  const reply = await call('POST', paths.receivingEvent, { body })
  expect(reply.status, reply.text).toBe(201)
  const [id] = reply.body.request_ids
  for (let version = 2; version <= versions; version++) {
    changed.receivingEvent(body)
    expect((await call('PUT', `${paths.receivingEvent}/${id}`, { body })).status).toBe(200)
  }
  return id
}

const verified = async (archive: string): Promise<string> => {
  const path = join(folder, 'archive.ndjson')
  await writeFile(path, archive)
  const { code, stdout } = await runCommand(['verify', path], {})
  expect(code).toBe(1)
  return stdout
}

describe('an archive', () => {
  test.each([
    ['the last version', 3],
    ['a version in the middle', 2],
    ['the first version', 1],
  ])('is made without %s, which it names in its place', async (_what, version) => {
    const provider = await service.provider()
    const [lost, beside] = [await created(provider, 3), await created(provider)]
    await exported(provider)
    await lose(provider, lost, version)
    const archive = await exported(provider)
    const lines: Line[] = linesOf(archive).map((line) => JSON.parse(line))
    expect(lines.filter(({ is }) => is === 'missing')).toEqual([{ is: 'missing', id: lost, version }])
    expect(lines.filter(({ is }) => is === 'version').map(({ id }) => id)).toContain(beside)
    expect(lines.at(-1)).toMatchObject({
      is: 'end',
      missing: 1,
      versions: 3 + lines.filter(({ kind }) => kind === 'location').length,
    })
    const words = await verified(archive)
    expect(words).toMatch(new RegExp(`version ${version} of record ${lost}: This version was missing in the database`))
    // Nothing else is blamed for it.
    expect(words.trim().split('\n')).toHaveLength(1)
    const reply = await importArchive(service, await service.provider(), archive)
    expect([reply.status, reply.body.type]).toEqual([422, '/docs/problems/notFitting'])
    expect(reply.body.detail).toContain(`Version ${version} of record ${lost} is missing`)
  })

  test('names a version that was lost before it came under a checkpoint', async () => {
    const provider = await service.provider()
    const lost = await created(provider, 2)
    await lose(provider, lost, 2)
    expect(await verified(await exported(provider))).toContain(`version 2 of record ${lost}: This version was missing`)
  })

  test('has a version that was added past the service, now and after later checkpoints', async () => {
    const provider = await service.provider()
    const forged = await created(provider, 4)
    await exported(provider)
    await forge(provider, forged, 4)
    for (let round = 0; round < 2; round++) {
      const archive = await exported(provider)
      expect(JSON.parse(linesOf(archive).at(-1) ?? '')).toMatchObject({ is: 'end', added: 1 })
      expect(await verified(archive)).toMatch(
        new RegExp(`version 5 of record ${forged}: It was added past the service: it is under no checkpoint`),
      )
      await created(provider)
    }
  })

  test('is made without a checkpoint that is gone, and says so', async () => {
    const provider = await service.provider()
    for (let i = 0; i < 3; i++) {
      await created(provider)
      await exported(provider)
    }
    await inDatabase('DELETE FROM checkpoint WHERE provider_id = $1 AND number = 2', [provider.id])
    const words = await verified(await exported(provider))
    expect(words).toContain('Checkpoint 2 is missing')
    expect(words).toContain('It was added past the service: it is under no checkpoint')
  })

  test('ends the command with exit code 1 and the way to the names', async () => {
    const provider = await service.provider()
    await lose(provider, await created(provider), 1)
    const env = { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: await provider.key('reader') }
    const path = join(folder, 'from-command.ndjson')
    const { code, stderr } = await runCommand(['export', 'ndjson', '--output', path], env)
    expect([code, stderr]).toEqual([1, expect.stringContaining('The file is not complete: 1 version in the database')])
    expect(await readFile(path, 'utf8')).toContain('"is":"missing"')
  })
})

describe('for FDA', () => {
  test('the package is made, and says first that it is not complete and what is missing', async () => {
    const provider = await service.provider()
    const [lost, patched, beside] = [await created(provider, 2), await created(provider, 3), await created(provider)]
    await lose(provider, lost, 2)
    await lose(provider, patched, 2)
    const { status, headers, bytes } = await download(service, provider, '/traceability/fda-package')
    expect([status, headers.get('damaged-count'), headers.get('record-count')]).toEqual([200, '2', '2'])
    const files = unzipped(bytes)
    const page = textIn(files['explanation.html'])
    expect(page.indexOf('This package is not complete')).toBeLessThan(page.indexOf('Filters of this export'))
    for (const text of [lost, patched, '2, the current one', 'V-1001', 'PO-88120']) expect(page).toContain(text)
    const manifest = JSON.parse(textIn(files['manifest.json']))
    expect(manifest).toMatchObject({ complete: false, counts: { events: 2 } })
    expect(manifest.missing).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: lost, version: 2, isCurrent: true, kind: 'receivingEvent' }),
        expect.objectContaining({ id: patched, version: 2, isCurrent: false }),
      ]),
    )
    expect(beside).not.toBe('')
  })

  test('the package of a link counts what is missing too, for whoever has no key', async () => {
    const provider = await service.provider()
    await created(provider)
    await lose(provider, await created(provider, 2), 2)
    const administrator = calling(service.url, await provider.key('administrator'))
    const link = await administrator('POST', `/package-links?lotCode=${lot}`, { body: { label: 'FDA' } })
    expect(link.status, link.text).toBe(201)
    const { path, code } = link.body
    const fetched = await fetch(service.url + path, { method: 'POST', body: new URLSearchParams({ code }) })
    expect([fetched.status, fetched.headers.get('damaged-count')]).toEqual([200, '1'])
    const files = unzipped(new Uint8Array(await fetched.arrayBuffer()))
    expect(textIn(files['explanation.html'])).toContain('This package is not complete')
  })

  test('a whole package says nothing of it', async () => {
    const provider = await service.provider()
    await created(provider, 2)
    const { headers, bytes } = await download(service, provider, '/traceability/fda-package')
    const files = unzipped(bytes)
    expect(headers.get('damaged-count')).toBe(null)
    expect(textIn(files['explanation.html'])).not.toContain('not complete')
    expect(JSON.parse(textIn(files['manifest.json'])).missing).toBe(undefined)
  })
})

test.each([
  ['the spreadsheet', '/traceability/fda-spreadsheet'],
  ['its sheet as CSV', '/traceability/fda-spreadsheet?format=csv'],
  ['EPCIS', '/traceability/epcis'],
  ['a list as a file', '/lists/receiving-events/file?format=csv'],
  ['the trace of its lot', `/traceability/lots/${lot}`],
])('%s is a problem that names record and version, and not half a file', async (_what, path) => {
  const provider = await service.provider()
  const lost = await created(provider, 2)
  await lose(provider, lost, 2)
  const reply = await provider.call('GET', path)
  expect([reply.status, reply.body.type], reply.text.slice(0, 300)).toEqual([500, '/docs/problems/damaged'])
  expect(reply.body.detail).toContain(`version 2 of record ${lost}`)
})

test('a trace of other events of the lot is made, and says what it lacks', async () => {
  const provider = await service.provider()
  const [lost, beside] = [await created(provider, 2), await created(provider)]
  await lose(provider, lost, 2)
  const { status, body, text } = await provider.call('GET', `/traceability/lots/${lot}`)
  expect(status, text).toBe(200)
  expect(text).toContain(beside)
  expect(JSON.stringify(body)).toContain(`Missing in the database: version 2 of record ${lost}`)
})

test('the feed of changes goes on behind a version that is missing, and a page names it', async () => {
  const provider = await service.provider()
  const [lost, patched] = [await created(provider, 2), await created(provider, 2)]
  await exported(provider)
  await lose(provider, lost, 2)
  await lose(provider, patched, 1)
  for (const query of ['', '&dataProviderVendorId=V-1001']) {
    const { status, body, text } = await provider.call('GET', `/changes?limit=200${query}`)
    expect(status, text).toBe(200)
    const named = body.content.map(({ id, version }: Payload) => `${id}.${version}`)
    expect(named).toEqual(expect.arrayContaining([`${lost}.1`, `${patched}.2`]))
    expect(named).not.toContain(`${lost}.2`)
    expect(body.damaged).toEqual(
      expect.arrayContaining([
        { id: lost, version: 2 },
        { id: patched, version: 1 },
      ]),
    )
  }
})
