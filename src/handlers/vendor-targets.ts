// Lists and sets what is expected of vendors.
import type { Static } from 'typebox'
import { isGiven } from '../contract/field.ts'
import { operations } from '../operations/catalogue.ts'
import { defaultTarget, type TargetInForce } from '../operations/vendor-targets.ts'
import { vendorNames } from '../store/receiving-events.ts'
import type { Queryable } from '../store/statement.ts'
import { type VendorTarget, vendorTargets, vendorTargetsMax, writeVendorTargets } from '../store/vendor-targets.ts'
import { shapeRefusal } from './failure-answers.ts'
import type { Answer, HandlerContext, OperationCall } from './handler.ts'

/** The targets of a provider, and what holds for a vendor. */
export interface TargetsInForce {
  readonly ofAll: TargetInForce
  readonly of: (vendor: string) => TargetInForce
  /** Vendors with targets of their own. */
  readonly vendors: readonly string[]
}

export async function readTargets(store: Queryable, provider: string): Promise<TargetsInForce> {
  return targetsIn(await vendorTargets(store, provider))
}

function targetsIn(targets: readonly VendorTarget[]): TargetsInForce {
  const byVendor = new Map(targets.map((target) => [target.dataProviderVendorId, target]))
  const ofAll = inForce(byVendor.get(''), defaultTarget)
  return {
    ofAll,
    of: (vendor) => inForce(byVendor.get(vendor), ofAll),
    vendors: [...byVendor.keys()].filter((vendor) => vendor !== ''),
  }
}

const inForce = (target: VendorTarget | undefined, otherwise: TargetInForce): TargetInForce => ({
  completeShare: target?.completeShare ?? otherwise.completeShare,
  silentDays: target?.silentDays ?? otherwise.silentDays,
  refusalFactor: target?.refusalFactor ?? otherwise.refusalFactor,
})

export const listVendorTargets =
  ({ store }: HandlerContext) =>
  async ({ provider }: OperationCall): Promise<Answer<'listed'>> => {
    const targets = await vendorTargets(store, provider)
    const vendors = targets.map(({ dataProviderVendorId }) => dataProviderVendorId)
    const nameOf = await vendorNames(store, provider, vendors)
    const content = targets.map(({ dataProviderVendorId, setAt, ...target }) => ({
      dataProviderVendorId: dataProviderVendorId === '' ? null : dataProviderVendorId,
      dataProviderVendorName: nameOf(dataProviderVendorId),
      ...target,
      setDateTime: setAt.toISOString(),
    }))
    return { outcome: 'listed', body: { content, ofAll: targetsIn(targets).ofAll } }
  }

export const setVendorTargets =
  ({ store, alertsDue }: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'set'>> => {
    const refusal = shapeRefusal(operations.setVendorTargets.body, call, nothingSet)
    if (refusal !== undefined) return refusal
    const sent = (call.body.value as Static<typeof operations.setVendorTargets.body>).targets
    const fault = faultOf(sent)
    if (fault !== undefined) return { outcome: 'refused', detail: `${fault} ${nothingSet}` }
    const targets = sent.map(({ dataProviderVendorId = '', completeShare, silentDays, refusalFactor }) => ({
      dataProviderVendorId,
      completeShare: completeShare ?? null,
      silentDays: silentDays ?? null,
      refusalFactor: refusalFactor ?? null,
    }))
    const end = await writeVendorTargets(store, call.provider, targets, { who: call.keyId, requestId: call.requestId })
    if (end === 'tooMany')
      return {
        outcome: 'refused',
        detail: `At most ${vendorTargetsMax.toLocaleString('en-US')} vendors can have targets of their own. Remove some, or set the targets of all vendors. ${nothingSet}`,
      }
    alertsDue(call.provider)
    return { outcome: 'set', body: { set: targets.length } }
  }

const nothingSet = 'No target was set.'

type SentTargets = Static<typeof operations.setVendorTargets.body>['targets']

/** Why one of the targets cannot be set. */
function faultOf(targets: SentTargets): string | undefined {
  const seen = new Set<string | undefined>()
  for (const { dataProviderVendorId: vendor, completeShare, silentDays, refusalFactor } of targets) {
    const whose = vendor === undefined ? 'all vendors' : `vendor ${JSON.stringify(vendor)}`
    if (vendor !== undefined && !isGiven(vendor))
      return 'A dataProviderVendorId is blank. Name the vendor, or omit the field for all vendors.'
    if (seen.has(vendor)) return `The targets of ${whose} are listed twice. List them once.`
    seen.add(vendor)
    if (completeShare !== undefined && !(completeShare >= 0 && completeShare <= 1))
      return `completeShare of ${whose} is ${completeShare}. It must be a share from 0 to 1, e.g. 0.98.`
    if (silentDays !== undefined && !(Number.isInteger(silentDays) && silentDays >= 1 && silentDays <= 366))
      return `silentDays of ${whose} is ${silentDays}. It must be a whole number from 1 to 366, e.g. 14.`
    if (refusalFactor !== undefined && !(refusalFactor >= 1 && refusalFactor <= 1_000))
      return `refusalFactor of ${whose} is ${refusalFactor}. It must be a number from 1 to 1000, e.g. 3.`
  }
  return undefined
}
