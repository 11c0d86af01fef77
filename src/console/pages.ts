// Every page of the console. A new one is a component in pages/ and an entry here: its title and
// group are its place in the menus and in the search, and the tests visit it. The first script has
// the pages that most people see first; later-pages.ts, which is loaded beside it, has the others.

import { isDeliveryKind } from '../contract/record-kinds.ts'
import type { Page, TitledPage } from './pages/frame/page.ts'
import { laterPage } from './pages/later-page.tsx'
import { OverviewPage } from './pages/overview.tsx'
import { RecordPage } from './pages/records/record.tsx'
import { RecordsPage } from './pages/records/records.tsx'
import { recordSections } from './records/record-sections.ts'

/** Other names of each kind of record, for the search. */
const recordKeywords: Readonly<Record<string, string>> = {
  '/events': 'receipts deliveries',
  '/shipping': 'shipments deliveries sent',
  '/harvesting': 'farm field crop',
  '/cooling': 'cooler precool',
  '/initial-packing': 'packinghouse packing shed sprouts seeds exempt',
  '/first-land-based-receiving': 'landing vessel fish dock seafood',
  '/transformation': 'production processing repacking ingredients batch work order',
  '/products': 'items GTIN',
  '/locations': 'places GLN addresses',
}

/** Pages of all kinds of records: one component each, which the kinds share. */
const newPage = laterPage((pages) => pages.NewPage)
const versionsPage = laterPage((pages) => pages.VersionsPage)
const editPage = laterPage((pages) => pages.EditPage)
const jsonPage = laterPage((pages) => pages.JsonPage)
const labelsPage = laterPage((pages) => pages.PalletLabelsPage)

