// A signal: one value that several parts of the page show.
import { useEffect, useState } from 'preact/hooks'

export interface Signal<T> {
  get(): T
  set(value: T): void
  /** The value, in a component that is drawn again when it changes. */
  use(): T
}

export function signal<T>(initial: T): Signal<T> {
  let value = initial
  const listeners = new Set<(value: T) => void>()
  return {
    get: () => value,
    set(next) {
      value = next
      for (const listener of [...listeners]) listener(next)
    },
    use() {
      const [shown, show] = useState({ value })
      useEffect(() => {
        const redraw = (next: T) => show({ value: next })
        listeners.add(redraw)
        // It may have changed between the drawing and now.
        if (shown.value !== value) redraw(value)
        return () => void listeners.delete(redraw)
      }, [])
      return shown.value
    },
  }
}
