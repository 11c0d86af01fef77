// Files the console saves: whole or not at all, with their size and hash.
// First: files of the console look for a browser when they are loaded.
import '../../support/pages/console-page.ts'

import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fileOfParts, sizeWords, useSaving } from '../../../src/console/files/saving.ts'
import { drawn, settled } from '../../support/pages/console-page.ts'

/** Names of the files that the browser was given. */
let saved: string[]
beforeEach(() => {
  saved = []
  const element = document.createElement.bind(document)
  const link = { href: '', download: '', click: () => saved.push(link.download) }
  vi.spyOn(document, 'createElement').mockImplementation((tag: string) => (tag === 'a' ? link : element(tag)) as never)
})
afterEach(() => void vi.restoreAllMocks())

const streamOf = (...parts: readonly Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })

describe('a download', () => {
  test('is given to the browser under its name, with its size and its hash', async () => {
    const page = await drawn(useSaving)
    const parts = [new Uint8Array([1, 2]), new Uint8Array([3])]
    const file = { name: 'fda.zip', mediaType: 'application/zip', stream: streamOf(...parts) }
    await settled(() => page.now().save(async () => ({ file })))
    const sha256 = createHash('sha256').update(Buffer.concat(parts)).digest('hex')
    await vi.waitFor(() =>
      expect(page.now().saving).toEqual({ is: 'saved', name: 'fda.zip', bytes: 3, sha256, damaged: 0 }),
    )
    expect(saved).toEqual(['fda.zip'])
    await page.leave()
  })

  test('that breaks is saved nowhere, and told as a lost connection', async () => {
    const page = await drawn(useSaving)
    const stream = new ReadableStream<Uint8Array>({ pull: () => Promise.reject(new TypeError('terminated')) })
    await settled(() => page.now().save(async () => ({ file: { name: 'x', mediaType: '', stream } })))
    expect(page.now().saving).toMatchObject({ is: 'failed', error: { name: 'UnreachableError' } })
    expect(saved).toEqual([])
    await page.leave()
  })

  test('that is cancelled, or whose page is left, is saved nowhere', async () => {
    const page = await drawn(useSaving)
    const signals: AbortSignal[] = []
    const never = (signal: AbortSignal) => {
      signals.push(signal)
      return new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    await settled(() => void page.now().save(never))
    expect(page.now().saving).toMatchObject({ is: 'running' })
    await settled(() => page.now().giveUp())
    expect(page.now().saving).toEqual({ is: 'idle' })
    await settled(() => void page.now().save(never))
    await page.leave()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
    expect(saved).toEqual([])
  })
})

test('text that is made part by part is one file of UTF-8', async () => {
  const parts = async function* () {
    yield 'Größe'
    yield ' ✓'
  }
  const { name, stream } = fileOfParts('events.jsonld', 'application/ld+json', parts())
  expect([name, await new Response(stream).text()]).toEqual(['events.jsonld', 'Größe ✓'])
})

test('sizes are written as people write them', () => {
  expect([999, 1_499, 999_400, 1_400_000].map(sizeWords)).toEqual(['999 bytes', '1 KB', '999 KB', '1.4 MB'])
})