export const pages: readonly Page[] = [
  { path: '/', view: OverviewPage, title: 'Overview', role: 'partner', keywords: 'start home' },
  ...recordSections.flatMap(({ path, words, kind }): Page[] => [
    { path, view: RecordsPage, title: words, group: 'Records', role: 'partner', keywords: recordKeywords[path] ?? '' },
    {
      path: `${path}/new`,
      view: newPage,
      title: `New ${kind.noun}`,
      role: 'writer',
      keywords: 'create add enter',
    },
    { path: `${path}/:id`, view: RecordPage, role: 'partner' },
    { path: `${path}/:id/versions`, view: versionsPage, role: 'partner' },
    { path: `${path}/:id/edit`, view: editPage },
    { path: `${path}/:id/json`, view: jsonPage, role: 'partner' },
    ...(isDeliveryKind(kind.name) ? [{ path: `${path}/:id/labels`, view: labelsPage, role: 'partner' } as const] : []),
  ]),
  {
    path: '/voided',
    view: laterPage((pages) => pages.VoidsPage),
    title: 'Voided events',
    group: 'Records',
    role: 'partner',
    keywords: 'void mistakes cancelled deleted',
  },
  {
    path: '/changes',
    view: laterPage((pages) => pages.ChangesPage),
    title: 'Changes',
    group: 'Records',
    role: 'partner',
    keywords: 'live feed history activity',
  },
  {
    path: '/trace',
    view: laterPage((pages) => pages.TracePage),
    title: 'Trace a lot',
    group: 'Answers',
    role: 'partner',
    keywords: 'recall TLC',
  },
  { path: '/food', view: laterPage((pages) => pages.FoodPage) },
  {
    path: '/balances',
    view: laterPage((pages) => pages.BalancesPage),
    title: 'What is left of a lot',
    group: 'Answers',
    role: 'partner',
    keywords: 'balance quantity mass tolerance chain',
  },
  {
    path: '/fda',
    view: laterPage((pages) => pages.FdaPage),
    title: 'FDA package',
    group: 'Answers',
    role: 'partner',
    keywords: 'spreadsheet export 24 hours',
  },
  {
    path: '/package-links',
    view: laterPage((pages) => pages.PackageLinksPage),
    title: 'Package links',
    group: 'Answers',
    role: 'administrator',
    keywords: 'share FDA auditor hand over code',
  },
  {
    path: '/traceability-plan',
    view: laterPage((pages) => pages.TraceabilityPlanPage),
    title: 'Traceability plan',
    group: 'Answers',
    keywords: '1.1315 procedures contact farm map',
  },
  { path: '/traceability-plan/edit', view: laterPage((pages) => pages.EditTraceabilityPlanPage) },
  {
    path: '/mock-recalls',
    view: laterPage((pages) => pages.MockRecallsPage),
    title: 'Mock recalls',
    group: 'Answers',
    keywords: 'drill exercise test 24 hours',
  },
  { path: '/mock-recalls/:id', view: laterPage((pages) => pages.MockRecallPage) },
  {
    path: '/differences',
    view: laterPage((pages) => pages.DifferencesPage),
    title: 'Differences',
    group: 'Answers',
    keywords: 'shipped received missing short over quantity compare reconcile ASN',
  },
  {
    path: '/completeness',
    view: laterPage((pages) => pages.CompletenessPage),
    title: 'Completeness',
    group: 'Answers',
    role: 'partner',
    keywords: 'KDE key data elements vendors',
  },
  {
    path: '/completeness/history',
    view: laterPage((pages) => pages.CompletenessHistoryPage),
    title: 'Completeness over time',
    group: 'Answers',
    keywords: 'trend vendors target chart scorecards',
  },
  { path: '/scorecard', view: laterPage((pages) => pages.ScorecardPage) },
  {
    path: '/alerts',
    view: laterPage((pages) => pages.AlertsPage),
    title: 'Alerts',
    group: 'Answers',
    keywords: 'warnings silent vendors overdue',
  },
  {
    path: '/completeness/gaps',
    view: laterPage((pages) => pages.GapsPage),
    title: 'Events with gaps',
    group: 'Answers',
    keywords: 'missing incomplete',
  },
  { path: '/completeness/complete', view: laterPage((pages) => pages.CompletePage) },
  {
    path: '/dock',
    view: laterPage((pages) => pages.DockPage),
    title: 'Receive at the dock',
    group: 'Data in',
    role: 'writer',
    keywords: 'scan pallet SSCC shipment arrived telephone offline ASN',
  },
  { path: '/dock/:id', view: laterPage((pages) => pages.DockReceiptPage) },
  {
    path: '/corrections',
    view: laterPage((pages) => pages.CorrectionsPage),
    title: 'Corrections',
    group: 'Data in',
    keywords: 'bulk change many events',
  },
  {
    path: '/corrections/new',
    view: laterPage((pages) => pages.NewCorrectionPage),
    title: 'New correction',
    role: 'writer',
    keywords: 'bulk replace',
  },
  { path: '/corrections/:id', view: laterPage((pages) => pages.CorrectionPage) },
  {
    path: '/import',
    view: laterPage((pages) => pages.ImportPage),
    title: 'Import',
    group: 'Data in',
    role: 'writer',
    keywords: 'file CSV XLSX ship notice ASN 856 EPCIS',
  },
  {
    path: '/refusals',
    view: laterPage((pages) => pages.RefusalsPage),
    title: 'Refusals',
    group: 'Data in',
    keywords: 'rejected errors',
  },
  {
    path: '/keys',
    view: laterPage((pages) => pages.KeysPage),
    title: 'People and keys',
    group: 'Administration',
    role: 'partner',
    keywords: 'API access roles users',
  },
  {
    path: '/access-log',
    view: laterPage((pages) => pages.AccessLogPage),
    title: 'Access log',
    group: 'Administration',
    role: 'administrator',
    keywords: 'audit who',
  },
  {
    path: '/time-zones',
    view: laterPage((pages) => pages.TimeZonesPage),
    title: 'Time zones',
    group: 'Administration',
    keywords: 'date received',
  },
  {
    path: '/exempt-places',
    view: laterPage((pages) => pages.ExemptPlacesPage),
    title: 'Exempt places',
    group: 'Administration',
    keywords: 'exemption small farm receiving from exempt retail farm purchase school 1.1305',
  },
  {
    path: '/source-addresses',
    view: laterPage((pages) => pages.SourceAddressesPage),
    title: 'Source addresses',
    group: 'Administration',
    keywords: 'traceability lot code source reference web address URL label FDA 1.1310',
  },
  {
    path: '/unit-conversions',
    view: laterPage((pages) => pages.UnitConversionsPage),
    title: 'Unit conversions',
    group: 'Administration',
    keywords: 'units cases pounds each weight balance',
  },
  {
    path: '/targets',
    view: laterPage((pages) => pages.TargetsPage),
    title: 'Targets',
    group: 'Administration',
    keywords: 'alerts thresholds vendors silent',
  },
  {
    path: '/senders',
    view: laterPage((pages) => pages.SendersPage),
    title: 'Senders',
    group: 'Administration',
    keywords: 'ship notices ASN 856 EDI X12 EPCIS mapping vendors',
  },
  { path: '/senders/ship-notices', view: laterPage((pages) => pages.ShipNoticeSenderPage) },
  { path: '/senders/epcis', view: laterPage((pages) => pages.CaptureSenderPage) },
  {
    path: '/legal-holds',
    view: laterPage((pages) => pages.LegalHoldsPage),
    title: 'Legal holds',
    group: 'Administration',
    keywords: 'retention',
  },
  {
    path: '/checkpoints',
    view: laterPage((pages) => pages.CheckpointsPage),
    title: 'Checkpoints',
    group: 'Administration',
    role: 'partner',
    keywords: 'proof evidence',
  },
  {
    path: '/archive',
    view: laterPage((pages) => pages.ArchivePage),
    title: 'Archive',
    group: 'Administration',
    keywords: 'backup download everything',
  },
  {
    path: '/webhooks',
    view: laterPage((pages) => pages.WebhooksPage),
    title: 'Webhooks',
    group: 'Administration',
    role: 'administrator',
    keywords: 'notifications push integrations endpoints',
  },
  {
    path: '/webhooks/new',
    view: laterPage((pages) => pages.NewWebhookPage),
    title: 'New webhook',
    role: 'administrator',
    keywords: 'create endpoint',
  },
  { path: '/webhooks/:id', view: laterPage((pages) => pages.WebhookPage) },
  { path: '/webhooks/:id/edit', view: laterPage((pages) => pages.EditWebhookPage) },
  {
    path: '/partners',
    view: laterPage((pages) => pages.PartnersPage),
    title: 'Partners',
    group: 'Administration',
    role: 'administrator',
    keywords: 'share customers buyers vendors invitations grants',
  },
  {
    path: '/partners/new',
    view: laterPage((pages) => pages.NewPartnerPage),
    title: 'New partner',
    role: 'administrator',
    keywords: 'share customer grant',
  },
  { path: '/partners/:id', view: laterPage((pages) => pages.PartnerPage) },
  { path: '/partners/:id/edit', view: laterPage((pages) => pages.EditPartnerPage) },
  { path: '/invitation', view: laterPage((pages) => pages.InvitationPage), isOpen: true },
  {
    path: '/limits',
    view: laterPage((pages) => pages.LimitsPage),
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
