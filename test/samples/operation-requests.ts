// A right request of every operation: what tests send when they ask all of them. An operation
// without one does not compile here.
import { randomBytes } from 'node:crypto'
import {
  type EventKindName,
  eventKindNames,
  eventKinds,
  isDeliveryKind,
  ofEventKinds,
  type RecordKindName,
} from '../../src/contract/record-kinds.ts'
import { capitalize } from '../../src/contract/text/capitalize.ts'
import type { OperationName, operations } from '../../src/operations/catalogue.ts'
import { locationPayload, type Payload, payloadOf, productPayload } from '../support/records/payloads.ts'
import { exampleNotice } from './ship-notices.ts'

/** What the path of an operation names. */
export type Subject =
  | RecordKindName
  | 'lot'
  | 'key'
  | 'legalHold'
  | 'mockRecall'
  | 'correction'
  | 'listView'
  | 'webhook'
  | 'packageLink'
  | 'partner'

export interface RequestSample<Outcome extends string = string> {
  /** How it ends for whom it may ask, about what is there. */
  readonly success: Outcome
  /** What it is about; absent when it is about all there is. */
  readonly subject?: Subject
  /** How it ends when the subject is not there. */
  readonly missing?: Outcome
  /** It changes its subject, so that each request needs one of its own. */
  readonly spends?: boolean
  readonly body?: (mark: string) => Payload
  readonly query?: Readonly<Record<string, string>>
  /** Of a list: its parameters for the size of a page, and for the next one. */
  readonly pages?: readonly [limit: string, next: string]
}

/** An EPCIS document whose receiving event carries a mark, and lacks what its sender has to declare. */
export const epcisDocumentOf = (mark: string): Payload => ({
  '@context': 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld',
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: '2026-03-04T18:00:00Z',
  epcisBody: {
    eventList: [
      {
        type: 'ObjectEvent',
        eventID: `urn:uuid:${mark}`,
        eventTime: '2026-03-04T17:30:00.250Z',
        eventTimeZoneOffset: '-08:00',
        action: 'OBSERVE',
        bizStep: 'receiving',
        bizLocation: { id: 'urn:epc:id:sgln:0614141.00002.0' },
        sourceList: [{ type: 'location', source: 'urn:epc:id:sgln:0614141.00001.0' }],
        bizTransactionList: [{ type: 'po', bizTransaction: 'urn:epcglobal:cbv:bt:0614141000029:88120' }],
        quantityList: [{ epcClass: 'urn:epc:class:lgtin:0614141.100041.GV26063-A', quantity: 56 }],
      },
    ],
  },
})

const markEvent =
  (kind: EventKindName, mark: string) =>
  ({ eventList, productMasterDataList, locationMasterList }: Payload): void => {
    eventList[isDeliveryKind(kind) ? 'purchaseOrderNumber' : 'referenceDocumentNumber'] = mark
    // Food has no lot code before it is packed.
    if (eventKinds[kind].lists.productList?.lots !== 'none') eventList.productList[0].caseLotNumber = `LOT-${mark}`
    for (const product of productMasterDataList) {
      product.itemDescription = mark
      delete product.packSize
    }
    for (const location of locationMasterList) location.locationName = mark
  }

/**
 * Payloads that carry a mark, by which an answer shows whose records are in it; the event lacks a
 * key data element.
 */
export const marked: Readonly<Record<RecordKindName, (mark: string) => Payload>> = {
  ...ofEventKinds((kind) => (mark: string) => payloadOf[kind](markEvent(kind, mark))),
  masterProduct: (mark: string): Payload =>
    productPayload(({ productMasterDataList }) => {
      productMasterDataList.itemDescription = mark
    }),
  location: (mark: string): Payload =>
    locationPayload(({ locationMasterList }) => {
      locationMasterList.locationName = mark
    }),
}

/** A correction of all events. */
export const correctionOf = (mark: string): Payload => ({
  reason: mark,
  where: {},
  changes: [{ field: 'product.packSize', set: mark }],
})

/** A webhook to a port of this machine on which nobody listens. */
export const webhookOf = (mark: string): Payload => ({ url: 'http://127.0.0.1:9/hook', description: mark })

/** The body of a link to a package; its query says which. */
export const packageLinkOf = (mark: string): Payload => ({ label: mark })

/** A plan that lacks nearly everything. */
export const planOf = (mark: string): Payload => ({ recordProcedures: mark })

