// The handlers of records.
import { location, masterProduct, receivingEvent, shippingEvent } from '../../contract/record-kinds.ts'
import { createOperations } from '../../operations/records/create.ts'
import { findingsOperations } from '../../operations/records/findings.ts'
import type { recordOperations } from '../../operations/records/operations.ts'
import { readOperations } from '../../operations/records/read.ts'
import { replaceOperations } from '../../operations/records/replace.ts'
import { voidOperations } from '../../operations/records/void.ts'
import type { HandlersOf } from '../base/handler.ts'
import { countEventsByDay } from './count-events.ts'
import { create } from './create.ts'
import { readFindings, readVersionFindings } from './findings.ts'
import { list, listVersions } from './list.ts'
import { saveList } from './list-file.ts'
import { listValues } from './list-values.ts'
import { listViewHandlers } from './list-views.ts'
import { timeZoneHandlers } from './location-time-zones.ts'
import { read, readVersion } from './read.ts'
import { listRefusals } from './refusals.ts'
import { replace } from './replace.ts'
import { search } from './search.ts'
import { storedEvents, storedLocations, storedMasterProducts } from './stored-kinds.ts'
import { listVoids, voidEvent } from './void.ts'

export const recordHandlers: HandlersOf<typeof recordOperations> = {
  createReceivingEvents: (context) =>
    create(context, storedEvents.receivingEvent, createOperations.createReceivingEvents),
  createShippingEvents: (context) => create(context, storedEvents.shippingEvent, createOperations.createShippingEvents),
  createMasterProducts: (context) => create(context, storedMasterProducts, createOperations.createMasterProducts),
  createLocations: (context) => create(context, storedLocations, createOperations.createLocations),
  replaceReceivingEvent: (context) =>
    replace(context, storedEvents.receivingEvent, replaceOperations.replaceReceivingEvent),
  replaceShippingEvent: (context) =>
    replace(context, storedEvents.shippingEvent, replaceOperations.replaceShippingEvent),
  replaceMasterProduct: (context) => replace(context, storedMasterProducts, replaceOperations.replaceMasterProduct),
  replaceLocation: (context) => replace(context, storedLocations, replaceOperations.replaceLocation),
  voidReceivingEvent: (context) => voidEvent(context, receivingEvent, voidOperations.voidReceivingEvent),
  listVoids,
  voidShippingEvent: (context) => voidEvent(context, shippingEvent, voidOperations.voidShippingEvent),
  readReceivingEvent: (context) => read(context, receivingEvent, readOperations.readReceivingEvent),
  readReceivingEventVersion: (context) => readVersion(context, receivingEvent),
  readShippingEvent: (context) => read(context, shippingEvent, readOperations.readShippingEvent),
  readShippingEventVersion: (context) => readVersion(context, shippingEvent),
  readMasterProduct: (context) => read(context, masterProduct, readOperations.readMasterProduct),
  readMasterProductVersion: (context) => readVersion(context, masterProduct),
  readLocation: (context) => read(context, location, readOperations.readLocation),
  readLocationVersion: (context) => readVersion(context, location),
  readReceivingEventFindings: (context) =>
    readFindings(context, receivingEvent, findingsOperations.readReceivingEventFindings),
  readReceivingEventVersionFindings: (context) => readVersionFindings(context, receivingEvent),
  readShippingEventFindings: (context) =>
    readFindings(context, shippingEvent, findingsOperations.readShippingEventFindings),
  readShippingEventVersionFindings: (context) => readVersionFindings(context, shippingEvent),
  readMasterProductFindings: (context) =>
    readFindings(context, masterProduct, findingsOperations.readMasterProductFindings),
  readMasterProductVersionFindings: (context) => readVersionFindings(context, masterProduct),
  readLocationFindings: (context) => readFindings(context, location, findingsOperations.readLocationFindings),
  readLocationVersionFindings: (context) => readVersionFindings(context, location),
  listReceivingEvents: (context) => list(context, storedEvents.receivingEvent),
  listReceivingEventVersions: (context) => listVersions(context, receivingEvent),
  listShippingEvents: (context) => list(context, storedEvents.shippingEvent),
  listShippingEventVersions: (context) => listVersions(context, shippingEvent),
  listMasterProducts: (context) => list(context, storedMasterProducts),
  listMasterProductVersions: (context) => listVersions(context, masterProduct),
  listLocations: (context) => list(context, storedLocations),
  listLocationVersions: (context) => listVersions(context, location),
  listReceivingEventValues: (context) => listValues(context, storedEvents.receivingEvent),
  listShippingEventValues: (context) => listValues(context, storedEvents.shippingEvent),
  listMasterProductValues: (context) => listValues(context, storedMasterProducts),
  listLocationValues: (context) => listValues(context, storedLocations),
  saveReceivingEventList: (context) => saveList(context, storedEvents.receivingEvent),
  saveShippingEventList: (context) => saveList(context, storedEvents.shippingEvent),
  saveMasterProductList: (context) => saveList(context, storedMasterProducts),
  saveLocationList: (context) => saveList(context, storedLocations),
  search,
  ...listViewHandlers,
  ...timeZoneHandlers,
  listRefusals,
  countEventsByDay,
}
