// Every page of the console. A new one is a component in pages/ and an entry here: its title and
// group are its place in the menus and in the search, and the tests visit it.

import { AccessLogPage } from './pages/access-log.tsx'
import { AlertsPage } from './pages/alerts.tsx'
import { ArchivePage } from './pages/archive.tsx'
import { ChangesPage } from './pages/changes.tsx'
import { CheckpointsPage } from './pages/checkpoints.tsx'
import { CompletePage } from './pages/complete.tsx'
import { CompletenessPage } from './pages/completeness.tsx'
import { CompletenessHistoryPage } from './pages/completeness-history.tsx'
import { CorrectionPage } from './pages/correction.tsx'
import { CorrectionsPage } from './pages/corrections.tsx'
import { DifferencesPage } from './pages/differences.tsx'
import { EditPage } from './pages/edit.tsx'
import { EditPartnerPage } from './pages/edit-partner.tsx'
import { EditTraceabilityPlanPage } from './pages/edit-traceability-plan.tsx'
import { EditWebhookPage } from './pages/edit-webhook.tsx'
import { FdaPage } from './pages/fda.tsx'
import { GapsPage } from './pages/gaps.tsx'
import { ImportPage } from './pages/import.tsx'
import { InvitationPage } from './pages/invitation.tsx'
import { JsonPage } from './pages/json.tsx'
import { KeysPage } from './pages/keys.tsx'
import { LegalHoldsPage } from './pages/legal-holds.tsx'
import { LimitsPage } from './pages/limits.tsx'
import { MockRecallPage } from './pages/mock-recall.tsx'
import { MockRecallsPage } from './pages/mock-recalls.tsx'
import { NewPage } from './pages/new.tsx'
import { NewCorrectionPage } from './pages/new-correction.tsx'
import { NewPartnerPage } from './pages/new-partner.tsx'
import { NewWebhookPage } from './pages/new-webhook.tsx'
import { OverviewPage } from './pages/overview.tsx'
import { PackageLinksPage } from './pages/package-links.tsx'
import type { Page, TitledPage } from './pages/page.ts'
import { PartnerPage } from './pages/partner.tsx'
import { PartnersPage } from './pages/partners.tsx'
import { RecordPage } from './pages/record.tsx'
import { RecordsPage } from './pages/records.tsx'
import { RefusalsPage } from './pages/refusals.tsx'
import { ScorecardPage } from './pages/scorecard.tsx'
import { TargetsPage } from './pages/targets.tsx'
import { TimeZonesPage } from './pages/time-zones.tsx'
import { TracePage } from './pages/trace.tsx'
import { TraceabilityPlanPage } from './pages/traceability-plan.tsx'
import { VersionsPage } from './pages/versions.tsx'
import { VoidsPage } from './pages/voids.tsx'
import { WebhookPage } from './pages/webhook.tsx'
import { WebhooksPage } from './pages/webhooks.tsx'
import { recordSections } from './records/record-sections.ts'

/** What each kind of record is called by people who look for it. */
const recordKeywords: Readonly<Record<string, string>> = {
  '/events': 'receipts deliveries',
  '/shipping': 'shipments deliveries sent',
  '/products': 'items GTIN',
  '/locations': 'places GLN addresses',
}

