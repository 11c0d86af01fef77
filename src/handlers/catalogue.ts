// A handler for every operation, under the operation's name.
import { location, masterProduct, receivingEvent } from '../contract/record-kinds.ts'
import { operations } from '../operations/catalogue.ts'
import { create } from './create.ts'
import { exportFdaPackage, exportFdaSpreadsheet } from './export-fda.ts'
import type { Handlers, Workplace } from './handler.ts'
import { list, listVersions } from './list.ts'
import { read, readVersion } from './read.ts'
import { locationKeeping, masterProductKeeping, receivingEventKeeping } from './record-keeping.ts'
import { replace } from './replace.ts'

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
  listReceivingEvents: list(workplace, receivingEventKeeping),
  listMasterProducts: list(workplace, masterProductKeeping),
  listLocations: list(workplace, locationKeeping),
  listReceivingEventVersions: listVersions(workplace, receivingEvent),
  listMasterProductVersions: listVersions(workplace, masterProduct),
  listLocationVersions: listVersions(workplace, location),
  exportFdaSpreadsheet: exportFdaSpreadsheet(workplace),
  exportFdaPackage: exportFdaPackage(workplace),
})
