// Every page of the console. A new one is a component in pages/, an entry here and, when it has a link at the top, one below.
import type { Page } from './page.ts'
import { RecordsPage } from './pages/records.tsx'
import { recordSections } from './record-sections.ts'

export const pages: readonly Page[] = [...recordSections.map(({ path }) => ({ path, view: RecordsPage }))]

/** The links at the top, in order; `/console/` leads to the first. */
export const navigation: readonly { readonly path: string; readonly words: string }[] = recordSections.map(
  ({ path, words }) => ({ path, words }),
)
