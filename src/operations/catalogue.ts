// Every operation of the API. What is not in this list cannot be asked; what is in it is mounted, documented and tested.
import { countEventsByDay } from './count-events.ts'
import { createLocations, createMasterProducts, createReceivingEvents } from './create.ts'
import { exportEpcis } from './export-epcis.ts'
import { createKey, listKeys, readOwnKey, revokeKey } from './keys.ts'
import {
  listLocations,
  listLocationVersions,
  listMasterProducts,
  listMasterProductVersions,
  listReceivingEvents,
  listReceivingEventVersions,
} from './list.ts'
import type { Operation } from './operation.ts'
import {
  readLocation,
  readLocationVersion,
  readMasterProduct,
  readMasterProductVersion,
  readReceivingEvent,
  readReceivingEventVersion,
} from './read.ts'
import { listRefusals } from './refusals.ts'
import { replaceLocation, replaceMasterProduct, replaceReceivingEvent } from './replace.ts'
import { traceLot } from './trace-lot.ts'

/** In the order in which they are shown. Named one by one: the order of a module's exports depends on who loads it. */
export const operations = {
  createReceivingEvents,
  replaceReceivingEvent,
  readReceivingEvent,
  listReceivingEvents,
  listReceivingEventVersions,
  readReceivingEventVersion,
  createMasterProducts,
  replaceMasterProduct,
  readMasterProduct,
  listMasterProducts,
  listMasterProductVersions,
  readMasterProductVersion,
  createLocations,
  replaceLocation,
  readLocation,
  listLocations,
  listLocationVersions,
  readLocationVersion,
  countEventsByDay,
  listRefusals,
  readOwnKey,
  listKeys,
  createKey,
  revokeKey,
  traceLot,
  exportEpcis,
} as const

export type OperationName = keyof typeof operations

export const catalogue: readonly Operation[] = Object.values(operations)
