// Who is signed in in the browser, until the service no longer takes the session. First: files of
// the console look for a browser when they are loaded.
import '../../support/pages/console-page.ts'

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { copy, curlOf } from '../../../src/console/files/clipboard.ts'
import { useAway } from '../../../src/console/state/frame/connection.ts'
import {
  findSession,
  patientClient,
  signIn,
  signOut,
  useMay,
  useOpenSession,
  useSession,
  useSessionEnded,
} from '../../../src/console/state/frame/session.ts'
import { applyTheme, chooseTheme, useTheme } from '../../../src/console/state/frame/theme.ts'
import { dismiss, say, useToasts } from '../../../src/console/state/frame/toasts.ts'
import { drawn, settled } from '../../support/pages/console-page.ts'

const own = { keyId: '0123456789abcdef', label: 'desk', role: 'reader', provider: 'Green Valley' }
const signedIn = { own, session: { kept: false } }

/** Answers of the service, by the address that is asked and the key that asks. */
const service = vi.fn<(path: string, key: string | null) => Response>()
const answer = (status: number, body: unknown, type = 'application/json') =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': type } })
const refusal = (status: number) =>
  answer(
    status,
    { type: '/docs/problems/x', title: '', status, detail: 'why', instance: 'urn:uuid:1' },
    'application/problem+json',
  )

beforeEach(() => {
  service
    .mockReset()
    .mockImplementation((path) =>
      answer(200, path === '/sign-in' ? { signedIn, hasEnded: false } : { ...signedIn, signOutAddress: null }),
    )
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (path, init) =>
    service(String(path), new Headers(init?.headers).get('authorization')),
  )
})
afterEach(async () => {
  service.mockImplementation(() => answer(200, { signOutAddress: null }))
  await settled(signOut)
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const seen = () => drawn(() => ({ session: useSession(), ended: useSessionEnded() }))

describe('a session', () => {
  test('begins with a key that the service takes; the key goes to the service and is kept nowhere', async () => {
    const page = await seen()
    expect(page.now()).toEqual({ session: undefined, ended: false })
    await settled(() => signIn('lk_good', { keep: true }))
    expect(page.now()).toMatchObject({ session: { key: own.keyId, own, role: 'reader' }, ended: false })
    expect(service).toHaveBeenCalledWith('/session', 'Bearer lk_good')
    await page.now().session?.api.listKeys()
    expect(service).toHaveBeenLastCalledWith('/keys', null)
    expect([Object.keys(localStorage), Object.keys(sessionStorage)]).toEqual([[], []])
    await page.leave()
  })

  test('is that of the browser: a page that opens asks who is signed in', async () => {
    const page = await seen()
    await settled(findSession)
    expect(page.now()).toMatchObject({ session: { key: own.keyId, own }, ended: false })
    const { session } = page.now()
    await settled(findSession)
    expect(page.now().session).toBe(session)
    service.mockImplementation(() => answer(200, { signedIn: null, hasEnded: true }))
    await settled(findSession)
    expect(page.now()).toEqual({ session: undefined, ended: true })
    await page.leave()
  })

  test('follows the other tabs of the browser: signed in, as somebody else, and out', async () => {
    const page = await seen()
    const changed = () =>
      dispatchEvent(Object.assign(new Event('storage'), { key: 'lotkeeper.session', newValue: 'x' }))
    await settled(changed)
    expect(page.now().session?.key).toBe(own.keyId)
    const other = { ...own, keyId: 'fedcba9876543210', role: 'writer' }
    service.mockImplementation(() => answer(200, { signedIn: { ...signedIn, own: other }, hasEnded: false }))
    await settled(changed)
    expect(page.now().session).toMatchObject({ key: other.keyId, role: 'writer' })
    service.mockImplementation(() => answer(200, { signedIn: null, hasEnded: false }))
    await settled(changed)
    expect(page.now().session).toBeUndefined()
    await page.leave()
  })

  test('does not begin with a key that it refuses', async () => {
    service.mockImplementation(() => refusal(401))
    const page = await seen()
    await expect(signIn('lk_bad', { keep: false })).rejects.toMatchObject({ name: 'ProblemError', status: 401 })
    await page.draw()
    expect(page.now()).toEqual({ session: undefined, ended: false })
    await page.leave()
  })

  test('ends when the service no longer takes it, and says so; not when one call is refused', async () => {
    const page = await seen()
    await settled(() => signIn('lk_good', { keep: false }))
    service.mockImplementation(() => refusal(403))
    await expect(page.now().session?.api.listKeys()).rejects.toMatchObject({ status: 403 })
    await page.draw()
    expect(page.now().session?.key).toBe(own.keyId)
    service.mockImplementation(() => refusal(401))
    await expect(page.now().session?.api.listKeys()).rejects.toMatchObject({ status: 401 })
    await page.draw()
    expect(page.now()).toEqual({ session: undefined, ended: true })
    await page.leave()
  })

  test('ends without a word when the reader signs out, also where it had ended', async () => {
    const page = await seen()
    await settled(() => signIn('lk_good', { keep: false }))
    await settled(signOut)
    expect(service).toHaveBeenLastCalledWith('/session', null)
    expect(page.now()).toEqual({ session: undefined, ended: false })
    await settled(() => signIn('lk_good', { keep: false }))
    service.mockImplementation(() => refusal(401))
    await settled(signOut)
    expect(page.now()).toEqual({ session: undefined, ended: false })
    await page.leave()
  })

  test('goes on when the service cannot be told that it ends, and says so', async () => {
    const page = await drawn(() => ({ session: useSession(), notices: useToasts() }))
    await settled(() => signIn('lk_good', { keep: false }))
    service.mockImplementation(() => refusal(500))
    await settled(signOut)
    expect(page.now().session?.key).toBe(own.keyId)
    const [notice] = page.now().notices
    expect(notice).toMatchObject({ tone: 'failed', words: expect.stringContaining('You are still signed in.') })
    await settled(() => dismiss(notice?.id ?? 0))
    await page.leave()
  })

  test('offers what the role of its key may do, and nothing more', async () => {
    await signIn('lk_good', { keep: false })
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
    await settled(() => signIn('lk_good', { keep: false }))
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
    const work = patientClient(() => retries++).listKeys()
    const ended = expect(work).rejects.toMatchObject({ status: 503 })
    await vi.advanceTimersByTimeAsync(600_000)
    await ended
    expect(retries).toBe(12)
    await page.leave()
  })
})

describe('toasts', () => {
  test('of what was done go by themselves, of what failed when they are dismissed; three are shown at most', async () => {
    vi.useFakeTimers()
    const page = await drawn(useToasts)
    const words = () => page.now().map((toast) => toast.words)
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
    const page = await drawn(useToasts)
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
