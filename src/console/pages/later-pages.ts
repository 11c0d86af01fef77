// The pages that the first script does not need.

import { ChosenRecords } from '../parts/records/chosen-records.tsx'
import { ChangesPage } from './changes/changes.tsx'
import { CheckpointsPage } from './changes/checkpoints.tsx'
import { WebhookPage } from './changes/webhook.tsx'
import { EditWebhookPage, NewWebhookPage } from './changes/webhook-settings.tsx'
import { WebhooksPage } from './changes/webhooks.tsx'
import { CorrectionPage } from './corrections/correction.tsx'
import { CorrectionsPage } from './corrections/corrections.tsx'
import { NewCorrectionPage } from './corrections/new-correction.tsx'
import { ArchivePage } from './exchange/archive.tsx'
import { CaptureSenderPage } from './exchange/capture-sender.tsx'
import { DockPage } from './exchange/dock.tsx'
import { DockReceiptPage } from './exchange/dock-receipt.tsx'
import { ImportPage } from './exchange/import.tsx'
import { SendersPage } from './exchange/senders.tsx'
import { ShipNoticeSenderPage } from './exchange/ship-notice-sender.tsx'
import { LimitsPage } from './frame/limits.tsx'
import { AccessLogPage } from './keeping/access-log.tsx'
import { LegalHoldsPage } from './keeping/legal-holds.tsx'
import { MockRecallPage } from './keeping/mock-recall.tsx'
import { MockRecallsPage } from './keeping/mock-recalls.tsx'
import { KeysPage } from './people/keys.tsx'
import { EditPage } from './records/edit.tsx'
import { JsonPage } from './records/json.tsx'
import { NewPage } from './records/new.tsx'
import { PalletLabelsPage } from './records/pallet-labels.tsx'
import { RefusalsPage } from './records/refusals.tsx'
import { TimeZonesPage } from './records/time-zones.tsx'
import { VersionsPage } from './records/versions.tsx'
import { VoidsPage } from './records/voids.tsx'
import { InvitationPage } from './sharing/invitation.tsx'
import { PackageLinksPage } from './sharing/package-links.tsx'
import { PartnerPage } from './sharing/partner.tsx'
import { EditPartnerPage, NewPartnerPage } from './sharing/partner-settings.tsx'
import { PartnersPage } from './sharing/partners.tsx'
import { BalancesPage } from './traceability/balances.tsx'
import { CompletePage } from './traceability/complete.tsx'
import { CompletenessPage } from './traceability/completeness.tsx'
import { DifferencesPage } from './traceability/differences.tsx'
import { EditTraceabilityPlanPage } from './traceability/edit-traceability-plan.tsx'
import { ExemptPlacesPage } from './traceability/exempt-places.tsx'
import { FdaPage } from './traceability/fda.tsx'
import { FoodPage } from './traceability/food.tsx'
import { GapsPage } from './traceability/gaps.tsx'
import { SourceAddressesPage } from './traceability/source-addresses.tsx'
import { TracePage } from './traceability/trace.tsx'
import { TraceabilityPlanPage } from './traceability/traceability-plan.tsx'
import { UnitConversionsPage } from './traceability/unit-conversions.tsx'
import { AlertsPage } from './vendors/alerts.tsx'
import { CompletenessHistoryPage } from './vendors/completeness-history.tsx'
import { ScorecardPage } from './vendors/scorecard.tsx'
import { TargetsPage } from './vendors/targets.tsx'

export const laterPages = {
  AccessLogPage,
  AlertsPage,
  ArchivePage,
  CaptureSenderPage,
  ChangesPage,
  CheckpointsPage,
  ChosenRecords,
  CompletePage,
  CompletenessHistoryPage,
  CompletenessPage,
  CorrectionPage,
  CorrectionsPage,
  DifferencesPage,
  DockPage,
  DockReceiptPage,
  EditPage,
  EditPartnerPage,
  EditTraceabilityPlanPage,
  EditWebhookPage,
  ExemptPlacesPage,
  SourceAddressesPage,
  FdaPage,
  GapsPage,
  ImportPage,
  InvitationPage,
  JsonPage,
  KeysPage,
  LegalHoldsPage,
  LimitsPage,
  MockRecallPage,
  MockRecallsPage,
  NewCorrectionPage,
  NewPage,
  NewPartnerPage,
  NewWebhookPage,
  PackageLinksPage,
  PartnerPage,
  PartnersPage,
  PalletLabelsPage,
  RefusalsPage,
  ScorecardPage,
  SendersPage,
  ShipNoticeSenderPage,
  TargetsPage,
  TimeZonesPage,
  BalancesPage,
  FoodPage,
  TracePage,
  UnitConversionsPage,
  TraceabilityPlanPage,
  VersionsPage,
  VoidsPage,
  WebhookPage,
  WebhooksPage,
}
