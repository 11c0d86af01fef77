// Opens the console without a network: a service worker that has the console's own files, and
// nothing else. It never answers a call of the API (decision 0027). The build puts the names of all
// files in front of it, so that each build is another worker.
declare const consoleFiles: readonly string[]

interface LifeEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends Event {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}
declare const skipWaiting: () => Promise<void>
declare const clients: { claim(): Promise<void> }

const start = '/console/'
const assets = `${start}assets/`

/** One cache for each build: a page is never put together from the files of two. */
const prefix = 'lotkeeper-console '
const cacheName = prefix + consoleFiles.join(' ')

/** A network that does not answer is none. */
const patienceMs = 4_000

addEventListener('install', (event) => {
  const install = async () => {
    const cache = await caches.open(cacheName)
    // The page as the service has it, not as this browser remembers it.
    await cache.addAll([new Request(start, { cache: 'reload' }), ...consoleFiles.map((name) => assets + name)])
    await skipWaiting()
  }
  ;(event as LifeEvent).waitUntil(install())
})

addEventListener('activate', (event) => {
  const activate = async () => {
    for (const name of await caches.keys()) if (name.startsWith(prefix) && name !== cacheName) await caches.delete(name)
    await clients.claim()
  }
  ;(event as LifeEvent).waitUntil(activate())
})

addEventListener('fetch', (event) => {
  const asked = event as FetchEvent
  const { request } = asked
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin || !pathname.startsWith(start)) return
  if (request.mode === 'navigate') asked.respondWith(openPage(request))
  // The name of a file is a hash of its content.
  else if (pathname.startsWith(assets)) asked.respondWith(readFile(request))
})

async function readFile(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName)
  return (await cache.match(request)) ?? fetch(request)
}

/** Requests the page each time, and caches it for when the network is down. */
async function openPage(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName)
  const kept = await cache.match(start)
  if (kept === undefined) return fetch(request)
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(), patienceMs)
  try {
    const answer = await fetch(request, { signal: giveUp.signal })
    return answer.status >= 500 ? kept : answer
  } catch {
    return kept
  } finally {
    // A response that has begun to arrive may be slow.
    clearTimeout(timer)
  }
}
