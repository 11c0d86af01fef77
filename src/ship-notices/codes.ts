// Codes of X12 and their meaning in an event: read in one direction, and written in the other.

import type { LineDateField } from '../contract/ship-notice-sender.ts'
import { codeTable } from '../contract/text/code-table.ts'

/** Units of X12 element 355 as people write them. */
export const usualUnits = codeTable<string>({
  CA: 'case',
  CT: 'carton',
  CTN: 'carton',
  EA: 'each',
  PC: 'piece',
  LB: 'lb',
  KG: 'kg',
  OZ: 'oz',
  PL: 'pallet',
  PF: 'pallet',
  PLT: 'pallet',
  BX: 'box',
  BG: 'bag',
  BN: 'bulk',
  DZ: 'dozen',
  PK: 'package',
  UN: 'unit',
  TL: 'tub',
})

/** X12 element 91. */
export const transports = codeTable<string>({
  M: 'Motor carrier',
  H: 'Customer pickup',
  C: 'Consolidation',
  LT: 'Less than trailer load',
  TL: 'Truckload',
  R: 'Rail',
  A: 'Air',
  S: 'Ocean',
  P: 'Private carrier',
  U: 'Parcel service',
})

/** X12 element 40. */
export const equipmentKinds = codeTable<string>({
  TL: 'Trailer',
  RT: 'Temperature-controlled trailer',
  CN: 'Container',
  TF: 'Trailer, dry freight',
})

/** X12 element 146. */
export const freightPayments = codeTable<string>({
  CC: 'Collect',
  PP: 'Prepaid',
  PC: 'Prepaid, charged to the customer',
  PU: 'Pickup',
  TP: 'Third party pays',
})

/** Codes with that meaning. */
export const codesMeaning = <Meaning>(table: Readonly<Record<string, Meaning>>, meaning: Meaning): string[] =>
  Object.keys(table).filter((code) => table[code] === meaning)

/** Dates of a line that mean the same everywhere. Source: X12 element 374. */
export const usualDates = codeTable<LineDateField>({
  '036': 'expirationDate',
  '208': 'expirationDate',
  '094': 'productionDate',
  '405': 'productionDate',
})

/** X12 element 623: zones with their rules for daylight saving, and fixed offsets. */
export const zoneNames = codeTable<string>({
  ET: 'America/New_York',
  CT: 'America/Chicago',
  MT: 'America/Denver',
  PT: 'America/Los_Angeles',
  AT: 'America/Anchorage',
  HT: 'Pacific/Honolulu',
  TT: 'America/Halifax',
  NT: 'America/St_Johns',
})
export const zoneOffsets = codeTable<string>({
  UT: 'Z',
  GM: 'Z',
  ES: '-05:00',
  ED: '-04:00',
  CS: '-06:00',
  CD: '-05:00',
  MS: '-07:00',
  MD: '-06:00',
  PS: '-08:00',
  PD: '-07:00',
  AS: '-09:00',
  AD: '-08:00',
  HS: '-10:00',
  HD: '-09:00',
  TS: '-04:00',
  TD: '-03:00',
  NS: '-03:30',
  ND: '-02:30',
  // 01 to 12 are hours east of Greenwich, 13 to 24 hours west of it, from 12 down to 1.
  ...Object.fromEntries(
    Array.from({ length: 24 }, (_, i) => {
      const hours = i < 12 ? i + 1 : 24 - i
      return [String(i + 1).padStart(2, '0'), `${i < 12 ? '+' : '-'}${String(hours).padStart(2, '0')}:00`]
    }),
  ),
})

/** Item qualifiers of a GTIN by its number of digits. */
export const gtinQualifiers = { 8: 'EO', 12: 'UP', 13: 'EN', 14: 'UK' } as const