/** A partner with one place, which sees what is shipped there. Names are taken once. */
export const partnerOf = (mark: string): Payload => ({
  name: `${mark} ${randomBytes(8).toString('hex')}`,
  places: [{ locationCode: mark }],
  grants: [{ direction: 'shipTo' }],
})

const creates = (kind: RecordKindName) => ({ success: 'created', body: marked[kind] }) as const
const replaces = (subject: RecordKindName) =>
  ({ success: 'replaced', subject, missing: 'unknownRecord', body: marked[subject], spends: true }) as const
const voids = (subject: EventKindName) =>
  ({
    success: 'voided',
    subject,
    missing: 'unknownRecord',
    spends: true,
    body: (mark: string) => ({ reason: mark }),
  }) as const
const reads = (subject: RecordKindName) => ({ success: 'found', subject, missing: 'unknownRecord' }) as const
const ofWebhook = { subject: 'webhook', missing: 'unknownWebhook' } as const
const ofPartner = { subject: 'partner', missing: 'unknownPartner' } as const
const paged = { success: 'listed', pages: ['limit', 'cursor'] } as const
const listsOf = (subject: RecordKindName) => ({ ...paged, subject, missing: 'unknownRecord' }) as const

/** The first line of an archive without records. */
export const archiveOfNothing = JSON.stringify({
  is: 'archive',
  format: 'lotkeeper archive 1',
  provider: { id: '019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f', name: 'nobody' },
  madeDateTime: '2026-03-04T14:00:00.000Z',
  keys: 0,
  versions: 0,
  checkpoints: 0,
})

/** Requests to the operations that every kind of event has. */
function eventRequests(kind: EventKindName): Readonly<Record<string, unknown>> {
  const name = capitalize(kind)
  return {
    [`create${name}s`]: creates(kind),
    [`replace${name}`]: replaces(kind),
    [`void${name}`]: voids(kind),
    [`read${name}`]: reads(kind),
    [`read${name}Findings`]: { ...reads(kind), query: { judged: 'now' } },
    [`list${name}s`]: paged,
    [`save${name}List`]: { success: 'saved' },
    [`list${name}Values`]: { success: 'listed' },
    [`list${name}Versions`]: listsOf(kind),
    [`read${name}Version`]: reads(kind),
    [`read${name}VersionFindings`]: reads(kind),
  }
}

type EventRequests = {
  readonly [Name in Extract<
    OperationName,
    | `create${Capitalize<EventKindName>}s`
    | `list${Capitalize<EventKindName>}${'s' | 'Values' | 'Versions'}`
    | `${'replace' | 'void' | 'read'}${Capitalize<EventKindName>}`
    | `read${Capitalize<EventKindName>}${'Findings' | 'Version' | 'VersionFindings'}`
    | `save${Capitalize<EventKindName>}List`
  >]: RequestSample<never>
}

