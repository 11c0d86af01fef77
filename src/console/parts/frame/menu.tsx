// A button that opens a small panel below it. Escape, a click elsewhere and leaving it by the
// keyboard close it.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface Props {
  readonly words: string
  readonly children: ComponentChildren | ((close: () => void) => ComponentChildren)
}

export function Menu({ words, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)

  useEffect(() => {
    if (!open) return
    const elsewhere = (event: Event) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) close()
    }
    addEventListener('pointerdown', elsewhere)
    addEventListener('focusin', elsewhere)
    return () => {
      removeEventListener('pointerdown', elsewhere)
      removeEventListener('focusin', elsewhere)
    }
  }, [open])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return
    event.stopPropagation()
    close()
    box.current?.querySelector('button')?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape anywhere inside closes the panel
    <div class="menu" ref={box} onKeyDown={onKeyDown}>
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        {words}
      </button>
      {open && (
        <fieldset class="menu-panel" aria-label={words}>
          {typeof children === 'function' ? children(close) : children}
        </fieldset>
      )}
    </div>
  )
}
