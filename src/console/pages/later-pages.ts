// The pages that the first script does not need.
import { AccessLogPage } from './access-log.tsx'
import { AlertsPage } from './alerts.tsx'
import { ArchivePage } from './archive.tsx'
import { CaptureSenderPage } from './capture-sender.tsx'
import { ChangesPage } from './changes.tsx'
import { CheckpointsPage } from './checkpoints.tsx'
import { CompletePage } from './complete.tsx'
import { CompletenessPage } from './completeness.tsx'
import { CompletenessHistoryPage } from './completeness-history.tsx'
import { CorrectionPage } from './correction.tsx'
import { CorrectionsPage } from './corrections.tsx'
import { DifferencesPage } from './differences.tsx'
import { DockPage } from './dock.tsx'
import { DockReceiptPage } from './dock-receipt.tsx'
import { EditPage } from './edit.tsx'
import { EditPartnerPage } from './edit-partner.tsx'
import { EditTraceabilityPlanPage } from './edit-traceability-plan.tsx'
import { EditWebhookPage } from './edit-webhook.tsx'
import { FdaPage } from './fda.tsx'
import { GapsPage } from './gaps.tsx'
import { ImportPage } from './import.tsx'
import { JsonPage } from './json.tsx'
import { KeysPage } from './keys.tsx'
import { LegalHoldsPage } from './legal-holds.tsx'
import { LimitsPage } from './limits.tsx'
import { MockRecallPage } from './mock-recall.tsx'
import { MockRecallsPage } from './mock-recalls.tsx'
import { NewPage } from './new.tsx'
import { NewCorrectionPage } from './new-correction.tsx'
import { NewPartnerPage } from './new-partner.tsx'
import { NewWebhookPage } from './new-webhook.tsx'
import { PackageLinksPage } from './package-links.tsx'
import { PartnerPage } from './partner.tsx'
import { PartnersPage } from './partners.tsx'
import { RefusalsPage } from './refusals.tsx'
import { ScorecardPage } from './scorecard.tsx'
import { SendersPage } from './senders.tsx'
import { ShipNoticeSenderPage } from './ship-notice-sender.tsx'
import { TargetsPage } from './targets.tsx'
import { TimeZonesPage } from './time-zones.tsx'
import { TracePage } from './trace.tsx'
import { TraceabilityPlanPage } from './traceability-plan.tsx'
import { VersionsPage } from './versions.tsx'
import { VoidsPage } from './voids.tsx'
import { WebhookPage } from './webhook.tsx'
import { WebhooksPage } from './webhooks.tsx'

export const laterPages = {
  AccessLogPage,
  AlertsPage,
  ArchivePage,
  CaptureSenderPage,
  ChangesPage,
  CheckpointsPage,
  CompletePage,
  CompletenessPage,
  CompletenessHistoryPage,
  CorrectionPage,
  CorrectionsPage,
  DifferencesPage,
  DockPage,
  DockReceiptPage,
  EditPage,
  EditPartnerPage,
  EditTraceabilityPlanPage,
  EditWebhookPage,
  FdaPage,
  GapsPage,
  ImportPage,
  JsonPage,
  KeysPage,
  LegalHoldsPage,
  LimitsPage,
  MockRecallPage,
  MockRecallsPage,
  NewPage,
  NewCorrectionPage,
  NewPartnerPage,
  NewWebhookPage,
  PackageLinksPage,
  PartnerPage,
  PartnersPage,
  RefusalsPage,
  ScorecardPage,
  SendersPage,
  ShipNoticeSenderPage,
  TargetsPage,
  TimeZonesPage,
  TracePage,
  TraceabilityPlanPage,
  VersionsPage,
  VoidsPage,
  WebhookPage,
  WebhooksPage,
}
