// What a page is.
import type { ComponentType } from 'preact'

export interface PageProps {
  /** What stands at `:name` in the path. */
  readonly values: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

export interface Page {
  /** Below `/console`; `:name` takes any one part. The first page that fits is shown. */
  readonly path: string
  readonly view: ComponentType<PageProps>
}
