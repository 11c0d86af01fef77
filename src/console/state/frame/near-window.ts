// Whether an element is near the window: distant elements need not be drawn.
import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** Drawn before it comes into sight, in pixels above and below the window. */
const margin = 1_000

export function useNearWindow(element: RefObject<Element | null>): boolean {
  const [near, setNear] = useState(false)
  useEffect(() => {
    const watched = element.current
    if (watched === null) return
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      rootMargin: `${margin}px 0px`,
    })
    observer.observe(watched)
    return () => observer.disconnect()
  }, [])
  return near
}
