// Completes the codes of a sheet from stored locations and products: a sheet that names a place by
// its code only lacks its name and address, which an event must have.

import { isEventKind } from '../contract/record-kinds.ts'
import { isGiven } from '../contract/shape/field.ts'
import { Conversions } from './conversions.ts'
import type { IntakeRecord } from './intake-record.ts'
import type { Fields } from './read-row.ts'

export interface StoredMaster {
  /** The stored location of the vendor with this code. */
  readonly location: (vendor: string, code: string) => Promise<Fields | undefined>
  /** The stored product of the vendor with this code. */
  readonly product: (vendor: string, code: string) => Promise<Fields | undefined>
}

/** Most codes that are remembered; with more, each is looked up again. */
const rememberedMax = 10_000

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export class MasterCompletion {
  readonly #stored: StoredMaster
  readonly #known = new Map<string, Promise<Fields | undefined>>()
  readonly #told = new Conversions()

  constructor(stored: StoredMaster) {
    this.#stored = stored
  }

  /** The event with the fields that its sheet lacks for its codes. */
  async complete(record: IntakeRecord): Promise<IntakeRecord> {
    const { payload, kind, from } = record
    const event = payload[kind.subject]
    if (!('rows' in from) || !isEventKind(kind.name) || !isFields(event)) return record
    const vendor = event.dataProviderVendorId
    if (typeof vendor !== 'string') return record
    const completed = {
      locationMasterList: await this.#list(record, 'locationMasterList', (entry) =>
        isDescribedPlace(entry) ? undefined : this.#look('location', vendor, entry.locationCode),
      ),
      productMasterDataList: await this.#list(record, 'productMasterDataList', (entry) =>
        isGiven(entry.itemDescription) ? undefined : this.#look('product', vendor, entry.itemCode),
      ),
    }
    const { atOtherTime } = record
    return {
      ...record,
      payload: { ...payload, ...completed },
      ...(atOtherTime && { atOtherTime: (attempt: number) => ({ ...atOtherTime(attempt), ...completed }) }),
    }
  }

  /** The completed fields, one line for each column. */
  lines(): readonly string[] {
    return this.#told.lines()
  }

  async #list(
    record: IntakeRecord,
    list: 'locationMasterList' | 'productMasterDataList',
    look: (entry: Fields) => Promise<Fields | undefined> | undefined,
  ): Promise<unknown> {
    const entries = record.payload[list]
    if (!Array.isArray(entries)) return entries
    const code = list === 'locationMasterList' ? 'locationCode' : 'itemCode'
    const noun = list === 'locationMasterList' ? 'locations' : 'products'
    return Promise.all(
      entries.map(async (entry: Fields, at) => {
        const stored = await look(entry)
        if (stored === undefined) return entry
        const { row, column } = record.locate(`/${list}/${at}/${code}`)
        const says = `has codes of stored ${noun}, such as ${entry[code]}; what the sheet does not say of them is taken from there`
        this.#told.add(`column ${column ?? code}`, { kind: 'stored', says }, row)
        return merged(stored, entry)
      }),
    )
  }

  #look(kind: keyof StoredMaster, vendor: string, code: unknown): Promise<Fields | undefined> | undefined {
    if (typeof code !== 'string' || code === '') return undefined
    const key = JSON.stringify([kind, vendor, code])
    const known = this.#known.get(key) ?? this.#stored[kind](vendor, code)
    if (this.#known.size < rememberedMax) this.#known.set(key, known)
    return known
  }
}

/** A name, and one of GLN, DUNS, and address with phone number. Source: §2.3. */
const isDescribedPlace = ({ locationName, gln, duns, address, phoneNumber }: Fields): boolean =>
  isGiven(locationName) &&
  (isGiven(gln) || isGiven(duns) || (isFields(address) && isGiven(address.streetAddress1) && isGiven(phoneNumber)))

/**
 * The stored values, after those of the sheet. An address is one thing: parts of another are not
 * mixed into it.
 */
function merged({ dataProviderVendorId: _, dataProviderVendorName: __, ...stored }: Fields, said: Fields): Fields {
  const [theirs, ours] = [stored.address, said.address]
  const isSame =
    isFields(theirs) && isFields(ours) && Object.entries(ours).every(([part, text]) => theirs[part] === text)
  return { ...stored, ...said, ...(isSame && { address: theirs }) }
}
