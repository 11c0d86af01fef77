// Whether the page opens without a network on this device: a worker of the browser has its files.
import { useEffect, useState } from 'preact/hooks'

export type Offline = 'asking' | 'ready' | 'impossible'

export function useOffline(): Offline {
  const [offline, setOffline] = useState<Offline>('asking')
  useEffect(() => {
    let isLeft = false
    const begin = async () => {
      // Browsers have it on addresses with TLS only.
      const { serviceWorker } = navigator as Partial<Pick<Navigator, 'serviceWorker'>>
      if (serviceWorker === undefined) return 'impossible'
      try {
        await serviceWorker.register('/console/worker.js', { scope: '/console/', updateViaCache: 'none' })
      } catch {
        // Without a network there is the worker of before, or none.
        return serviceWorker.controller === null ? 'impossible' : 'ready'
      }
      await serviceWorker.ready
      return 'ready'
    }
    begin().then((found) => isLeft || setOffline(found))
    return () => {
      isLeft = true
    }
  }, [])
  return offline
}
