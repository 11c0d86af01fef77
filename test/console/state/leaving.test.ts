// Addresses, drafts and work under way: nothing that was begun is lost by going elsewhere.
// First: files of the console look for a browser when they are loaded.
import '../../support/pages/console-page.ts'

import { afterEach, describe, expect, test } from 'vitest'
import { draftOf, dropDraft, followDraft, keepDraft } from '../../../src/console/drafts/drafts.ts'
import { followLink, go, hrefTo, useAddress } from '../../../src/console/state/frame/address.ts'
import { discardDrafts, draftPlace, draftPlaces } from '../../../src/console/state/frame/device.ts'
import { leaveBy, stay, useLeaveQuestion, useStaying } from '../../../src/console/state/frame/leaving.ts'
import { asksBeforeClosing, drawn, goBack, settled } from '../../support/pages/console-page.ts'

afterEach(() => settled(() => go('/', { replace: true })))

describe('the address', () => {
  test('is drawn anew after each step, and says how the reader came there', async () => {
    const page = await drawn(useAddress)
    await settled(() => go('/events?lotCode=A#at:%2FeventList'))
    expect(page.now()).toEqual({ path: '/events', query: 'lotCode=A', hash: 'at:/eventList', by: 'link' })
    expect(location.pathname).toBe('/console/events')
    await settled(() => go('/locations'))
    await goBack()
    expect(page.now()).toMatchObject({ path: '/events', query: 'lotCode=A', by: 'history' })
    await page.leave()
  })

  test('is replaced without a step back, where that is asked for', async () => {
    const page = await drawn(useAddress)
    await settled(() => go('/events'))
    await settled(() => go('/events?lotCode=A'))
    await settled(() => go('/events?lotCode=B', { replace: true }))
    await goBack()
    expect(page.now()).toMatchObject({ path: '/events', query: '' })
    await page.leave()
  })

  test('with a place that cannot be decoded leads to the page without it', async () => {
    const page = await drawn(useAddress)
    await settled(() => go('/events#%E0%A4%A'))
    expect(page.now()).toMatchObject({ path: '/events', hash: '' })
    await page.leave()
  })
})

describe('a page with work under way', () => {
  const working = () =>
    drawn(() => {
      useStaying('The import is running.')
      return { question: useLeaveQuestion(), path: useAddress().path }
    })

  test('asks before it is left, and is left once the reader agrees', async () => {
    const page = await working()
    expect(asksBeforeClosing()).toBe(true)
    await settled(() => go('/events'))
    expect(page.now()).toMatchObject({ path: '/', question: { words: 'The import is running.' } })
    await settled(() => page.now().question?.leave())
    expect(page.now()).toEqual({ path: '/events', question: undefined })
    await page.leave()
  })

  test('stays where the reader says so, also after a step back', async () => {
    await settled(() => go('/events'))
    const page = await working()
    await goBack()
    expect(page.now()).toMatchObject({ path: '/events', question: { words: 'The import is running.' } })
    expect(location.pathname).toBe('/console/events')
    await settled(stay)
    expect(page.now()).toEqual({ path: '/events', question: undefined })
    await page.leave()
  })

  test('asks also while another part of the page has nothing to lose, and after that part is gone', async () => {
    const page = await working()
    const beside = await drawn(() => useStaying(undefined))
    expect(asksBeforeClosing()).toBe(true)
    await beside.leave()
    expect(asksBeforeClosing()).toBe(true)
    await page.leave()
  })

  test('is left at once within itself, and when the work is over', async () => {
    const page = await working()
    await settled(() => go('/?step=2'))
    expect(page.now().question).toBeUndefined()
    await page.draw(() => {
      useStaying(undefined)
      return { question: useLeaveQuestion(), path: useAddress().path }
    })
    let isLeft = false
    leaveBy(() => {
      isLeft = true
    })
    expect([isLeft, asksBeforeClosing()]).toEqual([true, false])
    await page.leave()
  })
})

