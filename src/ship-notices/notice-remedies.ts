// Remedies for findings of rules in an event of a notice: a rule names fields of a payload, but
// readers of notices change the settings of the sender, or ask the sender.
import type { ShipNoticeSender } from '../contract/ship-notice-sender.ts'
import type { Consignment, NoticeLine } from './ship-notice.ts'

/** Most roles that a remedy names. */
const rolesMax = 10

/** Remedies by rule. */
export function remediesOf(
  line: NoticeLine | undefined,
  shipment: Consignment,
  sender: ShipNoticeSender,
): ReadonlyMap<string, string> {
  const roles = [
    ...new Set([...(line?.parties ?? []), shipment.parties].flatMap((ofLevel) => [...ofLevel.keys()])),
  ].slice(0, rolesMax)
  const named = roles.length === 0 ? '' : ` The notice names ${roles.map((role) => `N1*${role}`).join(', ')}.`
  const { tlcSourceRole } = sender
  return new Map([
    [
      'product-line/tlc-source-given',
      `Enter in the settings of the sender who assigned the lot codes: tlcSourceRole, the role of a party of the notice${tlcSourceRole === undefined ? '' : ` (now ${tlcSourceRole})`}; tlcSourceIsShipFrom, if it is where the goods were shipped from; or lineDefaults, if it is always the same place.${named}`,
    ],
    [
      'location/phone-with-address',
      'Have the sender send a telephone number (PER*IC**TE*8315550100), or enter locationPhoneNumber in the settings of the sender.',
    ],
    [
      'location/identified',
      'Create the location first; or assign the code to a stored location in the settings of the sender (places); or have the sender send a GLN (N103 UL) or the address (N3, N4).',
    ],
    [
      'shape/required shipQuantityUom',
      'Have the sender send SN103, or enter shipQuantityUom in the settings of the sender.',
    ],
  ])
}
