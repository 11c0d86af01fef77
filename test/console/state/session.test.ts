// The key of a tab: kept for the tab, ended when the service no longer takes it, and never shown as
// another's. First: files of the console look for a browser when they are loaded.
import '../../support/console-page.ts'

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { copy, curlOf } from '../../../src/console/files/clipboard.ts'
import { useAway } from '../../../src/console/state/connection.ts'
import { dismiss, say, useNotices } from '../../../src/console/state/notices.ts'
import {
  patientClient,
  signIn,
  signOut,
  useMay,
  useOpenSession,
  useSession,
  useSessionEnded,
} from '../../../src/console/state/session.ts'
import { applyTheme, chooseTheme, useTheme } from '../../../src/console/state/theme.ts'
import { drawn, settled } from '../../support/console-page.ts'

const own = { id: '0123456789abcdef', name: 'desk', role: 'reader', provider: 'Green Valley' }

/** Answers of the service, by the key that asks. */
const service = vi.fn<(key: string) => Response>()
const answer = (status: number, body: unknown, type = 'application/json') =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': type } })
const refusal = (status: number) =>
  answer(
    status,
    { type: '/docs/problems/x', title: '', status, detail: 'why', instance: 'urn:uuid:1' },
    'application/problem+json',
  )

beforeEach(() => {
  service.mockReset().mockImplementation(() => answer(200, own))
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) =>
    service(new Headers(init?.headers).get('authorization') ?? ''),
  )
})
afterEach(async () => {
  await settled(signOut)
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const seen = () => drawn(() => ({ session: useSession(), ended: useSessionEnded() }))

describe('a session', () => {
  test('begins with a key that the service takes, and is kept for this tab', async () => {
    const page = await seen()
    expect(page.now()).toEqual({ session: undefined, ended: false })
    await settled(() => signIn('lk_good'))
    expect(page.now()).toMatchObject({ session: { key: 'lk_good', own, role: 'reader' }, ended: false })
    expect(service).toHaveBeenCalledWith('Bearer lk_good')
    expect(JSON.parse(sessionStorage.getItem('lotkeeper.session') ?? '')).toEqual({ key: 'lk_good', own })
    expect(localStorage.getItem('lotkeeper.session')).toBeNull()
    await page.leave()
  })

  test('does not begin with a key that it refuses', async () => {
    service.mockImplementation(() => refusal(401))
    const page = await seen()
    await expect(signIn('lk_bad')).rejects.toMatchObject({ name: 'ProblemError', status: 401 })
    await page.draw()
    expect(page.now()).toEqual({ session: undefined, ended: false })
    expect(sessionStorage.getItem('lotkeeper.session')).toBeNull()
    await page.leave()
  })

  test('ends when the service no longer takes its key, and says so; not when one call is refused', async () => {
    const page = await seen()
    await settled(() => signIn('lk_good'))
    service.mockImplementation(() => refusal(403))
    await expect(page.now().session?.api.listKeys()).rejects.toMatchObject({ status: 403 })
    await page.draw()
    expect(page.now().session?.key).toBe('lk_good')
    service.mockImplementation(() => refusal(401))
    await expect(page.now().session?.api.listKeys()).rejects.toMatchObject({ status: 401 })
    await page.draw()
    expect(page.now()).toEqual({ session: undefined, ended: true })
    expect(sessionStorage.getItem('lotkeeper.session')).toBeNull()
    await page.leave()
  })

  test('ends without a word when the reader signs out', async () => {
    const page = await seen()
    await settled(() => signIn('lk_good'))
    await settled(signOut)
    expect(page.now()).toEqual({ session: undefined, ended: false })
    await page.leave()
  })

  test('offers what the role of its key may do, and nothing more', async () => {
    await signIn('lk_good')
    const page = await drawn(() => [useMay('reader'), useMay('writer'), useMay('administrator')])
    expect(page.now()).toEqual([true, false, false])
    await page.leave()
  })

  test('is needed by pages that show records', async () => {
    await expect(drawn(useOpenSession)).rejects.toThrow('Nobody is signed in.')
  })

  test('sees that the service is away, and sends a call of long work many times', async () => {
    vi.useFakeTimers()
    const page = await drawn(() => ({ session: useSession(), away: useAway() }))
    await settled(() => signIn('lk_good'))
    service.mockImplementation(() => {
      throw new TypeError('refused')
    })
    const call = expect(page.now().session?.api.listKeys()).rejects.toMatchObject({ name: 'UnreachableError' })
    await settled(() => vi.advanceTimersByTimeAsync(400))
    await call
    expect(page.now().away).toBe(true)
    service.mockImplementation(() => answer(200, {}))
    await settled(() => vi.advanceTimersByTimeAsync(5_000))
    expect(page.now().away).toBe(false)

    let retries = 0
    service.mockImplementation(() => refusal(503))
    const session = page.now().session
    if (session === undefined) throw new Error('Nobody is signed in.')
    const work = patientClient(session, () => retries++).listKeys()
    const ended = expect(work).rejects.toMatchObject({ status: 503 })
    await vi.advanceTimersByTimeAsync(600_000)
    await ended
    expect(retries).toBe(12)
    await page.leave()
  })
})

describe('notices', () => {
  test('of what was done go by themselves, of what failed when they are dismissed; three are shown at most', async () => {
    vi.useFakeTimers()
    const page = await drawn(useNotices)
    const words = () => page.now().map((notice) => notice.words)
    await settled(() => {
      say('one')
      say('two', 'failed')
    })
    await settled(() => vi.advanceTimersByTime(6_000))
    expect(words()).toEqual(['two'])
    await settled(() => {
      for (const text of ['three', 'four', 'five']) say(text, 'failed')
    })
    expect(words()).toEqual(['three', 'four', 'five'])
    for (const { id } of page.now()) await settled(() => dismiss(id))
    expect(words()).toEqual([])
    await page.leave()
  })

  test('say whether a text was copied', async () => {
    const page = await drawn(useNotices)
    vi.stubGlobal('navigator', { clipboard: { writeText: async () => undefined } })
    await settled(() => copy('text', 'Id'))
    expect(page.now().at(-1)).toMatchObject({ words: 'Id copied', tone: 'done' })
    vi.stubGlobal('navigator', {})
    await settled(() => copy('text', 'Id'))
    expect(page.now().at(-1)).toMatchObject({ tone: 'failed' })
    await page.leave()
  })
})

test('a command to copy names the address and never the key', () => {
  expect(curlOf('/keys/own')).toBe('curl -H "Authorization: Bearer $KEY" http://localhost/keys/own')
})

test('a theme is applied at once and kept', async () => {
  const page = await drawn(useTheme)
  Object.defineProperty(document, 'documentElement', { value: { dataset: {} }, configurable: true })
  applyTheme()
  expect([page.now(), document.documentElement.dataset.theme]).toEqual(['system', 'system'])
  await settled(() => chooseTheme('dark'))
  expect([page.now(), document.documentElement.dataset.theme, localStorage.getItem('lotkeeper.theme')]).toEqual([
    'dark',
    'dark',
    'dark',
  ])
  await page.leave()
})