describe('a draft', () => {
  const draft = { written: { text: '{' }, base: {}, version: 1 }
  const place = draftPlace('anna', 'x')
  const close = () => dispatchEvent(new Event('pagehide'))
  const otherTab = (key: string, newValue: string) => {
    localStorage.setItem(key, newValue)
    dispatchEvent(Object.assign(new Event('storage'), { key }))
  }
  afterEach(() => dropDraft(place))

  test('outlives its tab, which needs no question before it is closed, and is kept until it is dropped', () => {
    keepDraft(place, draft)
    expect(draftOf(place)).toBe(draft)
    expect(asksBeforeClosing()).toBe(false)
    close()
    expect(draftOf(place)).toEqual(draft)
    expect(draftOf(draftPlace('anna', 'y'))).toBeUndefined()
    dropDraft(place)
    close()
    expect(draftOf(place)).toBeUndefined()
  })

  test('is of its person alone, who can discard all of them', () => {
    keepDraft(place, draft)
    close()
    expect(draftOf(draftPlace('bert', 'x'))).toBeUndefined()
    expect([draftPlaces('anna'), draftPlaces('bert'), draftPlaces('ann')]).toEqual([[place], [], []])
    discardDrafts('bert')
    expect(draftOf(place)).toEqual(draft)
    discardDrafts('anna')
    expect(draftOf(place)).toBeUndefined()
  })

  test('is the one that another tab wrote last', () => {
    keepDraft(place, draft)
    let calls = 0
    const end = followDraft(place, () => calls++)
    const theirs = { ...draft, version: 2 }
    otherTab(place, JSON.stringify(theirs))
    otherTab(draftPlace('bert', 'x'), '{}')
    expect([draftOf(place), calls]).toEqual([theirs, 1])
    end()
    otherTab(place, 'no JSON')
    expect([draftOf(place), calls]).toEqual([undefined, 1])
  })

  test('for which the device has no room stays in its tab, and the browser asks before that is closed', () => {
    const kind = Object.getPrototypeOf(localStorage)
    const { setItem } = kind
    kind.setItem = () => {
      throw new Error('QuotaExceededError')
    }
    try {
      keepDraft(place, draft)
      expect([asksBeforeClosing(), draftOf(place)]).toEqual([true, draft])
    } finally {
      kind.setItem = setItem
    }
    dropDraft(place)
    expect(asksBeforeClosing()).toBe(false)
  })
})

describe('a click on a link', () => {
  class Link {
    readonly origin = location.origin
    readonly search = ''
    readonly pathname: string
    readonly hash: string
    readonly target: string
    constructor(pathname: string, hash = '', target = '') {
      this.pathname = pathname
      this.hash = hash
      this.target = target
    }
    closest = () => this
    hasAttribute = () => false
  }
  Object.defineProperty(globalThis, 'Element', { value: Link })

  const click = (target: Link, more: Partial<MouseEvent> = {}): boolean => {
    let isTaken = false
    const preventDefault = () => {
      isTaken = true
    }
    followLink({ target, button: 0, defaultPrevented: false, preventDefault, ...more } as unknown as MouseEvent)
    return isTaken
  }

  test('of the console is followed in the page', () => {
    expect(click(new Link(hrefTo('/products')))).toBe(true)
    expect(location.pathname).toBe('/console/products')
  })

  test('for another tab, another program, or a place on the same page is left to the browser', () => {
    expect(click(new Link(hrefTo('/events')), { metaKey: true })).toBe(false)
    expect(click(new Link(hrefTo('/events')), { button: 1 })).toBe(false)
    expect(click(new Link(hrefTo('/events'), '', '_blank'))).toBe(false)
    expect(click(new Link('/docs'))).toBe(false)
    expect(click(new Link(location.pathname, '#events'))).toBe(false)
    expect(location.pathname).toBe('/console/')
  })
})
