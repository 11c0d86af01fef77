// Every operation of the API. Routes, documents and tests are derived from this list.

import type { Operation } from './base/operation.ts'
import { readSettings } from './base/settings.ts'
import { listChanges, readNewestPosition } from './changes/changes.ts'
import { listCheckpoints, listSigningKeys } from './changes/checkpoints.ts'
import {
  createWebhook,
  deleteWebhook,
  listWebhookAttempts,
  listWebhooks,
  readWebhook,
  replaceWebhook,
  replayWebhook,
  resumeWebhook,
  rotateWebhookKey,
  testWebhook,
} from './changes/webhooks.ts'
import {
  applyCorrection,
  cancelCorrection,
  createCorrection,
  exportCorrectionReport,
  listCorrectionEvents,
  listCorrections,
  readCorrection,
  undoCorrection,
} from './corrections/bulk-corrections.ts'
import { exportArchive, importArchive } from './exchange/archive.ts'
import { captureEpcis } from './exchange/capture.ts'
import { listCaptureSenders, setCaptureSenders } from './exchange/capture-senders.ts'
import { draftReceivingEvent } from './exchange/receiving-draft.ts'
import { listShipNoticeSenders, setShipNoticeSenders } from './exchange/ship-notice-senders.ts'
import { importShipNotices } from './exchange/ship-notices.ts'
import { writeShipNotice } from './exchange/written-ship-notice.ts'
import { listAccessLog } from './keeping/access-log.ts'
import { liftLegalHold, listLegalHolds, setLegalHold } from './keeping/legal-holds.ts'
import { listMockRecalls, readMockRecall, startMockRecall } from './keeping/mock-recalls.ts'
import { listLimits } from './limits.ts'
import {
  changeKey,
  createKey,
  invitePerson,
  listKeys,
  readKey,
  readOwnKey,
  revokeKey,
  rotateKey,
} from './people/keys.ts'
import { createSession, endKeySessions, endOwnSessions, endSession, readSession } from './people/sessions.ts'
import { countEventsByDay } from './records/count-events.ts'
import { createLocations, createMasterProducts, createReceivingEvents, createShippingEvents } from './records/create.ts'
import {
  readLocationFindings,
  readLocationVersionFindings,
  readMasterProductFindings,
  readMasterProductVersionFindings,
  readReceivingEventFindings,
  readReceivingEventVersionFindings,
  readShippingEventFindings,
  readShippingEventVersionFindings,
} from './records/findings.ts'
import {
  listLocations,
  listLocationVersions,
  listMasterProducts,
  listMasterProductVersions,
  listReceivingEvents,
  listReceivingEventVersions,
  listShippingEvents,
  listShippingEventVersions,
} from './records/list.ts'
import {
  saveLocationList,
  saveMasterProductList,
  saveReceivingEventList,
  saveShippingEventList,
} from './records/list-file.ts'
import {
  listLocationValues,
  listMasterProductValues,
  listReceivingEventValues,
  listShippingEventValues,
} from './records/list-values.ts'
import { deleteListView, listListViews, saveListView } from './records/list-views.ts'
import { listTimeZones, setTimeZones } from './records/location-time-zones.ts'
import {
  readLocation,
  readLocationVersion,
  readMasterProduct,
  readMasterProductVersion,
  readReceivingEvent,
  readReceivingEventVersion,
  readShippingEvent,
  readShippingEventVersion,
} from './records/read.ts'
import { listRefusals } from './records/refusals.ts'
import {
  replaceLocation,
  replaceMasterProduct,
  replaceReceivingEvent,
  replaceShippingEvent,
} from './records/replace.ts'
import { search } from './records/search.ts'
import { listVoids, voidReceivingEvent, voidShippingEvent } from './records/void.ts'
import { createPackageLink, listPackageLinks, withdrawPackageLink } from './sharing/package-links.ts'
import {
  acceptInvitation,
  createPartner,
  deletePartner,
  invitePartner,
  listDeletedPartners,
  listPartnerAccesses,
  listPartners,
  readPartner,
  replacePartner,
  revokePartnerKey,
  suggestPlaces,
} from './sharing/partners.ts'
import { listGaps, readCompleteness } from './traceability/completeness.ts'
import { listDifferences } from './traceability/differences.ts'
import { exportEpcis } from './traceability/export-epcis.ts'
import { countFdaLines, exportFdaPackage, exportFdaSpreadsheet, readLastFdaPackage } from './traceability/export-fda.ts'
import { listGapCauses, previewMasterData } from './traceability/gap-causes.ts'
import { traceLot } from './traceability/trace-lot.ts'
import {
  listTraceabilityPlanVersions,
  readTraceabilityPlan,
  readTraceabilityPlanVersion,
  replaceTraceabilityPlan,
} from './traceability/traceability-plan.ts'
import { listAlerts, readAlertSettings, setAlertSettings } from './vendors/alerts.ts'
import { readCompletenessHistory } from './vendors/completeness-history.ts'
import { exportScorecardLines, readScorecard } from './vendors/scorecard.ts'
import { listVendorTargets, setVendorTargets } from './vendors/vendor-targets.ts'

