// Links to the views of a page, of which one is shown.
import type { ComponentChildren } from 'preact'
import { hrefTo } from '../../state/frame/address.ts'

interface Tab {
  readonly words: ComponentChildren
  readonly path: string
  readonly isHere: boolean
  readonly count?: number | undefined
}

interface Props {
  readonly label: string
  readonly tabs: readonly Tab[]
}

export const Tabs = ({ label, tabs }: Props) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(({ words, path, isHere, count }) => (
      <a key={path} href={hrefTo(path)} aria-current={isHere ? 'page' : undefined}>
        {words} {count !== undefined && <span class="count">{count.toLocaleString('en')}</span>}
      </a>
    ))}
  </nav>
)
