// Closes what is open when something else is pressed or gets the focus.
import { useEffect } from 'preact/hooks'

export function useLeave(root: { readonly current: HTMLElement | null }, isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return
    const leave = (event: Event) => {
      if (!(event.target instanceof Node && root.current?.contains(event.target))) close()
    }
    for (const kind of ['pointerdown', 'focusin']) addEventListener(kind, leave)
    return () => {
      for (const kind of ['pointerdown', 'focusin']) removeEventListener(kind, leave)
    }
  }, [isOpen])
}
