// The declaration of a page.
import type { ComponentType } from 'preact'
import type { Role } from '../../../contract/role.ts'

export interface PageProps {
  /** The values of `:name` in the path. */
  readonly values: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

/** The menus at the top, in order. */
export const menuGroups = ['Records', 'Answers', 'Data in', 'Administration'] as const
export type MenuGroup = (typeof menuGroups)[number]

export interface Page {
  /** Below `/console`; `:name` matches any one segment. The first matching page is shown. */
  readonly path: string
  readonly view: ComponentType<PageProps>
  /** Its name in menus and search; absent where other pages lead to it. */
  readonly title?: string
  /** Its menu; without one it is beside the menus, or only found by search. */
  readonly group?: MenuGroup
  /**
   * The least role that may use it, if not every reader. Partners use pages with the role
   * `partner`.
   */
  readonly role?: Role
  /** True where no session is needed. */
  readonly isOpen?: boolean
  /** Other words that people search for. */
  readonly keywords?: string
}

/** A page that menus and the search can offer. */
export type TitledPage = Page & { readonly title: string }
