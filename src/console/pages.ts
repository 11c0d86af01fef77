// Every page of the console. A new one is a component in pages/ and an entry here: its title and
// group are its place in the menus and in the search, and the tests visit it. What most people see
// first is in the first script; the others are in later-pages.ts, which is loaded beside it.

import { InvitationPage } from './pages/invitation.tsx'
import { laterPage } from './pages/later-page.tsx'
import { OverviewPage } from './pages/overview.tsx'
import type { Page, TitledPage } from './pages/page.ts'
import { RecordPage } from './pages/record.tsx'
import { RecordsPage } from './pages/records.tsx'
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
    {
      path: `${path}/new`,
      view: laterPage('NewPage'),
      title: `New ${kind.noun}`,
      role: 'writer',
      keywords: 'create add enter',
    },
    { path: `${path}/:id`, view: RecordPage, role: 'partner' },
    { path: `${path}/:id/versions`, view: laterPage('VersionsPage'), role: 'partner' },
    { path: `${path}/:id/edit`, view: laterPage('EditPage') },
    { path: `${path}/:id/json`, view: laterPage('JsonPage'), role: 'partner' },
  ]),
  {
    path: '/voided',
    view: laterPage('VoidsPage'),
    title: 'Voided events',
    group: 'Records',
    role: 'partner',
    keywords: 'void mistakes cancelled deleted',
  },
  {
    path: '/changes',
    view: laterPage('ChangesPage'),
    title: 'Changes',
    group: 'Records',
    role: 'partner',
    keywords: 'live feed history activity',
  },
  {
    path: '/trace',
    view: laterPage('TracePage'),
    title: 'Trace a lot',
    group: 'Answers',
    role: 'partner',
    keywords: 'recall TLC',
  },
  {
    path: '/fda',
    view: laterPage('FdaPage'),
    title: 'FDA package',
    group: 'Answers',
    role: 'partner',
    keywords: 'spreadsheet export 24 hours',
  },
  {
    path: '/package-links',
    view: laterPage('PackageLinksPage'),
    title: 'Package links',
    group: 'Answers',
    role: 'administrator',
    keywords: 'share FDA auditor hand over code',
  },
  {
    path: '/traceability-plan',
    view: laterPage('TraceabilityPlanPage'),
    title: 'Traceability plan',
    group: 'Answers',
    keywords: '1.1315 procedures contact farm map',
  },
  { path: '/traceability-plan/edit', view: laterPage('EditTraceabilityPlanPage') },
  {
    path: '/mock-recalls',
    view: laterPage('MockRecallsPage'),
    title: 'Mock recalls',
    group: 'Answers',
    keywords: 'drill exercise test 24 hours',
  },
  { path: '/mock-recalls/:id', view: laterPage('MockRecallPage') },
  {
    path: '/differences',
    view: laterPage('DifferencesPage'),
    title: 'Differences',
    group: 'Answers',
    keywords: 'shipped received missing short over quantity compare reconcile ASN',
  },
  {
    path: '/completeness',
    view: laterPage('CompletenessPage'),
    title: 'Completeness',
    group: 'Answers',
    role: 'partner',
    keywords: 'KDE key data elements vendors',
  },
  {
    path: '/completeness/history',
    view: laterPage('CompletenessHistoryPage'),
    title: 'Completeness over time',
    group: 'Answers',
    keywords: 'trend vendors target chart scorecards',
  },
  { path: '/scorecard', view: laterPage('ScorecardPage') },
  {
    path: '/alerts',
    view: laterPage('AlertsPage'),
    title: 'Alerts',
    group: 'Answers',
    keywords: 'warnings silent vendors overdue',
  },
  {
    path: '/completeness/gaps',
    view: laterPage('GapsPage'),
    title: 'Events with gaps',
    group: 'Answers',
    keywords: 'missing incomplete',
  },
  { path: '/completeness/complete', view: laterPage('CompletePage') },
  {
    path: '/corrections',
    view: laterPage('CorrectionsPage'),
    title: 'Corrections',
    group: 'Data in',
    keywords: 'bulk change many events',
  },
  {
    path: '/corrections/new',
    view: laterPage('NewCorrectionPage'),
    title: 'New correction',
    role: 'writer',
    keywords: 'bulk replace',
  },
  { path: '/corrections/:id', view: laterPage('CorrectionPage') },
  {
    path: '/import',
    view: laterPage('ImportPage'),
    title: 'Import',
    group: 'Data in',
    role: 'writer',
    keywords: 'file CSV XLSX',
  },
  {
    path: '/refusals',
    view: laterPage('RefusalsPage'),
    title: 'Refusals',
    group: 'Data in',
    keywords: 'rejected errors',
  },
  {
    path: '/keys',
    view: laterPage('KeysPage'),
    title: 'People and keys',
    group: 'Administration',
    role: 'partner',
    keywords: 'API access roles users',
  },
  {
    path: '/access-log',
    view: laterPage('AccessLogPage'),
    title: 'Access log',
    group: 'Administration',
    role: 'administrator',
    keywords: 'audit who',
  },
  {
    path: '/time-zones',
    view: laterPage('TimeZonesPage'),
    title: 'Time zones',
    group: 'Administration',
    keywords: 'date received',
  },
  {
    path: '/targets',
    view: laterPage('TargetsPage'),
    title: 'Targets',
    group: 'Administration',
    keywords: 'alerts thresholds vendors silent',
  },
  {
    path: '/legal-holds',
    view: laterPage('LegalHoldsPage'),
    title: 'Legal holds',
    group: 'Administration',
    keywords: 'retention',
  },
  {
    path: '/checkpoints',
    view: laterPage('CheckpointsPage'),
    title: 'Checkpoints',
    group: 'Administration',
    role: 'partner',
    keywords: 'proof evidence',
  },
  {
    path: '/archive',
    view: laterPage('ArchivePage'),
    title: 'Archive',
    group: 'Administration',
    keywords: 'backup download everything',
  },
  {
    path: '/webhooks',
    view: laterPage('WebhooksPage'),
    title: 'Webhooks',
    group: 'Administration',
    role: 'administrator',
    keywords: 'notifications push integrations endpoints',
  },
  {
    path: '/webhooks/new',
    view: laterPage('NewWebhookPage'),
    title: 'New webhook',
    role: 'administrator',
    keywords: 'create endpoint',
  },
  { path: '/webhooks/:id', view: laterPage('WebhookPage') },
  { path: '/webhooks/:id/edit', view: laterPage('EditWebhookPage') },
  {
    path: '/partners',
    view: laterPage('PartnersPage'),
    title: 'Partners',
    group: 'Administration',
    role: 'administrator',
    keywords: 'share customers buyers vendors invitations grants',
  },
  {
    path: '/partners/new',
    view: laterPage('NewPartnerPage'),
    title: 'New partner',
    role: 'administrator',
    keywords: 'share customer grant',
  },
  { path: '/partners/:id', view: laterPage('PartnerPage') },
  { path: '/partners/:id/edit', view: laterPage('EditPartnerPage') },
  { path: '/invitation', view: InvitationPage, isOpen: true },
  {
    path: '/limits',
    view: laterPage('LimitsPage'),
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