export const pages: readonly Page[] = [
  { path: '/', view: OverviewPage, title: 'Overview', role: 'partner', keywords: 'start home' },
  ...recordSections.flatMap(({ path, words, kind }): Page[] => [
    { path, view: RecordsPage, title: words, group: 'Records', role: 'partner', keywords: recordKeywords[path] ?? '' },
    { path: `${path}/new`, view: NewPage, title: `New ${kind.noun}`, role: 'writer', keywords: 'create add enter' },
    { path: `${path}/:id`, view: RecordPage, role: 'partner' },
    { path: `${path}/:id/versions`, view: VersionsPage, role: 'partner' },
    { path: `${path}/:id/edit`, view: EditPage },
    { path: `${path}/:id/json`, view: JsonPage, role: 'partner' },
  ]),
  {
    path: '/voided',
    view: VoidsPage,
    title: 'Voided events',
    group: 'Records',
    role: 'partner',
    keywords: 'void mistakes cancelled deleted',
  },
  {
    path: '/changes',
    view: ChangesPage,
    title: 'Changes',
    group: 'Records',
    role: 'partner',
    keywords: 'live feed history activity',
  },
  { path: '/trace', view: TracePage, title: 'Trace a lot', group: 'Answers', role: 'partner', keywords: 'recall TLC' },
  {
    path: '/fda',
    view: FdaPage,
    title: 'FDA package',
    group: 'Answers',
    role: 'partner',
    keywords: 'spreadsheet export 24 hours',
  },
  {
    path: '/package-links',
    view: PackageLinksPage,
    title: 'Package links',
    group: 'Answers',
    role: 'administrator',
    keywords: 'share FDA auditor hand over code',
  },
  {
    path: '/traceability-plan',
    view: TraceabilityPlanPage,
    title: 'Traceability plan',
    group: 'Answers',
    keywords: '1.1315 procedures contact farm map',
  },
  { path: '/traceability-plan/edit', view: EditTraceabilityPlanPage },
  {
    path: '/mock-recalls',
    view: MockRecallsPage,
    title: 'Mock recalls',
    group: 'Answers',
    keywords: 'drill exercise test 24 hours',
  },
  { path: '/mock-recalls/:id', view: MockRecallPage },
  {
    path: '/differences',
    view: DifferencesPage,
    title: 'Differences',
    group: 'Answers',
    keywords: 'shipped received missing short over quantity compare reconcile ASN',
  },
  {
    path: '/completeness',
    view: CompletenessPage,
    title: 'Completeness',
    group: 'Answers',
    role: 'partner',
    keywords: 'KDE key data elements vendors',
  },
  {
    path: '/completeness/history',
    view: CompletenessHistoryPage,
    title: 'Completeness over time',
    group: 'Answers',
    keywords: 'trend vendors target chart scorecards',
  },
  { path: '/scorecard', view: ScorecardPage },
  { path: '/alerts', view: AlertsPage, title: 'Alerts', group: 'Answers', keywords: 'warnings silent vendors overdue' },
  {
    path: '/completeness/gaps',
    view: GapsPage,
    title: 'Events with gaps',
    group: 'Answers',
    keywords: 'missing incomplete',
  },
  { path: '/completeness/complete', view: CompletePage },
  {
    path: '/corrections',
    view: CorrectionsPage,
    title: 'Corrections',
    group: 'Data in',
    keywords: 'bulk change many events',
  },
  {
    path: '/corrections/new',
    view: NewCorrectionPage,
    title: 'New correction',
    role: 'writer',
    keywords: 'bulk replace',
  },
  { path: '/corrections/:id', view: CorrectionPage },
  { path: '/import', view: ImportPage, title: 'Import', group: 'Data in', role: 'writer', keywords: 'file CSV XLSX' },
  { path: '/refusals', view: RefusalsPage, title: 'Refusals', group: 'Data in', keywords: 'rejected errors' },
  {
    path: '/keys',
    view: KeysPage,
    title: 'People and keys',
    group: 'Administration',
    role: 'partner',
    keywords: 'API access roles users',
  },
  {
    path: '/access-log',
    view: AccessLogPage,
    title: 'Access log',
    group: 'Administration',
    role: 'administrator',
    keywords: 'audit who',
  },
  { path: '/time-zones', view: TimeZonesPage, title: 'Time zones', group: 'Administration', keywords: 'date received' },
  {
    path: '/targets',
    view: TargetsPage,
    title: 'Targets',
    group: 'Administration',
    keywords: 'alerts thresholds vendors silent',
  },
  { path: '/legal-holds', view: LegalHoldsPage, title: 'Legal holds', group: 'Administration', keywords: 'retention' },
  {
    path: '/checkpoints',
    view: CheckpointsPage,
    title: 'Checkpoints',
    group: 'Administration',
    role: 'partner',
    keywords: 'proof evidence',
  },
  {
    path: '/archive',
    view: ArchivePage,
    title: 'Archive',
    group: 'Administration',
    keywords: 'backup download everything',
  },
  {
    path: '/webhooks',
    view: WebhooksPage,
    title: 'Webhooks',
    group: 'Administration',
    role: 'administrator',
    keywords: 'notifications push integrations endpoints',
  },
  {
    path: '/webhooks/new',
    view: NewWebhookPage,
    title: 'New webhook',
    role: 'administrator',
    keywords: 'create endpoint',
  },
  { path: '/webhooks/:id', view: WebhookPage },
  { path: '/webhooks/:id/edit', view: EditWebhookPage },
  {
    path: '/partners',
    view: PartnersPage,
    title: 'Partners',
    group: 'Administration',
    role: 'administrator',
    keywords: 'share customers buyers vendors invitations grants',
  },
  {
    path: '/partners/new',
    view: NewPartnerPage,
    title: 'New partner',
    role: 'administrator',
    keywords: 'share customer grant',
  },
  { path: '/partners/:id', view: PartnerPage },
  { path: '/partners/:id/edit', view: EditPartnerPage },
  { path: '/invitation', view: InvitationPage, isOpen: true },
  {
    path: '/limits',
    view: LimitsPage,
    title: 'Limits',
    group: 'Administration',
    role: 'partner',
    keywords: 'quota maximum',
  },
]

/** The pages that menus and the search offer, in order. */
export const titledPages: readonly TitledPage[] = pages.flatMap((page) =>
  page.title === undefined ? [] : [{ ...page, title: page.title }],
)
