// Receipts of FDA's sheet Receiving From Exempt whose source is not declared exempt: exported
// again, they would be in the sheet Receiving. Source: decision 0093.
import { type ExemptPlaces, exemptionOf, isRetailReason } from '../../contract/exempt-place.ts'
import type { IntakeRecord } from '../intake-record.ts'

/** Most sources that are named. */
const sourcesNamedMax = 10

export class ExemptReceipts {
  readonly #places: () => Promise<ExemptPlaces>
  #known: ExemptPlaces | undefined
  /** Receipts by vendor and location of the source, in words. */
  readonly #undeclared = new Map<string, number>()

  constructor(places: () => Promise<ExemptPlaces>) {
    this.#places = places
  }

  async take({ from, payload }: IntakeRecord): Promise<void> {
    if (!('headings' in from) || !from.headings.some((heading) => exemptHeading.test(heading))) return
    const event = payload.eventList as Readonly<Record<string, string | undefined>>
    this.#known ??= await this.#places()
    const exemption = exemptionOf(event, this.#known)
    if (exemption !== undefined && !isRetailReason(exemption.reason)) return
    const source = `${JSON.stringify(event.shipFromLocationCode)} of vendor ${JSON.stringify(event.dataProviderVendorId)}`
    this.#undeclared.set(source, (this.#undeclared.get(source) ?? 0) + 1)
  }

  /** What is to be declared; none where all sources are. */
  lines(): readonly string[] {
    const sources = [...this.#undeclared]
    if (sources.length === 0) return []
    const named = sources
      .slice(0, sourcesNamedMax)
      .map(([source, count]) => `${source} (${count === 1 ? '1 event' : `${count} events`})`)
    const more = sources.length > named.length ? ` and ${sources.length - named.length} more` : ''
    return [
      `FDA's sheet Receiving From Exempt names sources that are not declared exempt on the dates of their rows: ${named.join(', ')}${more}. Declare them once as exempt places, with the reason; until then their receipts count as ordinary ones.`,
    ]
  }
}

/** A heading that FDA's other sheets do not have. */
const exemptHeading = /\(which you must assign if one has not already been assigned\)/i
