// Every operation of the API. Routes, documents and tests are derived from this list.
import { listAccessLog } from './access-log.ts'
import { listAlerts, readAlertSettings, setAlertSettings } from './alerts.ts'
import { exportArchive, importArchive } from './archive.ts'
import {
  applyCorrection,
  cancelCorrection,
  createCorrection,
  exportCorrectionReport,
  listCorrectionEvents,
  listCorrections,
  readCorrection,
  undoCorrection,
} from './bulk-corrections.ts'
import { captureEpcis } from './capture.ts'
import { listCaptureSenders, setCaptureSenders } from './capture-senders.ts'
import { listChanges, readNewestPosition } from './changes.ts'
import { listCheckpoints, listSigningKeys } from './checkpoints.ts'
import { listGaps, readCompleteness } from './completeness.ts'
import { readCompletenessHistory } from './completeness-history.ts'
import { countEventsByDay } from './count-events.ts'
import { createLocations, createMasterProducts, createReceivingEvents, createShippingEvents } from './create.ts'
import { listDifferences } from './differences.ts'
import { exportEpcis } from './export-epcis.ts'
import { countFdaLines, exportFdaPackage, exportFdaSpreadsheet, readLastFdaPackage } from './export-fda.ts'
import {
  readLocationFindings,
  readLocationVersionFindings,
  readMasterProductFindings,
  readMasterProductVersionFindings,
  readReceivingEventFindings,
  readReceivingEventVersionFindings,
  readShippingEventFindings,
  readShippingEventVersionFindings,
} from './findings.ts'
import { listGapCauses, previewMasterData } from './gap-causes.ts'
import { changeKey, createKey, invitePerson, listKeys, readOwnKey, revokeKey, rotateKey } from './keys.ts'
import { liftLegalHold, listLegalHolds, setLegalHold } from './legal-holds.ts'
import { listLimits } from './limits.ts'
import {
  listLocations,
  listLocationVersions,
  listMasterProducts,
  listMasterProductVersions,
  listReceivingEvents,
  listReceivingEventVersions,
  listShippingEvents,
  listShippingEventVersions,
} from './list.ts'
import { saveLocationList, saveMasterProductList, saveReceivingEventList, saveShippingEventList } from './list-file.ts'
import {
  listLocationValues,
  listMasterProductValues,
  listReceivingEventValues,
  listShippingEventValues,
} from './list-values.ts'
import { deleteListView, listListViews, saveListView } from './list-views.ts'
import { listTimeZones, setTimeZones } from './location-time-zones.ts'
import { listMockRecalls, readMockRecall, startMockRecall } from './mock-recalls.ts'
import type { Operation } from './operation.ts'
import { createPackageLink, listPackageLinks, withdrawPackageLink } from './package-links.ts'
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
} from './partners.ts'
import {
  readLocation,
  readLocationVersion,
  readMasterProduct,
  readMasterProductVersion,
  readReceivingEvent,
  readReceivingEventVersion,
  readShippingEvent,
  readShippingEventVersion,
} from './read.ts'
import { draftReceivingEvent } from './receiving-draft.ts'
import { listRefusals } from './refusals.ts'
import { replaceLocation, replaceMasterProduct, replaceReceivingEvent, replaceShippingEvent } from './replace.ts'
import { exportScorecardLines, readScorecard } from './scorecard.ts'
import { search } from './search.ts'
import { createSession, endKeySessions, endOwnSessions, endSession, readSession } from './sessions.ts'
import { readSettings } from './settings.ts'
import { listShipNoticeSenders, setShipNoticeSenders } from './ship-notice-senders.ts'
import { importShipNotices } from './ship-notices.ts'
import { traceLot } from './trace-lot.ts'
import {
  listTraceabilityPlanVersions,
  readTraceabilityPlan,
  readTraceabilityPlanVersion,
  replaceTraceabilityPlan,
} from './traceability-plan.ts'
import { listVendorTargets, setVendorTargets } from './vendor-targets.ts'
import { listVoids, voidReceivingEvent, voidShippingEvent } from './void.ts'
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
} from './webhooks.ts'
import { writeShipNotice } from './written-ship-notice.ts'

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
