// The import engine against a real service: broken, repaired and imported again.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { lotkeeper } from '../../../src/client/client.ts'
import { recordCalls } from '../../../src/client/record-calls.ts'
import type { EventKindName } from '../../../src/contract/record-kinds.ts'
import { brokenFile, csvFile, expectAmong, imported, inOrder, repaired } from '../../support/files/broken-files.ts'
import { allowMs } from '../../support/patience.ts'
import { paths } from '../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../support/servers/service.ts'

vi.setConfig({ testTimeout: allowMs(180_000) })

let service: Service
beforeAll(async () => {
  service = await startService({ rateLimitPerMinute: 1_000_000 })
})
afterAll(() => service?.close())

const callsOf = async (provider: TestProvider) =>
  recordCalls(lotkeeper({ url: service.url, key: await provider.key('writer') }), {
    signal: new AbortController().signal,
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
  })

const storedOf = async (provider: TestProvider, kind: EventKindName) =>
  inOrder((await provider.call('GET', `${paths[kind]}?limit=200`)).body.content)

test('rows broken anywhere and repaired give the records of the unbroken file', async () => {
  await fc.assert(
    fc.asyncProperty(brokenFile, fc.boolean(), async (file, replace) => {
      const [whole, mended] = [await service.provider(), await service.provider()]
      await imported(await callsOf(whole), csvFile(file.whole, file.kind), 'in.csv', false)
      const wanted = await storedOf(whole, file.kind)
      const calls = await callsOf(mended)
      const first = await imported(calls, csvFile(file.broken, file.kind), 'in.csv', replace)
      expectAmong(await storedOf(mended, file.kind), wanted)
      if (first.rejections.length > 0) {
        const text = await repaired(first.rejectedText, file)
        expect((await imported(calls, text, 'in.rejected.csv', replace)).rejections).toEqual([])
      }
      expect(await storedOf(mended, file.kind)).toEqual(wanted)
    }),
    { numRuns: 15 },
  )
})
