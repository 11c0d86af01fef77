// A handler for every operation, under the operation's name.
import { location, masterProduct, receivingEvent, shippingEvent } from '../contract/record-kinds.ts'
import { mayAs } from '../contract/role.ts'
import type { Operation } from '../operations/base/operation.ts'
import { type OperationName, operations } from '../operations/catalogue.ts'
import type { HandlerContext, Handlers } from './base/handler.ts'
import { recordingAccess } from './base/recorded-access.ts'
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
import { captureEpcis } from './exchange/capture-epcis.ts'
import { exportArchive } from './exchange/export-archive.ts'
import { importArchive } from './exchange/import-archive.ts'
import { importShipNotices } from './exchange/import-ship-notices.ts'
import { draftReceivingEvent } from './exchange/receiving-draft.ts'
import {
  listCaptureSenders,
  listShipNoticeSenders,
  setCaptureSenders,
  setShipNoticeSenders,
} from './exchange/senders.ts'
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
import { create } from './records/create.ts'
import { readFindings, readVersionFindings } from './records/findings.ts'
import { list, listVersions } from './records/list.ts'
import { saveList } from './records/list-file.ts'
import { listValues } from './records/list-values.ts'
import { deleteListView, listListViews, saveListView } from './records/list-views.ts'
import { listTimeZones, setTimeZones } from './records/location-time-zones.ts'
import { read, readVersion } from './records/read.ts'
import { listRefusals } from './records/refusals.ts'
import { replace } from './records/replace.ts'
import { search } from './records/search.ts'
import {
  storedLocations,
  storedMasterProducts,
  storedReceivingEvents,
  storedShippingEvents,
} from './records/stored-kinds.ts'
import { listVoids, voidEvent } from './records/void.ts'
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
import { readCompleteness } from './traceability/completeness.ts'
import { listDifferences } from './traceability/differences.ts'
import { exportEpcis } from './traceability/export-epcis.ts'
import { exportFdaPackage, exportFdaSpreadsheet, readLastFdaPackage } from './traceability/export-fda.ts'
import { countFdaLines } from './traceability/fda-selection.ts'
import { listGapCauses, previewMasterData } from './traceability/gap-causes.ts'
import { listGaps } from './traceability/gaps.ts'
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

/** What is recorded, and what partners may ask, cannot run without its record. */
export const handlersAt = (context: HandlerContext): Handlers =>
  Object.fromEntries(
    Object.entries(unrecordedHandlers(context)).map(([name, handler]) => {
      const operation: Operation = operations[name as OperationName]
      const isRecorded = operation.recorded !== undefined || mayAs('partner', operation.role)
      return [name, isRecorded ? recordingAccess(context, operation, handler) : handler]
    }),
  ) as unknown as Handlers

