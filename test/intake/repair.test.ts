// Broken anywhere, imported, repaired and imported again: the records are those of the unbroken
// file, and no event is ever stored in part.
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import {
  brokenFile,
  csvFile,
  expectAmong,
  imported,
  inOrder,
  repaired,
  repairedInPart,
  serviceInMemory,
} from '../support/files/broken-files.ts'
import { allowMs } from '../support/patience.ts'
import { eventPayload, type Payload } from '../support/records/payloads.ts'
import { runs } from '../support/runs.ts'

vi.setConfig({ testTimeout: allowMs(180_000) })

test('rows broken anywhere and repaired give the records of the unbroken file', async () => {
  await fc.assert(
    fc.asyncProperty(brokenFile, fc.boolean(), async (file, replace) => {
      const unbroken = serviceInMemory()
      expect((await imported(unbroken.calls, csvFile(file.whole, file.kind), 'in.csv', false)).rejections).toEqual([])
      const wanted = inOrder(unbroken.payloads())

      const service = serviceInMemory()
      const first = await imported(service.calls, csvFile(file.broken, file.kind), 'in.csv', replace)
      // What is stored is whole, and every row is either stored or rejected.
      expectAmong(inOrder(service.payloads()), wanted)
      if (first.rejections.length > 0) {
        const second = await imported(
          service.calls,
          await repaired(first.rejectedText, file),
          'in.rejected.csv',
          replace,
        )
        expect(second.rejections).toEqual([])
      }
      expect(inOrder(service.payloads())).toEqual(wanted)
    }),
    { numRuns: runs(300) },
  )
})

test('rows of which only some are repaired never store a part of an event', async () => {
  await fc.assert(
    fc.asyncProperty(brokenFile, fc.infiniteStream(fc.boolean()), fc.boolean(), async (file, choices, replace) => {
      const unbroken = serviceInMemory()
      await imported(unbroken.calls, csvFile(file.whole, file.kind), 'in.csv', false)
      const wanted = inOrder(unbroken.payloads())
      const service = serviceInMemory()
      let left = await imported(service.calls, csvFile(file.broken, file.kind), 'in.csv', replace)
      for (let round = 0; round < 3 && left.rejections.length > 0; round++) {
        const text = await repairedInPart(left.rejectedText, file, () => choices.next().value)
        left = await imported(service.calls, text, 'in.rejected.csv', replace)
        expectAmong(inOrder(service.payloads()), wanted)
      }
    }),
    { numRuns: runs(100) },
  )
})

test('payloads broken anywhere and repaired give the records of the unbroken file', async () => {
  const damage = fc.constantFrom<(text: string) => string>(
    (text) => text.slice(0, -1),
    (text) => text.slice(0, text.length / 2),
    (text) => `[${text}]`,
    () => '{}',
    () => '[1]',
    (text) => text.replace('"shipQuantity":', '"shipQuantity":"many","x":'),
    (text) => text.replace('"eventDateTime":', '"eventDateTime":7,"y":'),
    (text) => text.replaceAll(':', '='),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.boolean(), damage), { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      async (lines, replace) => {
        const payloads: readonly Payload[] = lines.map(() => eventPayload())
        const whole = payloads.map((payload) => JSON.stringify(payload))
        const handedIn = whole.map((text, i) => (lines[i]?.[0] ? (lines[i]?.[1](text) ?? '') : text))
        // The first line decides that these are payloads.
        const start = JSON.stringify(eventPayload())
        const service = serviceInMemory()
        const first = await imported(service.calls, [start, ...handedIn].join('\n'), 'in.ndjson', replace)
        const bad = lines.flatMap(([isBad], i) => (isBad ? [whole[i] ?? ''] : []))
        expect(first.rejections).toHaveLength(bad.length)
        expect(service.payloads()).toHaveLength(1 + whole.length - bad.length)
        if (bad.length > 0) {
          const left = await imported(service.calls, first.rejectedText, 'in.rejected.ndjson', replace)
          expect(left.rejections).toHaveLength(bad.length)
          const second = await imported(service.calls, bad.join('\n'), 'in.rejected.ndjson', replace)
          expect(second.rejections).toEqual([])
        }
        expect(inOrder(service.payloads())).toEqual(inOrder([...payloads, JSON.parse(start)]))
      },
    ),
    { numRuns: runs(200) },
  )
})
