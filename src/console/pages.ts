// Every page of the console. A new one is a component in pages/, an entry here and, when it has a link at the top, one below.
import type { Page } from './page.ts'
import { EditPage } from './pages/edit.tsx'
import { JsonPage } from './pages/json.tsx'
import { NewPage } from './pages/new.tsx'
import { RecordPage } from './pages/record.tsx'
import { RecordsPage } from './pages/records.tsx'
import { VersionsPage } from './pages/versions.tsx'
import { recordSections } from './record-sections.ts'

export const pages: readonly Page[] = recordSections.flatMap(({ path }) => [
  { path, view: RecordsPage },
  { path: `${path}/new`, view: NewPage },
  { path: `${path}/:id`, view: RecordPage },
  { path: `${path}/:id/versions`, view: VersionsPage },
  { path: `${path}/:id/edit`, view: EditPage },
  { path: `${path}/:id/json`, view: JsonPage },
])

/** The links at the top, in order; `/console/` leads to the first. */
export const navigation: readonly { readonly path: string; readonly words: string }[] = recordSections.map(
  ({ path, words }) => ({ path, words }),
)
