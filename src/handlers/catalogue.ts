// A handler for every operation, under the operation's name.
import { location, masterProduct, receivingEvent, shippingEvent } from '../contract/record-kinds.ts'
import { mayAs } from '../contract/role.ts'
import { type OperationName, operations } from '../operations/catalogue.ts'
import type { Operation } from '../operations/operation.ts'
import { listAccessLog } from './access-log.ts'
import { listAlerts, readAlertSettings, setAlertSettings } from './alerts.ts'
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
import { captureEpcis } from './capture-epcis.ts'
import { listChanges, readNewestPosition } from './changes.ts'
import { listCheckpoints, listSigningKeys } from './checkpoints.ts'
import { readCompleteness } from './completeness.ts'
import { readCompletenessHistory } from './completeness-history.ts'
import { countEventsByDay } from './count-events.ts'
import { create } from './create.ts'
import { listDifferences } from './differences.ts'
import { exportArchive } from './export-archive.ts'
import { exportEpcis } from './export-epcis.ts'
import { exportFdaPackage, exportFdaSpreadsheet, readLastFdaPackage } from './export-fda.ts'
import { countFdaLines } from './fda-selection.ts'
import { readFindings, readVersionFindings } from './findings.ts'
import { listGapCauses, previewMasterData } from './gap-causes.ts'
import { listGaps } from './gaps.ts'
import type { HandlerContext, Handlers } from './handler.ts'
import { importArchive } from './import-archive.ts'
import { importShipNotices } from './import-ship-notices.ts'
import { changeKey, createKey, invitePerson, listKeys, readOwnKey, revokeKey, rotateKey } from './keys.ts'
import { liftLegalHold, listLegalHolds, setLegalHold } from './legal-holds.ts'
import { listLimits } from './limits.ts'
import { list, listVersions } from './list.ts'
import { saveList } from './list-file.ts'
import { listValues } from './list-values.ts'
import { deleteListView, listListViews, saveListView } from './list-views.ts'
import { listTimeZones, setTimeZones } from './location-time-zones.ts'
import { listMockRecalls, readMockRecall, startMockRecall } from './mock-recalls.ts'
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
import { read, readVersion } from './read.ts'
import { draftReceivingEvent } from './receiving-draft.ts'
import { recordingAccess } from './recorded-access.ts'
import { listRefusals } from './refusals.ts'
import { replace } from './replace.ts'
import { exportScorecardLines, readScorecard } from './scorecard.ts'
import { search } from './search.ts'
import { listCaptureSenders, listShipNoticeSenders, setCaptureSenders, setShipNoticeSenders } from './senders.ts'
import { createSession, endKeySessions, endOwnSessions, endSession, readSession } from './sessions.ts'
import { readSettings } from './settings.ts'
import { storedLocations, storedMasterProducts, storedReceivingEvents, storedShippingEvents } from './stored-kinds.ts'
import { traceLot } from './trace-lot.ts'
import {
  listTraceabilityPlanVersions,
  readTraceabilityPlan,
  readTraceabilityPlanVersion,
  replaceTraceabilityPlan,
} from './traceability-plan.ts'
import { listVendorTargets, setVendorTargets } from './vendor-targets.ts'
import { listVoids, voidEvent } from './void.ts'
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
