// Alerts about vendors: what is below its target or beyond its threshold now. Decided in 0068.
import type { Static } from 'typebox'
import { type RecordKind, receivingEvent } from '../contract/record-kinds.ts'
import { Type } from '../contract/type.ts'
import { recounting } from './completeness.ts'
import type { Operation } from './operation.ts'

/** Days up to the newest event whose lines are compared with the target. */
export const alertedDays = 30
/** Days whose refusals are compared with those of the days before. */
export const refusalDays = 7
export const usualRefusalDays = 28
/** Fewer refusals are never above normal. */
export const refusalsMin = 5

const alert = <const K extends string, P extends Parameters<typeof Type.Object>[0]>(kind: K, properties: P) =>
  Type.Object(
    {
      kind: Type.Literal(kind),
      dataProviderVendorId: Type.Union([Type.String(), Type.Null()], {
        description: 'The vendor; null where it concerns all vendors.',
      }),
      ...properties,
    },
    { title: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Alert`, additionalProperties: false },
  )

const BelowTarget = alert('belowTarget', {
  share: Type.Number({ description: `Share of complete lines of the ${alertedDays} days up to the newest event.` }),
  target: Type.Number({ description: 'Share that should be complete.' }),
  incompleteLines: Type.Integer({ description: 'Lines that are not complete.' }),
  records: Type.String({ description: 'Path and query of the list of events behind it. Send it unchanged.' }),
})
const SilentVendor = alert('silentVendor', {
  lastEventDate: Type.Union([Type.String(), Type.Null()], {
    description: 'Date of its last event; null when it has none in the last 12 months.',
  }),
  silentDays: Type.Integer({ description: 'Days after which the vendor counts as silent.' }),
})
const RefusalsAboveNormal = alert('refusalsAboveNormal', {
  refusals: Type.Integer({ description: `Refusals of the last ${refusalDays} days.` }),
  usual: Type.Number({
    description: `Refusals of a usual week: the average of the ${usualRefusalDays} days before, at least 1.`,
  }),
  factor: Type.Number({ description: 'So many times the usual are too many.' }),
})

export const VendorAlerts = Type.Object(
  {
    content: Type.Array(Type.Union([BelowTarget, SilentVendor, RefusalsAboveNormal]), {
      description: 'Alerts about all vendors first, then vendor by vendor.',
    }),
    recounting,
  },
  { title: 'VendorAlerts', additionalProperties: false },
)
export type VendorAlerts = Static<typeof VendorAlerts>

export const listVendorAlerts = {
  name: 'listVendorAlerts',
  method: 'GET',
  path: '/vendor-alerts',
  cites: 'decision 0068',
  summary: 'Lists what is below its target or beyond its threshold now.',
  description: `Vendors whose lines of the last ${alertedDays} days are less complete than their target; expected vendors that have been silent too long; refusals of the last ${refusalDays} days above normal, in all and by vendor. Refusals are counted among the last 1,000 that are kept. \`setVendorTargets\` sets targets and thresholds.`,
  role: 'reader',
  topic: 'vendors',
  record: receivingEvent as RecordKind,
  query: {},
  headers: [],
  outcomes: { listed: { status: 200, when: 'The alerts; there may be none.', body: VendorAlerts, retry: 'never' } },
} as const satisfies Operation
