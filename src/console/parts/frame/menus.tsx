// Links to the pages: one line of menus, or a single menu in a narrow window.
import type { ComponentChildren } from 'preact'
import { mayAs } from '../../../contract/role.ts'
import { type MenuGroup, menuGroups, type TitledPage } from '../../pages/frame/page.ts'
import { hrefTo, useAddress } from '../../state/frame/address.ts'
import { useSession } from '../../state/frame/session.ts'
import { Disclosure } from './disclosure.tsx'

/** The titled pages that the session may use. */
export function useOffered(pages: readonly TitledPage[]): readonly TitledPage[] {
  const session = useSession()
  return session === undefined ? [] : pages.filter(({ role = 'reader' }) => mayAs(session.role, role))
}

/** The page whose path is the longest beginning of the path that is shown. */
const pageAbove = (pages: readonly TitledPage[], path: string): TitledPage | undefined =>
  pages
    .filter((page) => path === page.path || (page.path !== '/' && path.startsWith(`${page.path}/`)))
    .sort((a, b) => b.path.length - a.path.length)[0]

interface Props {
  readonly pages: readonly TitledPage[]
}

interface LinkProps {
  readonly page: TitledPage
  readonly current: TitledPage | undefined
}

const PageLink = ({ page, current }: LinkProps) => (
  <a href={hrefTo(page.path)} aria-current={page === current ? 'page' : undefined}>
    {page.title}
  </a>
)

function useMenus(pages: readonly TitledPage[]) {
  const { path } = useAddress()
  const offered = useOffered(pages)
  const inMenus = offered.filter(({ group, path }) => group !== undefined || path === '/')
  const groups = menuGroups
    .map((group) => ({ group, within: offered.filter((page) => page.group === group) }))
    .filter(({ within }) => within.length > 0)
  return { current: pageAbove(inMenus, path), overview: inMenus.find((page) => page.path === '/'), groups }
}

const listOf = (within: readonly TitledPage[], current: TitledPage | undefined) => (
  <ul>
    {within.map((page) => (
      <li key={page.path}>
        <PageLink page={page} current={current} />
      </li>
    ))}
  </ul>
)

const idOf = (group: MenuGroup): string => `menu-${group.toLowerCase().replaceAll(' ', '-')}`

/** In one line. */
export function Menus({ pages }: Props) {
  const { current, overview, groups } = useMenus(pages)
  return (
    <nav class="menus" aria-label="Console" onKeyDown={moveAlong}>
      {overview && <PageLink page={overview} current={current} />}
      {groups.map(({ group, within }) => (
        <Disclosure key={group} id={idOf(group)} label={group} isHere={current?.group === group}>
          {listOf(within, current)}
        </Disclosure>
      ))}
    </nav>
  )
}

/** The arrows to the sides go from menu to menu. */
function moveAlong(event: KeyboardEvent): void {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  const { currentTarget, target } = event
  if (step === undefined || !(currentTarget instanceof HTMLElement) || !(target instanceof Node)) return
  const stops = [...currentTarget.children].map((one) => (one.matches('a') ? one : one.querySelector('button')))
  const at = [...currentTarget.children].findIndex((one) => one.contains(target))
  const next = stops[at + step]
  if (!(next instanceof HTMLElement)) return
  event.preventDefault()
  next.focus()
}

/** Behind one button, with all groups in sight and the other entries below them. */
export function NarrowMenu({ pages, children }: Props & { readonly children: ComponentChildren }) {
  const { current, overview, groups } = useMenus(pages)
  return (
    <Disclosure id="menu" label="Menu" class="narrow">
      <nav aria-label="Console">
        {overview && <PageLink page={overview} current={current} />}
        {groups.map(({ group, within }) => (
          <section key={group} aria-labelledby={idOf(group)}>
            <h2 id={idOf(group)}>{group}</h2>
            {listOf(within, current)}
          </section>
        ))}
      </nav>
      {children}
    </Disclosure>
  )
}