/**
 * In the order in which they are shown. Listed one by one, because the order of a module's exports
 * depends on what loads it first.
 */
export const operations = {
  createReceivingEvents,
  replaceReceivingEvent,
  voidReceivingEvent,
  listVoids,
  readReceivingEvent,
  readReceivingEventFindings,
  listReceivingEvents,
  listReceivingEventValues,
  saveReceivingEventList,
  listReceivingEventVersions,
  readReceivingEventVersion,
  readReceivingEventVersionFindings,
  createShippingEvents,
  replaceShippingEvent,
  voidShippingEvent,
  readShippingEvent,
  readShippingEventFindings,
  listShippingEvents,
  listShippingEventValues,
  saveShippingEventList,
  listShippingEventVersions,
  readShippingEventVersion,
  readShippingEventVersionFindings,
  createMasterProducts,
  replaceMasterProduct,
  readMasterProduct,
  readMasterProductFindings,
  listMasterProducts,
  listMasterProductValues,
  saveMasterProductList,
  listMasterProductVersions,
  readMasterProductVersion,
  readMasterProductVersionFindings,
  createLocations,
  replaceLocation,
  readLocation,
  readLocationFindings,
  listLocations,
  listLocationValues,
  saveLocationList,
  listLocationVersions,
  readLocationVersion,
  readLocationVersionFindings,
  search,
  traceLot,
  exportFdaSpreadsheet,
  exportFdaPackage,
  readLastFdaPackage,
  countFdaLines,
  listPackageLinks,
  createPackageLink,
  withdrawPackageLink,
  readTraceabilityPlan,
  replaceTraceabilityPlan,
  listTraceabilityPlanVersions,
  readTraceabilityPlanVersion,
  readCompleteness,
  listGaps,
  listGapCauses,
  previewMasterData,
  exportEpcis,
  captureEpcis,
  listCaptureSenders,
  setCaptureSenders,
  countEventsByDay,
  readCompletenessHistory,
  listDifferences,
  readScorecard,
  exportScorecardLines,
  draftReceivingEvent,
  writeShipNotice,
  importShipNotices,
  listShipNoticeSenders,
  setShipNoticeSenders,
  listVendorTargets,
  setVendorTargets,
  listAlerts,
  readAlertSettings,
  setAlertSettings,
  listMockRecalls,
  startMockRecall,
  readMockRecall,
  createCorrection,
  listCorrections,
  readCorrection,
  listCorrectionEvents,
  applyCorrection,
  cancelCorrection,
  undoCorrection,
  exportCorrectionReport,
  listRefusals,
  listChanges,
  readNewestPosition,
  exportArchive,
  importArchive,
  listWebhooks,
  createWebhook,
  readWebhook,
  replaceWebhook,
  deleteWebhook,
  listWebhookAttempts,
  replayWebhook,
  testWebhook,
  resumeWebhook,
  rotateWebhookKey,
  listCheckpoints,
  listSigningKeys,
  listLimits,
  readSettings,
  createSession,
  readSession,
  endSession,
  endOwnSessions,
  endKeySessions,
  readOwnKey,
  listKeys,
  createKey,
  invitePerson,
  readKey,
  changeKey,
  revokeKey,
  rotateKey,
  listPartners,
  listDeletedPartners,
  suggestPlaces,
  createPartner,
  readPartner,
  replacePartner,
  deletePartner,
  invitePartner,
  acceptInvitation,
  revokePartnerKey,
  listPartnerAccesses,
  listAccessLog,
  listListViews,
  saveListView,
  deleteListView,
  listTimeZones,
  setTimeZones,
  listLegalHolds,
  setLegalHold,
  liftLegalHold,
} as const

export type OperationName = keyof typeof operations

export const catalogue: readonly Operation[] = Object.values(operations)
