// Conversions between units of an item: a setting beside the records. Not shown in the contract;
// decided in 0092.
import { list, object } from '../../contract/shape/field.ts'
import { NewUnitConversion } from '../../contract/unit-conversion.ts'
import { setOutcome, settingsListed } from '../base/bodies.ts'
import { conditionHeaders, type Operation, staleEdit, taggedRead, unmodified } from '../base/operation.ts'

/** Items that one call sets. */
const itemsPerCallMax = 200

const NewUnitConversions = object('NewUnitConversions', {
  conversions: list(
    NewUnitConversion,
    {
      meaning: 'Items and their conversions, each item once.',
      example: [
        { itemCode: 'ROM-24', dataProviderVendorId: 'V-1001', units: [{ unit: 'case', quantity: 24, inUnit: 'each' }] },
      ],
      section: '2.5',
    },
    { minItems: 1, maxItems: itemsPerCallMax },
  ),
})

const shared = {
  path: '/unit-conversions',
  cites: 'decision 0092',
  topic: 'unit conversions',
  headers: [],
  query: {},
} as const

const listUnitConversions = {
  ...shared,
  ...taggedRead,
  name: 'listUnitConversions',
  method: 'GET',
  summary: 'Lists how much of one unit another is, by item.',
  description: 'Those of all items come first.',
  role: 'reader',
  outcomes: {
    unmodified,
    listed: settingsListed('UnitConversion', 'conversion', NewUnitConversion),
  },
} as const satisfies Operation

const setUnitConversions = {
  ...shared,
  headers: conditionHeaders,
  name: 'setUnitConversions',
  method: 'PUT',
  summary: 'Sets how much of one unit another is: quantities of a lot are then compared in one unit.',
  description:
    'Each entry replaces all conversions of its item, and other items keep theirs. Chains and traces use them at once; no record changes. Where several apply, those of the item of the vendor go first, then those of its code at every vendor, then those of all items. Without a conversion, quantities in different units are listed side by side and never added up.',
  role: 'administrator',
  body: NewUnitConversions,
  outcomes: {
    refused: {
      status: 422,
      when: 'A field is missing or wrong, an item is listed twice, or its conversions contradict each other. Nothing is set.',
      retry: 'changed',
    },
    stale: staleEdit,
    set: setOutcome('All conversions are set.', 'UnitConversionsSet'),
  },
} as const satisfies Operation

export const unitConversionOperations = { listUnitConversions, setUnitConversions }
