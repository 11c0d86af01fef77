// A button that opens a panel, following the disclosure pattern of ARIA: Enter opens, Escape
// closes, the arrows move within, and leaving closes.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useAddress } from '../../state/frame/address.ts'
import { useLeave } from '../../state/frame/leave.ts'

interface Props {
  readonly id: string
  readonly label: ComponentChildren
  /** The accessible name of the button, where its label is not all of it. */
  readonly name?: string
  /** True when it contains the current page. */
  readonly isHere?: boolean
  readonly class?: string
  readonly children: ComponentChildren
}

export function Disclosure({ id, label, name, isHere = false, class: className = '', children }: Props) {
  const [open, setOpen] = useState<'no' | 'yes' | 'focused'>('no')
  const root = useRef<HTMLDivElement>(null)
  const { path, query } = useAddress()
  const within = () => [...(root.current?.querySelectorAll<HTMLElement>('.unfolded :is(a, button, select)') ?? [])]

  useEffect(() => setOpen('no'), [path, query])
  useEffect(() => {
    if (open === 'focused') within()[0]?.focus()
  }, [open])
  useLeave(root, open !== 'no', () => setOpen('no'))

  const press = (event: KeyboardEvent) => {
    const { key, target } = event
    if (key === 'Escape' && open !== 'no') {
      setOpen('no')
      root.current?.querySelector('button')?.focus()
      return
    }
    // In a select, the arrows change the choice.
    if (target instanceof HTMLSelectElement || !(target instanceof HTMLElement)) return
    const all = within()
    const at = all.indexOf(target)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[key]
    if (next === undefined) return
    if (at < 0 && key === 'ArrowDown') {
      event.preventDefault()
      if (open === 'no') setOpen('focused')
      else all[0]?.focus()
    }
    if (at < 0) return
    event.preventDefault()
    all[Math.max(0, Math.min(next, all.length - 1))]?.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the button and links in it
    <div ref={root} class={`disclosure ${className}`} onKeyDown={press}>
      <button
        type="button"
        class="plain"
        aria-label={name}
        aria-expanded={open !== 'no'}
        aria-controls={id}
        data-here={isHere ? '' : undefined}
        onClick={() => setOpen(open === 'no' ? 'yes' : 'no')}
      >
        {label}
      </button>
      <div id={id} class="unfolded" hidden={open === 'no'}>
        {children}
      </div>
    </div>
  )
}
