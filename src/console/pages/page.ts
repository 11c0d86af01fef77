// What a page is.
import type { ComponentType } from 'preact'
import type { Role } from '../../contract/role.ts'

export interface PageProps {
  /** What stands at `:name` in the path. */
  readonly values: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

/** The menus at the top, in order. */
export const menuGroups = ['Records', 'Answers', 'Data in', 'Administration'] as const
export type MenuGroup = (typeof menuGroups)[number]

export interface Page {
  /** Below `/console`; `:name` takes any one part. The first page that fits is shown. */
  readonly path: string
  readonly view: ComponentType<PageProps>
  /** What the menus and the search call it; absent where other pages lead to it. */
  readonly title?: string
  /** The menu it is in; without one it is beside the menus, or only found by search. */
  readonly group?: MenuGroup
  /** The least role it is offered to, where that is not every reader. */
  readonly role?: Role
  /** Other words people look for it by. */
  readonly keywords?: string
}

/** A page that menus and the search can offer. */
export type TitledPage = Page & { readonly title: string }
