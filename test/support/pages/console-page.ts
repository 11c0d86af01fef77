// What of a browser the state of the console needs, for tests without one: storage, events, an
// address, and components that are drawn to nowhere. Import it before any file of the console.
import { DOMImplementation } from '@xmldom/xmldom'
import { h, render } from 'preact'
import { act } from 'preact/test-utils'

class MemoryStorage {
  [name: string]: unknown
  getItem(name: string): string | null {
    return Object.hasOwn(this, name) ? String(this[name]) : null
  }
  setItem(name: string, text: string): void {
    this[name] = text
  }
  removeItem(name: string): void {
    delete this[name]
  }
  clear(): void {
    for (const name of Object.keys(this)) delete this[name]
  }
}

const document = new DOMImplementation().createDocument(null, '')
// Nothing is drawn, and no text has a width.
Object.assign(Object.getPrototypeOf(document.createElement('canvas')), { getContext: () => null })

const events = new EventTarget()
const place = new URL('http://localhost/console/')
/** The addresses of the tab, and which of them is shown. */
let visited = [place.href]
let at = 0

const show = (href: string): void => {
  place.href = new URL(href, place).href
}

const pageGlobals = {
  document,
  // Signing out deletes what a device keeps, of which there is nothing here.
  indexedDB: { deleteDatabase: () => undefined },
  localStorage: new MemoryStorage(),
  sessionStorage: new MemoryStorage(),
  location: place,
  history: {
    scrollRestoration: 'auto',
    pushState: (_state: unknown, _title: string, href: string) => {
      show(href)
      visited = [...visited.slice(0, ++at), place.href]
    },
    replaceState: (_state: unknown, _title: string, href: string) => {
      show(href)
      visited[at] = place.href
    },
  },
  addEventListener: events.addEventListener.bind(events),
  removeEventListener: events.removeEventListener.bind(events),
  dispatchEvent: events.dispatchEvent.bind(events),
  matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
  requestAnimationFrame: (work: () => void) => setTimeout(work),
  scrollX: 0,
  scrollY: 0,
  scrollTo: () => undefined,
}

for (const [name, value] of Object.entries(pageGlobals))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })

/** Also where a test replaces the clock. */
const realTimeout = setTimeout

/**
 * Does something to what is drawn, and waits until what follows from it is drawn too: effects, and
 * answers that are there.
 */
export async function settled(work: () => unknown = () => undefined): Promise<void> {
  await act(() => void work())
  for (let turn = 0; turn < 3; turn++) await act(() => new Promise<void>((resolve) => realTimeout(resolve)))
}

/** Goes back as the button of the browser does. */
export async function goBack(): Promise<void> {
  show(visited[--at] ?? place.href)
  await settled(() => dispatchEvent(new Event('popstate')))
}

/** True when the browser would ask before the tab is closed. */
export const asksBeforeClosing = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }))

export interface Drawn<T> {
  /** What the hook returned last. */
  readonly now: () => T
  /** Draws again, with another hook where one is given. */
  draw(use?: () => T): Promise<void>
  /** Takes the component away. */
  leave(): Promise<void>
}

/** Draws a component that uses the hook, and its effects. */
export async function drawn<T>(first: () => T): Promise<Drawn<T>> {
  const root = document.createElement('main')
  let use = first
  let last: T
  const Component = () => {
    last = use()
    return null
  }
  const draw = (next = use) => {
    use = next
    return settled(() => render(h(Component, {}), root))
  }
  await draw()
  return { now: () => last, draw, leave: () => settled(() => render(null, root)) }
}
