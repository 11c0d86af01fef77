// Chain of food from its harvest or cooling: the lots that were packed of it, and what was made of
// them. Beyond the contract; decided in 0094.
import { type RecordKind, receivingEvent } from '../../contract/record-kinds.ts'
import { LotChain } from '../../tracing/lot-chain.ts'
import type { Operation } from '../base/operation.ts'
import type { QueryParameter } from '../base/query.ts'
import { traceChain } from './trace-chain.ts'

const { direction: _, tlcSource: __, gtin: ___, ...query } = traceChain.query

/** What names food before it was packed, beside its vendor and item. */
export const foodSelection = {
  recordId: {
    form: 'text',
    meaning: 'Id of a stored harvesting or cooling event: the food of all its lines.',
    example: '019a3c1e-0000-7000-8000-000000000000',
  },
  record: {
    form: 'choice',
    meaning: 'Without `recordId`: what happened to the food on the date.',
    example: 'coolingEvent',
    values: ['harvestingEvent', 'coolingEvent'],
  },
  locationCode: { form: 'text', meaning: 'Without `recordId`: the farm, or the cooler.', example: 'GV-COOLER-1' },
  date: {
    form: 'date',
    meaning: 'Without `recordId`: date there of the harvest or the cooling.',
    example: '2026-03-02',
  },
  growingArea: {
    form: 'text',
    meaning: 'Only food of this field, other growing area or container.',
    example: 'Field 7',
  },
} as const satisfies Record<string, QueryParameter>

export const traceFood = {
  name: 'traceFood',
  method: 'GET',
  path: '/traceability/food/chain',
  cites: '21 CFR 1.1325, 1.1330(a), 1.1455(c)(3); decision 0094',
  summary:
    'Follows food from its harvest or cooling: to the lots that were packed of it, and to all that was made of them.',
  description:
    'Food has no lot code before it is packed. Lines of initial packing events name farm and date of the harvest, cooler and date of the cooling, and join where location and date agree, and the item or commodity and the growing area where both state them. ' +
    'Name a stored harvesting or cooling event by `recordId`. Or name vendor, location and date: whether an event of them was sent or not. Locations of one vendor agree by their code, those of two by their GLN. ' +
    'The answer is that of the chain of a lot, with limits and notes, and begins with `food`. Every step from food to a lot has the ground `reference`.',
  role: 'reader',
  topic: 'traceability',
  record: receivingEvent as RecordKind,
  query: {
    ...foodSelection,
    dataProviderVendorId: {
      form: 'text',
      meaning: 'Without `recordId`: vendor whose record names the food. Location codes are its own.',
      example: 'V-1001',
    },
    itemCode: { form: 'text', meaning: 'Only food of this vendor item code.', example: 'TOM-BULK' },
    ...query,
  },
  headers: [],
  recorded: 'savedFiles',
  outcomes: {
    unknownFood: {
      status: 404,
      when: 'No event names food of this harvest or cooling, or none that matches the query.',
      retry: 'changed',
    },
    chained: { ...traceChain.outcomes.chained, body: LotChain, when: 'The chain of the food.' },
  },
} as const satisfies Operation
