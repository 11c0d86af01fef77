// Targets of vendors: settings beside the records. Not shown in the contract; decided in 0068.
import type { Static } from 'typebox'
import { list, number, object, optional, text } from '../../contract/shape/field.ts'
import { Type } from '../../contract/shape/type.ts'
import { setOutcome, setStamp, vendorName } from '../base/bodies.ts'
import { conditionHeaders, type Operation, staleEdit, taggedRead, unmodified } from '../base/operation.ts'

/** Vendors that one call sets. */
const targetsPerCallMax = 200

const section = '8'
const expectations = {
  completeShare: {
    meaning: 'Share of product lines that should be complete, from 0 to 1.',
    example: 0.98,
    section,
  },
  silentDays: {
    meaning: 'Whole days without a receiving event after which the vendor counts as silent, 1 to 366.',
    example: 14,
    section,
  },
  refusalFactor: {
    meaning:
      'Refusals of the last 7 days are above normal when they are more than so many times those of a usual week, 1 to 1000.',
    example: 3,
    section,
  },
} as const

const NewVendorTarget = object('NewVendorTarget', {
  dataProviderVendorId: optional(
    text({ meaning: 'The vendor. Without it the targets are those of all vendors.', example: 'V-1001', section }),
  ),
  completeShare: optional(number(expectations.completeShare)),
  silentDays: optional(number(expectations.silentDays)),
  refusalFactor: optional(number(expectations.refusalFactor)),
})

const NewVendorTargets = object('NewVendorTargets', {
  targets: list(
    NewVendorTarget,
    {
      meaning: 'Vendors and their targets, each vendor once. An entry without targets removes those of the vendor.',
      example: [{ dataProviderVendorId: 'V-1001', completeShare: 0.98, silentDays: 14 }],
      section,
    },
    { minItems: 1, maxItems: targetsPerCallMax },
  ),
})

const numberOrNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })
const inForce = {
  completeShare: Type.Number({ description: expectations.completeShare.meaning }),
  silentDays: numberOrNull(`${expectations.silentDays.meaning} Null for a vendor that is not expected.`),
  refusalFactor: Type.Number({ description: expectations.refusalFactor.meaning }),
}
export const TargetInForce = Type.Object(inForce, { title: 'VendorTargetInForce', additionalProperties: false })
export type TargetInForce = Static<typeof TargetInForce>

const VendorTarget = Type.Object(
  {
    dataProviderVendorId: Type.Union([Type.String(), Type.Null()], {
      description: 'The vendor; null in the targets of all vendors.',
    }),
    dataProviderVendorName: vendorName,
    completeShare: numberOrNull('As set; null where that of all vendors holds.'),
    silentDays: numberOrNull('As set; null where that of all vendors holds.'),
    refusalFactor: numberOrNull('As set; null where that of all vendors holds.'),
    ...setStamp,
  },
  { title: 'VendorTarget', additionalProperties: false },
)

const shared = { path: '/vendor-targets', cites: 'decision 0068', topic: 'vendors', headers: [], query: {} } as const

const listVendorTargets = {
  ...shared,
  ...taggedRead,
  name: 'listVendorTargets',
  method: 'GET',
  summary: 'Lists what is expected of vendors.',
  description:
    'The targets that were set, those of all vendors first, and what holds for a vendor without targets of its own.',
  role: 'reader',
  outcomes: {
    unmodified,
    listed: {
      status: 200,
      when: 'Always.',
      body: Type.Object(
        { content: Type.Array(VendorTarget), ofAll: TargetInForce },
        { title: 'VendorTargetList', additionalProperties: false },
      ),
      retry: 'never',
    },
  },
} as const satisfies Operation

const setVendorTargets = {
  ...shared,
  headers: conditionHeaders,
  name: 'setVendorTargets',
  method: 'PUT',
  summary: 'Sets what is expected of vendors: the completeness target and the thresholds of alerts.',
  description:
    'Each entry replaces all targets of its vendor, and other vendors keep theirs. What an entry leaves out is taken from the targets of all vendors.',
  role: 'administrator',
  body: NewVendorTargets,
  outcomes: {
    refused: {
      status: 422,
      when: 'A field is missing or wrong, a number is out of range, or a vendor is listed twice. Nothing is set.',
      retry: 'changed',
    },
    stale: staleEdit,
    set: setOutcome('All targets are set.', 'VendorTargetsSet'),
  },
} as const satisfies Operation

export const vendorTargetOperations = { listVendorTargets, setVendorTargets }
