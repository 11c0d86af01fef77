// A handler for every operation, under the operation's name.
import { location, masterProduct, receivingEvent } from '../contract/record-kinds.ts'
import { type OperationName, operations } from '../operations/catalogue.ts'
import type { Operation } from '../operations/operation.ts'
import type { LocationSearch } from '../store/locations.ts'
import type { ProductSearch } from '../store/master-products.ts'
import { listAccessLog } from './access-log.ts'
import { listCheckpoints, listSigningKeys } from './checkpoints.ts'
import { readCompleteness } from './completeness.ts'
import { countEventsByDay } from './count-events.ts'
import { create } from './create.ts'
import { exportArchive } from './export-archive.ts'
import { exportEpcis } from './export-epcis.ts'
import { exportFdaPackage, exportFdaSpreadsheet } from './export-fda.ts'
import { countFdaLines } from './fda-selection.ts'
import { readFindings, readVersionFindings } from './findings.ts'
import { listGaps } from './gaps.ts'
import type { Handlers, Workplace } from './handler.ts'
import { createKey, listKeys, readOwnKey, revokeKey } from './keys.ts'
import { liftLegalHold, listLegalHolds, setLegalHold } from './legal-holds.ts'
import { listLimits } from './limits.ts'
import { list, listVersions } from './list.ts'
import { listTimeZones, setTimeZones } from './location-time-zones.ts'
import { read, readVersion } from './read.ts'
import { locationKeeping, masterProductKeeping, receivingEventKeeping } from './record-keeping.ts'
import { recordingAccess } from './recorded-access.ts'
import { listRefusals } from './refused-writes.ts'
import { replace } from './replace.ts'
import { restoreArchive } from './restore-archive.ts'
import { readSettings } from './settings.ts'
import { traceLot } from './trace-lot.ts'

/** What an operation says is recorded cannot be had without the record. */
export const handlersAt = (workplace: Workplace): Handlers =>
  Object.fromEntries(
    Object.entries(unrecorded(workplace)).map(([name, handler]) => {
      const operation: Operation = operations[name as OperationName]
      return [name, operation.recorded === undefined ? handler : recordingAccess(workplace, operation, handler)]
    }),
  ) as unknown as Handlers

const unrecorded = (workplace: Workplace): Handlers => ({
  createReceivingEvents: create(workplace, receivingEventKeeping, operations.createReceivingEvents),
  createMasterProducts: create(workplace, masterProductKeeping, operations.createMasterProducts),
  createLocations: create(workplace, locationKeeping, operations.createLocations),
  replaceReceivingEvent: replace(workplace, receivingEventKeeping, operations.replaceReceivingEvent, 'purged'),
  replaceMasterProduct: replace<ProductSearch, never, never>(
    workplace,
    masterProductKeeping,
    operations.replaceMasterProduct,
  ),
  replaceLocation: replace<LocationSearch, 'taken', never>(workplace, locationKeeping, operations.replaceLocation),
  readReceivingEvent: read(workplace, receivingEvent, 'purged'),
  readMasterProduct: read<never>(workplace, masterProduct),
  readLocation: read<never>(workplace, location),
  readReceivingEventVersion: readVersion(workplace, receivingEvent),
  readMasterProductVersion: readVersion(workplace, masterProduct),
  readLocationVersion: readVersion(workplace, location),
  readReceivingEventFindings: readFindings(workplace, receivingEvent, 'purged'),
  readMasterProductFindings: readFindings<never>(workplace, masterProduct),
  readLocationFindings: readFindings<never>(workplace, location),
  readReceivingEventVersionFindings: readVersionFindings(workplace, receivingEvent),
  readMasterProductVersionFindings: readVersionFindings(workplace, masterProduct),
  readLocationVersionFindings: readVersionFindings(workplace, location),
  listReceivingEvents: list(workplace, receivingEventKeeping),
  listMasterProducts: list(workplace, masterProductKeeping),
  listLocations: list(workplace, locationKeeping),
  readCompleteness: readCompleteness(workplace),
  listGaps: listGaps(workplace),
  listReceivingEventVersions: listVersions(workplace, receivingEvent),
  listMasterProductVersions: listVersions(workplace, masterProduct),
  listLocationVersions: listVersions(workplace, location),
  countEventsByDay: countEventsByDay(workplace),
  listRefusals: listRefusals(workplace),
  exportArchive: exportArchive(workplace),
  restoreArchive: restoreArchive(workplace),
  listCheckpoints: listCheckpoints(workplace),
  listSigningKeys: listSigningKeys(workplace),
  listLimits: listLimits(workplace),
  readSettings: readSettings(workplace),
  readOwnKey: readOwnKey(workplace),
  listKeys: listKeys(workplace),
  createKey: createKey(workplace),
  revokeKey: revokeKey(workplace),
  listAccessLog: listAccessLog(workplace),
  listTimeZones: listTimeZones(workplace),
  setTimeZones: setTimeZones(workplace),
  listLegalHolds: listLegalHolds(workplace),
  setLegalHold: setLegalHold(workplace),
  liftLegalHold: liftLegalHold(workplace),
  exportEpcis: exportEpcis(workplace),
  traceLot: traceLot(workplace),
  exportFdaSpreadsheet: exportFdaSpreadsheet(workplace),
  exportFdaPackage: exportFdaPackage(workplace),
  countFdaLines: countFdaLines(workplace),
})
