// A handler for every operation, under the operation's name.
import { location, masterProduct, receivingEvent } from '../contract/record-kinds.ts'
import { operations } from '../operations/catalogue.ts'
import { listCheckpoints, listSigningKeys } from './checkpoints.ts'
import { readCompleteness } from './completeness.ts'
import { countEventsByDay } from './count-events.ts'
import { create } from './create.ts'
import { exportArchive } from './export-archive.ts'
import { exportEpcis } from './export-epcis.ts'
import { exportFdaPackage, exportFdaSpreadsheet } from './export-fda.ts'
import { readFindings, readVersionFindings } from './findings.ts'
import { listGaps } from './gaps.ts'
import type { Handlers, Workplace } from './handler.ts'
import { createKey, listKeys, readOwnKey, revokeKey } from './keys.ts'
import { listLimits } from './limits.ts'
import { list, listVersions } from './list.ts'
import { read, readVersion } from './read.ts'
import { locationKeeping, masterProductKeeping, receivingEventKeeping } from './record-keeping.ts'
import { listRefusals } from './refused-writes.ts'
import { replace } from './replace.ts'
import { restoreArchive } from './restore-archive.ts'
import { traceLot } from './trace-lot.ts'

export const handlersAt = (workplace: Workplace): Handlers => ({
  createReceivingEvents: create(workplace, receivingEventKeeping, operations.createReceivingEvents),
  createMasterProducts: create(workplace, masterProductKeeping, operations.createMasterProducts),
  createLocations: create(workplace, locationKeeping, operations.createLocations),
  replaceReceivingEvent: replace(workplace, receivingEventKeeping, operations.replaceReceivingEvent),
  replaceMasterProduct: replace(workplace, masterProductKeeping, operations.replaceMasterProduct),
  replaceLocation: replace(workplace, locationKeeping, operations.replaceLocation),
  readReceivingEvent: read(workplace, receivingEvent),
  readMasterProduct: read(workplace, masterProduct),
  readLocation: read(workplace, location),
  readReceivingEventVersion: readVersion(workplace, receivingEvent),
  readMasterProductVersion: readVersion(workplace, masterProduct),
  readLocationVersion: readVersion(workplace, location),
  readReceivingEventFindings: readFindings(workplace, receivingEvent),
  readMasterProductFindings: readFindings(workplace, masterProduct),
  readLocationFindings: readFindings(workplace, location),
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
  readOwnKey: readOwnKey(workplace),
  listKeys: listKeys(workplace),
  createKey: createKey(workplace),
  revokeKey: revokeKey(workplace),
  exportEpcis: exportEpcis(workplace),
  traceLot: traceLot(workplace),
  exportFdaSpreadsheet: exportFdaSpreadsheet(workplace),
  exportFdaPackage: exportFdaPackage(workplace),
})
