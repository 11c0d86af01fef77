// The heading of a page: it names the document, and takes the focus when the reader came here by a
// link.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useAddress } from '../../state/frame/address.ts'

interface Props {
  readonly title: string
  /** Title of the document, if it is longer. */
  readonly document?: string
  /** Beside the heading. */
  readonly actions?: ComponentChildren
  /** Below the heading. */
  readonly children?: ComponentChildren
}

export function PageHead({ title, document: documentTitle = title, actions, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { by, path } = useAddress()
  useEffect(() => {
    document.title = `${documentTitle} · Lotkeeper`
  }, [documentTitle])
  useEffect(() => {
    if (by === 'start') return
    // A page that loads late does not take the focus from a field in which the user types.
    if (!document.activeElement?.matches('input, select, textarea')) heading.current?.focus({ preventScroll: true })
    if (by === 'link') scrollTo(0, 0)
  }, [path])
  return (
    <header class="page-head">
      <div class="page-title">
        <h1 ref={heading} tabIndex={-1} dir="auto">
          {title}
        </h1>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </header>
  )
}