export const requestSamples: {
  readonly [Name in OperationName]: RequestSample<keyof (typeof operations)[Name]['outcomes'] & string>
} = {
  ...(Object.assign({}, ...eventKindNames.map(eventRequests)) as EventRequests),
  listVoids: paged,
  saveMasterProductList: { success: 'saved' },
  saveLocationList: { success: 'saved' },
  listMasterProductValues: { success: 'listed' },
  listLocationValues: { success: 'listed' },
  createMasterProducts: creates('masterProduct'),
  replaceMasterProduct: replaces('masterProduct'),
  readMasterProduct: reads('masterProduct'),
  readMasterProductFindings: reads('masterProduct'),
  listMasterProducts: paged,
  listMasterProductVersions: listsOf('masterProduct'),
  readMasterProductVersion: reads('masterProduct'),
  readMasterProductVersionFindings: reads('masterProduct'),
  createLocations: creates('location'),
  replaceLocation: replaces('location'),
  readLocation: reads('location'),
  readLocationFindings: reads('location'),
  listLocations: paged,
  listLocationVersions: listsOf('location'),
  readLocationVersion: reads('location'),
  readLocationVersionFindings: reads('location'),
  search: { success: 'searched', query: { text: 'LOT-' } },
  traceLot: { success: 'traced', subject: 'lot', missing: 'unknownLot' },
  traceChain: { success: 'chained', subject: 'lot', missing: 'unknownLot' },
  // The food of the example of initial packing.
  traceFood: {
    success: 'chained',
    query: { dataProviderVendorId: 'V-1001', locationCode: 'GV-FARM-2', date: '2026-03-02' },
  },
  exportFdaSpreadsheet: { success: 'exported' },
  exportFdaPackage: { success: 'exported' },
  readLastFdaPackage: { success: 'found' },
  countFdaLines: { success: 'counted' },
  listPackageLinks: paged,
  createPackageLink: { success: 'created', body: packageLinkOf, query: { eventStartDate: '2000-01-01' } },
  withdrawPackageLink: {
    success: 'withdrawn',
    subject: 'packageLink',
    missing: 'unknownPackageLink',
    spends: true,
  },
  readTraceabilityPlan: { success: 'found' },
  replaceTraceabilityPlan: { success: 'replaced', body: planOf },
  listTraceabilityPlanVersions: paged,
  readTraceabilityPlanVersion: { success: 'found' },
  readCompleteness: { success: 'counted' },
  listGaps: paged,
  listGapCauses: { success: 'listed' },
  previewMasterData: {
    success: 'counted',
    body: (mark) => ({ masterProduct: marked.masterProduct(mark).productMasterDataList }),
  },
  exportEpcis: { success: 'exported', pages: ['perPage', 'nextPageToken'] },
  countEventsByDay: { success: 'counted' },
  readCompletenessHistory: { success: 'counted' },
  listDifferences: { success: 'compared', pages: ['limit', 'cursor'] },
  readScorecard: { success: 'found', query: { dataProviderVendorId: 'V-1001' } },
  exportScorecardLines: { success: 'exported', query: { dataProviderVendorId: 'V-1001' } },
  draftReceivingEvent: { success: 'drafted', subject: 'shippingEvent', missing: 'unknownRecord' },
  writeShipNotice: {
    success: 'written',
    subject: 'shippingEvent',
    missing: 'unknownRecord',
    query: { senderId: 'GREENVALLEY', receiverId: 'BUYER' },
  },
  importShipNotices: {
    success: 'read',
    body: (mark) => ({ interchange: exampleNotice.replaceAll('GREENVALLEY', mark.slice(0, 15)) }),
  },
  listShipNoticeSenders: { success: 'listed' },
  setShipNoticeSenders: {
    success: 'set',
    body: (mark) => ({ senders: [{ senderId: mark, dataProviderVendorId: mark, timeZone: 'America/Chicago' }] }),
  },
  listVendorTargets: { success: 'listed' },
  captureEpcis: { success: 'captured', body: epcisDocumentOf },
  listUnitConversions: { success: 'listed' },
  setUnitConversions: {
    success: 'set',
    body: (mark) => ({ conversions: [{ itemCode: mark, units: [{ unit: 'case', quantity: 24, inUnit: 'each' }] }] }),
  },
  listExemptPlaces: { success: 'listed' },
  setExemptPlaces: {
    success: 'set',
    body: (mark) => ({ places: [{ dataProviderVendorId: mark, exemptions: [{ reason: 'smallProduceFarm' }] }] }),
  },
  listSourceAddresses: { success: 'listed' },
  setSourceAddresses: {
    success: 'set',
    body: (mark) => ({ addresses: [{ name: 'a-cooler', dataProviderVendorId: mark, locationCode: mark }] }),
  },
  listCaptureSenders: { success: 'listed' },
  setCaptureSenders: { success: 'set', body: (mark) => ({ senders: [{ sender: mark, dataProviderVendorId: mark }] }) },
  setVendorTargets: {
    success: 'set',
    body: (mark) => ({ targets: [{ dataProviderVendorId: mark, completeShare: 0.98 }] }),
  },
  listAlerts: paged,
  readAlertSettings: { success: 'found' },
  setAlertSettings: { success: 'set', body: () => ({ retentionDueVersions: 2 }) },
  createCorrection: { success: 'created', body: correctionOf },
  listCorrections: paged,
  readCorrection: { success: 'found', subject: 'correction', missing: 'unknownCorrection' },
  listCorrectionEvents: { ...paged, subject: 'correction', missing: 'unknownCorrection' },
  // Nobody works on corrections here: the preview does not end.
  applyCorrection: {
    success: 'notPreviewed',
    subject: 'correction',
    missing: 'unknownCorrection',
    body: () => ({ ready: 2 }),
  },
  cancelCorrection: { success: 'cancelled', subject: 'correction', missing: 'unknownCorrection', spends: true },
  // Nobody has ended it.
  undoCorrection: {
    success: 'notEnded',
    subject: 'correction',
    missing: 'unknownCorrection',
    body: (mark) => ({ reason: mark }),
  },
  exportCorrectionReport: { success: 'exported', subject: 'correction', missing: 'unknownCorrection' },
  listMockRecalls: paged,
  startMockRecall: { success: 'started', body: (mark) => ({ lotCode: `LOT-${mark}` }) },
  readMockRecall: { success: 'found', subject: 'mockRecall', missing: 'unknownMockRecall' },
  listRefusals: paged,
  listChanges: { success: 'listed' },
  readNewestPosition: { success: 'found' },
  exportArchive: { success: 'exported' },
  importArchive: { success: 'notEmpty', body: () => ({ archive: archiveOfNothing, lines: [] }) },
  listWebhooks: { success: 'listed' },
  createWebhook: { success: 'created', body: webhookOf },
  readWebhook: { success: 'found', ...ofWebhook },
  replaceWebhook: { success: 'changed', ...ofWebhook, body: webhookOf },
  deleteWebhook: { success: 'deleted', ...ofWebhook, spends: true },
  listWebhookAttempts: { success: 'listed', ...ofWebhook },
  replayWebhook: { success: 'moved', ...ofWebhook, body: () => ({}) },
  testWebhook: { success: 'tried', ...ofWebhook, body: () => ({}) },
  resumeWebhook: { success: 'resumed', ...ofWebhook, body: () => ({}) },
  rotateWebhookKey: { success: 'rotated', ...ofWebhook, body: () => ({}) },
  listCheckpoints: { success: 'listed' },
  listSigningKeys: { success: 'listed' },
  listLimits: { success: 'listed' },
  readSettings: { success: 'found' },
  createSession: { success: 'created', body: () => ({}) },
  readSession: { success: 'found' },
  endSession: { success: 'noSession' },
  endOwnSessions: { success: 'ended' },
  endKeySessions: { success: 'ended', subject: 'key', missing: 'unknownKey' },
  readOwnKey: { success: 'found' },
  listKeys: { success: 'listed' },
  createKey: { success: 'created', body: (label) => ({ role: 'reader', label }) },
  invitePerson: { success: 'noIdentityProvider', body: (mark) => ({ role: 'reader', email: `${mark}@example.com` }) },
  readKey: { success: 'found', subject: 'key', missing: 'unknownKey' },
  changeKey: {
    success: 'changed',
    subject: 'key',
    missing: 'unknownKey',
    body: (label) => ({ role: 'reader', label }),
    spends: true,
  },
  rotateKey: { success: 'created', subject: 'key', missing: 'unknownKey', body: () => ({}) },
  revokeKey: { success: 'revoked', subject: 'key', missing: 'unknownKey', spends: true },
  listPartners: paged,
  listDeletedPartners: paged,
  suggestPlaces: { success: 'listed' },
  createPartner: { success: 'created', body: partnerOf },
  readPartner: { success: 'found', ...ofPartner },
  replacePartner: { success: 'changed', ...ofPartner, body: partnerOf },
  deletePartner: { success: 'deleted', ...ofPartner, spends: true },
  invitePartner: { success: 'created', ...ofPartner, body: (label) => ({ label }) },
  readDisplayName: { success: 'found' },
  setDisplayName: { success: 'set', body: (mark) => ({ name: mark }) },
  readInvitation: { success: 'noInvitation' },
  acceptInvitation: { success: 'noInvitation', body: () => ({}) },
  revokePartnerKey: { success: 'unknownKey', ...ofPartner, body: () => ({ keyId: '1f0c6c2b9a7d4e11' }) },
  listPartnerAccesses: { success: 'listed', ...ofPartner },
  listAccessLog: paged,
  listListViews: { success: 'listed' },
  saveListView: {
    success: 'saved',
    body: (name) => ({ list: 'receivingEvent', name, query: 'hasGaps=true', shared: true }),
  },
  deleteListView: { success: 'deleted', subject: 'listView', missing: 'unknownView', spends: true },
  listTimeZones: paged,
  setTimeZones: {
    success: 'set',
    body: (mark) => ({ timeZones: [{ locationCode: mark, timeZone: 'America/New_York' }] }),
  },
  listLegalHolds: paged,
  setLegalHold: { success: 'created', body: (mark) => ({ reason: mark, lotCode: `LOT-${mark}` }) },
  liftLegalHold: { success: 'lifted', subject: 'legalHold', missing: 'unknownHold', spends: true },
}

/** The address of a request: what it is about, and its query. */
export function addressOf(path: string, subject: string, query: Readonly<Record<string, string>> = {}): string {
  const address = path
    .replace('{id}', encodeURIComponent(subject))
    .replace('{lotCode}', encodeURIComponent(subject))
    .replace('{version}', '1')
  const parameters = new URLSearchParams(query).toString()
  return parameters === '' ? address : `${address}?${parameters}`
}