const unrecordedHandlers = (context: HandlerContext): Handlers => ({
  createReceivingEvents: create(context, storedReceivingEvents, operations.createReceivingEvents),
  createShippingEvents: create(context, storedShippingEvents, operations.createShippingEvents),
  createMasterProducts: create(context, storedMasterProducts, operations.createMasterProducts),
  createLocations: create(context, storedLocations, operations.createLocations),
  replaceReceivingEvent: replace(context, storedReceivingEvents, operations.replaceReceivingEvent),
  replaceShippingEvent: replace(context, storedShippingEvents, operations.replaceShippingEvent),
  replaceMasterProduct: replace(context, storedMasterProducts, operations.replaceMasterProduct),
  replaceLocation: replace(context, storedLocations, operations.replaceLocation),
  voidReceivingEvent: voidEvent(context, receivingEvent, operations.voidReceivingEvent),
  voidShippingEvent: voidEvent(context, shippingEvent, operations.voidShippingEvent),
  listVoids: listVoids(context),
  readReceivingEvent: read(context, receivingEvent, operations.readReceivingEvent),
  readShippingEvent: read(context, shippingEvent, operations.readShippingEvent),
  readMasterProduct: read(context, masterProduct, operations.readMasterProduct),
  readLocation: read(context, location, operations.readLocation),
  readReceivingEventVersion: readVersion(context, receivingEvent),
  readShippingEventVersion: readVersion(context, shippingEvent),
  readMasterProductVersion: readVersion(context, masterProduct),
  readLocationVersion: readVersion(context, location),
  readReceivingEventFindings: readFindings(context, receivingEvent, operations.readReceivingEventFindings),
  readShippingEventFindings: readFindings(context, shippingEvent, operations.readShippingEventFindings),
  readMasterProductFindings: readFindings(context, masterProduct, operations.readMasterProductFindings),
  readLocationFindings: readFindings(context, location, operations.readLocationFindings),
  readReceivingEventVersionFindings: readVersionFindings(context, receivingEvent),
  readShippingEventVersionFindings: readVersionFindings(context, shippingEvent),
  readMasterProductVersionFindings: readVersionFindings(context, masterProduct),
  readLocationVersionFindings: readVersionFindings(context, location),
  listReceivingEvents: list(context, storedReceivingEvents),
  listShippingEvents: list(context, storedShippingEvents),
  listMasterProducts: list(context, storedMasterProducts),
  listLocations: list(context, storedLocations),
  listReceivingEventValues: listValues(context, storedReceivingEvents),
  listShippingEventValues: listValues(context, storedShippingEvents),
  listMasterProductValues: listValues(context, storedMasterProducts),
  listLocationValues: listValues(context, storedLocations),
  saveReceivingEventList: saveList(context, storedReceivingEvents),
  saveShippingEventList: saveList(context, storedShippingEvents),
  saveMasterProductList: saveList(context, storedMasterProducts),
  saveLocationList: saveList(context, storedLocations),
  readCompleteness: readCompleteness(context),
  listGaps: listGaps(context),
  listGapCauses: listGapCauses(context),
  previewMasterData: previewMasterData(context),
  listDifferences: listDifferences(context),
  listReceivingEventVersions: listVersions(context, receivingEvent),
  listShippingEventVersions: listVersions(context, shippingEvent),
  listMasterProductVersions: listVersions(context, masterProduct),
  listLocationVersions: listVersions(context, location),
  countEventsByDay: countEventsByDay(context),
  readCompletenessHistory: readCompletenessHistory(context),
  readScorecard: readScorecard(context),
  exportScorecardLines: exportScorecardLines(context),
  draftReceivingEvent: draftReceivingEvent(context),
  writeShipNotice: writeShipNotice(context),
  importShipNotices: importShipNotices(context),
  listShipNoticeSenders: listShipNoticeSenders(context),
  setShipNoticeSenders: setShipNoticeSenders(context),
  listVendorTargets: listVendorTargets(context),
  setVendorTargets: setVendorTargets(context),
  listAlerts: listAlerts(context),
  readAlertSettings: readAlertSettings(context),
  setAlertSettings: setAlertSettings(context),
  listMockRecalls: listMockRecalls(context),
  startMockRecall: startMockRecall(context),
  readMockRecall: readMockRecall(context),
  createCorrection: createCorrection(context),
  listCorrections: listCorrections(context),
  readCorrection: readCorrection(context),
  listCorrectionEvents: listCorrectionEvents(context),
  applyCorrection: applyCorrection(context),
  cancelCorrection: cancelCorrection(context),
  undoCorrection: undoCorrection(context),
  exportCorrectionReport: exportCorrectionReport(context),
  listRefusals: listRefusals(context),
  listChanges: listChanges(context),
  readNewestPosition: readNewestPosition(context),
  exportArchive: exportArchive(context),
  importArchive: importArchive(context),
  listWebhooks: listWebhooks(context),
  createWebhook: createWebhook(context),
  readWebhook: readWebhook(context),
  replaceWebhook: replaceWebhook(context),
  deleteWebhook: deleteWebhook(context),
  listWebhookAttempts: listWebhookAttempts(context),
  replayWebhook: replayWebhook(context),
  testWebhook: testWebhook(context),
  resumeWebhook: resumeWebhook(context),
  rotateWebhookKey: rotateWebhookKey(context),
  listCheckpoints: listCheckpoints(context),
  listSigningKeys: listSigningKeys(context),
  listLimits: listLimits(context),
  readSettings: readSettings(context),
  createSession: createSession(context),
  readSession: readSession(context),
  endSession: endSession(context),
  endOwnSessions: endOwnSessions(context),
  endKeySessions: endKeySessions(context),
  readOwnKey: readOwnKey(context),
  listKeys: listKeys(context),
  createKey: createKey(context),
  invitePerson: invitePerson(context),
  readKey: readKey(context),
  changeKey: changeKey(context),
  revokeKey: revokeKey(context),
  rotateKey: rotateKey(context),
  listPartners: listPartners(context),
  listDeletedPartners: listDeletedPartners(context),
  suggestPlaces: suggestPlaces(context),
  createPartner: createPartner(context),
  readPartner: readPartner(context),
  replacePartner: replacePartner(context),
  deletePartner: deletePartner(context),
  invitePartner: invitePartner(context),
  acceptInvitation: acceptInvitation(context),
  revokePartnerKey: revokePartnerKey(context),
  listPartnerAccesses: listPartnerAccesses(context),
  listAccessLog: listAccessLog(context),
  listListViews: listListViews(context),
  saveListView: saveListView(context),
  deleteListView: deleteListView(context),
  listTimeZones: listTimeZones(context),
  setTimeZones: setTimeZones(context),
  listLegalHolds: listLegalHolds(context),
  setLegalHold: setLegalHold(context),
  liftLegalHold: liftLegalHold(context),
  exportEpcis: exportEpcis(context),
  captureEpcis: captureEpcis(context),
  listCaptureSenders: listCaptureSenders(context),
  setCaptureSenders: setCaptureSenders(context),
  search: search(context),
  traceLot: traceLot(context),
  exportFdaSpreadsheet: exportFdaSpreadsheet(context),
  exportFdaPackage: exportFdaPackage(context),
  readLastFdaPackage: readLastFdaPackage(context),
  countFdaLines: countFdaLines(context),
  listPackageLinks: listPackageLinks(context),
  createPackageLink: createPackageLink(context),
  withdrawPackageLink: withdrawPackageLink(context),
  readTraceabilityPlan: readTraceabilityPlan(context),
  replaceTraceabilityPlan: replaceTraceabilityPlan(context),
  listTraceabilityPlanVersions: listTraceabilityPlanVersions(context),
  readTraceabilityPlanVersion: readTraceabilityPlanVersion(context),
})
