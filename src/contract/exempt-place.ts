// Places to which the rule does not apply, as a provider declares them: what is received from them
// needs other key data elements. Not shown in the contract; decided in 0093. Source: 21 CFR 1.1305,
// 1.1345(b).
import type { Static } from 'typebox'
import { ownDateOf } from './shape/date-and-time.ts'
import { choice, date, isGiven, list, object, optional, text } from './shape/field.ts'

const section = '2.4'

/** Exemptions of a place, and ship-to locations of one, that a call sets. */
const exemptionsOfPlaceMax = 20
const shipToLocationsMax = 100

/** Why the rule does not apply, by paragraph of 21 CFR. */
export const exemptionReasons = {
  smallProduceFarm: { paragraph: '1.1305(a)(1)', words: 'Small produce farm' },
  smallEggProducer: { paragraph: '1.1305(a)(2)', words: 'Shell egg producer with fewer than 3,000 hens' },
  smallProducer: { paragraph: '1.1305(a)(3)', words: 'Other small producer of raw agricultural commodities' },
  smallRetailEstablishment: { paragraph: '1.1305(i)', words: 'Small retail food establishment or restaurant' },
  nonprofit: { paragraph: '1.1305(o)', words: 'Nonprofit food establishment' },
  other: { paragraph: '1.1305', words: 'Another exemption, which the note names' },
  farmPurchase: { paragraph: '1.1305(j)', words: 'Farm that sells directly to a retail food establishment' },
  adHocPurchase: { paragraph: '1.1305(k)', words: 'Ad hoc purchase by a retail food establishment' },
  farmToSchool: { paragraph: '1.1305(l)', words: 'Farm to school or institution program' },
} as const
export type ExemptionReason = keyof typeof exemptionReasons
export const exemptionReasonNames = Object.keys(exemptionReasons) as readonly ExemptionReason[]

/** Reasons that exempt who receives: a retail food establishment, a restaurant or a school. */
const retailReasons = ['farmPurchase', 'adHocPurchase', 'farmToSchool'] as const
export type RetailReason = (typeof retailReasons)[number]

export const isRetailReason = (reason: ExemptionReason): reason is RetailReason =>
  retailReasons.some((one) => one === reason)

const Exemption = object('Exemption', {
  reason: choice(exemptionReasonNames, {
    meaning:
      'Why the rule does not apply. 21 CFR 1.1305(j), (k) and (l) exempt who receives: farmPurchase, adHocPurchase and farmToSchool are for what a retail food establishment, restaurant, school or institution gets.',
    example: 'smallProduceFarm',
    section,
  }),
  startDate: optional(
    date({ meaning: 'First day of the exemption. Without it, there is none.', example: '2026-01-01', section }),
  ),
  endDate: optional(
    date({ meaning: 'Last day of the exemption. Without it, it goes on.', example: '2026-12-31', section }),
  ),
  shipToLocationCodes: optional(
    list(
      text({ meaning: 'Code of a ship-to location.', example: 'STORE-12', section }),
      {
        meaning: 'Ship-to locations whose receipts are exempt. Without it, those of all locations.',
        example: ['STORE-12'],
        section,
      },
      { minItems: 1, maxItems: shipToLocationsMax },
    ),
  ),
  note: optional(
    text({ meaning: 'How it is known, for who reads the records.', example: 'Letter of 2026-01-05', section }),
  ),
})
export type Exemption = Static<typeof Exemption>

export const NewExemptPlace = object('NewExemptPlace', {
  dataProviderVendorId: text({ meaning: 'Vendor of the place.', example: 'V-1001', section }),
  locationCode: optional(
    text({
      meaning: 'Ship-from location. Without it, all ship-from locations of the vendor that have no entry of their own.',
      example: 'GV-COOLER-1',
      section,
    }),
  ),
  exemptions: optional(
    list(
      Exemption,
      {
        meaning: 'Its exemptions, each with its reason and period. Omit them to remove the place.',
        example: [{ reason: 'smallProduceFarm', startDate: '2026-01-01' }],
        section,
      },
      { maxItems: exemptionsOfPlaceMax },
    ),
  ),
})
export type NewExemptPlace = Static<typeof NewExemptPlace>

/** What tells a place from others. */
export const exemptPlaceKey = ({
  dataProviderVendorId,
  locationCode,
}: Pick<NewExemptPlace, 'dataProviderVendorId' | 'locationCode'>): string =>
  JSON.stringify(locationCode === undefined ? [dataProviderVendorId] : [dataProviderVendorId, locationCode])

/** The exemptions of each place, by its key. */
export type ExemptPlaces = ReadonlyMap<string, readonly Exemption[]>

/** Vendors of these places, each once. */
export const exemptVendorsIn = (places: ExemptPlaces): readonly string[] => [
  ...new Set([...places.keys()].map((key) => (JSON.parse(key) as readonly [vendor: string])[0])),
]

/** The fields of a receipt that decide. */
interface Receipt {
  readonly dataProviderVendorId?: string | undefined
  readonly shipFromLocationCode?: string | undefined
  readonly shipToLocationCode?: string | undefined
  readonly eventDateTime?: string | undefined
}

/** Keys of the places that may exempt a receipt: its ship-from location, then its vendor. */
export const exemptKeysOf = ({ dataProviderVendorId: vendor, shipFromLocationCode: from }: Receipt): string[] =>
  isGiven(vendor) && isGiven(from)
    ? [
        exemptPlaceKey({ dataProviderVendorId: vendor, locationCode: from }),
        exemptPlaceKey({ dataProviderVendorId: vendor }),
      ]
    : []

/**
 * The exemption of a receipt. An entry of the location decides alone, before that of its vendor; an
 * exemption that names the ship-to location, before one of all. The date is the one written, as for
 * other dates that decide what is required (decision 0008).
 */
export function exemptionOf(receipt: Receipt, places: ExemptPlaces): Exemption | undefined {
  if (places.size === 0) return undefined
  const key = exemptKeysOf(receipt).find((one) => places.has(one))
  if (key === undefined || !isGiven(receipt.eventDateTime)) return undefined
  const day = ownDateOf(receipt.eventDateTime)
  const inForce = (places.get(key) ?? []).filter(
    ({ startDate, endDate }) => (!isGiven(startDate) || startDate <= day) && (!isGiven(endDate) || day <= endDate),
  )
  return (
    inForce.find(({ shipToLocationCodes: codes }) => codes?.includes(receipt.shipToLocationCode ?? '')) ??
    inForce.find(({ shipToLocationCodes: codes }) => codes === undefined)
  )
}

/** Two exemptions of a place that apply to the same receipts; undefined where none do. */
export function overlapOf(exemptions: readonly Exemption[]): readonly [Exemption, Exemption] | undefined {
  for (const [i, one] of exemptions.entries())
    for (const other of exemptions.slice(i + 1)) if (overlap(one, other)) return [one, other]
  return undefined
}

function overlap(one: Exemption, other: Exemption): boolean {
  const endsBefore = (a: Exemption, b: Exemption) =>
    isGiven(a.endDate) && isGiven(b.startDate) && a.endDate < b.startDate
  if (endsBefore(one, other) || endsBefore(other, one)) return false
  const [some, others] = [one.shipToLocationCodes, other.shipToLocationCodes]
  if (some === undefined || others === undefined) return some === others
  return some.some((code) => others.includes(code))
}
