// Every page of the console. A new one is a component in pages/, an entry here and, when it has a
// link at the top, one below.

import { AccessLogPage } from './pages/access-log.tsx'
import { ArchivePage } from './pages/archive.tsx'
import { CheckpointsPage } from './pages/checkpoints.tsx'
import { CompletenessPage } from './pages/completeness.tsx'
import { EditPage } from './pages/edit.tsx'
import { FdaPage } from './pages/fda.tsx'
import { GapsPage } from './pages/gaps.tsx'
import { ImportPage } from './pages/import.tsx'
import { JsonPage } from './pages/json.tsx'
import { KeysPage } from './pages/keys.tsx'
import { LegalHoldsPage } from './pages/legal-holds.tsx'
import { LimitsPage } from './pages/limits.tsx'
import { NewPage } from './pages/new.tsx'
import { OverviewPage } from './pages/overview.tsx'
import type { Page } from './pages/page.ts'
import { RecordPage } from './pages/record.tsx'
import { RecordsPage } from './pages/records.tsx'
import { RefusalsPage } from './pages/refusals.tsx'
import { TimeZonesPage } from './pages/time-zones.tsx'
import { TracePage } from './pages/trace.tsx'
import { VersionsPage } from './pages/versions.tsx'
import { recordSections } from './records/record-sections.ts'

export const pages: readonly Page[] = [
  { path: '/', view: OverviewPage },
  ...recordSections.flatMap(({ path }) => [
    { path, view: RecordsPage },
    { path: `${path}/new`, view: NewPage },
    { path: `${path}/:id`, view: RecordPage },
    { path: `${path}/:id/versions`, view: VersionsPage },
    { path: `${path}/:id/edit`, view: EditPage },
    { path: `${path}/:id/json`, view: JsonPage },
  ]),
  { path: '/trace', view: TracePage },
  { path: '/fda', view: FdaPage },
  { path: '/import', view: ImportPage },
  { path: '/completeness', view: CompletenessPage },
  { path: '/completeness/gaps', view: GapsPage },
  { path: '/refusals', view: RefusalsPage },
  { path: '/time-zones', view: TimeZonesPage },
  { path: '/keys', view: KeysPage },
  { path: '/access-log', view: AccessLogPage },
  { path: '/legal-holds', view: LegalHoldsPage },
  { path: '/checkpoints', view: CheckpointsPage },
  { path: '/archive', view: ArchivePage },
  { path: '/limits', view: LimitsPage },
]

/** The links at the top, in order. */
export const navigation: readonly { readonly path: string; readonly words: string }[] = [
  { path: '/', words: 'Overview' },
  ...recordSections.map(({ path, words }) => ({ path, words })),
  { path: '/trace', words: 'Trace' },
  { path: '/fda', words: 'FDA package' },
  { path: '/completeness', words: 'Completeness' },
  { path: '/import', words: 'Import' },
  { path: '/refusals', words: 'Refusals' },
  { path: '/keys', words: 'Keys' },
  { path: '/access-log', words: 'Access log' },
  { path: '/legal-holds', words: 'Legal holds' },
  { path: '/checkpoints', words: 'Checkpoints' },
  { path: '/archive', words: 'Archive' },
  { path: '/limits', words: 'Limits' },
]
