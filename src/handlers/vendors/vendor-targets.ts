// Lists and sets the targets of vendors.
import type { Static } from 'typebox'
import { defaultTarget } from '../../contract/alerts.ts'
import { isGiven } from '../../contract/shape/field.ts'
import { type TargetInForce, vendorTargetOperations } from '../../operations/vendors/vendor-targets.ts'
import { type DeclaredSetting, declaredSettings } from '../../store/base/declared-settings.ts'
import { versionOfSetting } from '../../store/base/setting-versions.ts'
import type { Queryable } from '../../store/database/statement.ts'
import { vendorNames } from '../../store/records/vendor-names.ts'
import { givenValues, nothingSet, setDeclared } from '../base/declared-settings.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { shapeRefusal } from '../records/failure-answers.ts'

/** The targets of a provider, and the resulting ones of a vendor. */
export interface TargetsInForce {
  readonly ofAll: TargetInForce
  readonly of: (vendor: string) => TargetInForce
  /** Vendors with targets of their own. */
  readonly vendors: readonly string[]
}

export async function readTargets(store: Queryable, provider: string): Promise<TargetsInForce> {
  return targetsIn(await vendorTargets(store, provider))
}

/** Absent values are taken from the targets for all vendors. */
type StoredTarget = Partial<Omit<SentTarget, 'dataProviderVendorId'>>

const vendorTargets = (store: Queryable, provider: string) =>
  declaredSettings<StoredTarget>(store, provider, 'vendorTarget')

function targetsIn(targets: readonly DeclaredSetting<StoredTarget>[]): TargetsInForce {
  const byVendor = new Map(targets.map(({ key, value }) => [key, value]))
  const ofAll = inForce(byVendor.get(''), defaultTarget)
  return {
    ofAll,
    of: (vendor) => inForce(byVendor.get(vendor), ofAll),
    vendors: [...byVendor.keys()].filter((vendor) => vendor !== ''),
  }
}

const inForce = (target: StoredTarget | undefined, otherwise: TargetInForce): TargetInForce => ({
  completeShare: target?.completeShare ?? otherwise.completeShare,
  silentDays: target?.silentDays ?? otherwise.silentDays,
  refusalFactor: target?.refusalFactor ?? otherwise.refusalFactor,
})

const listVendorTargets =
  ({ store }: HandlerContext) =>
  async ({ provider }: OperationCall): Promise<Answer<'listed'>> => {
    const version = await versionOfSetting(store, provider, 'vendorTarget')
    const targets = await vendorTargets(store, provider)
    const nameOf = await vendorNames(
      store,
      provider,
      targets.map(({ key }) => key),
    )
    const content = targets.map(({ key, value, setAt, setBy }) => ({
      dataProviderVendorId: key === '' ? null : key,
      dataProviderVendorName: nameOf(key),
      completeShare: null,
      silentDays: null,
      refusalFactor: null,
      ...value,
      setDateTime: setAt.toISOString(),
      setBy,
    }))
    return { outcome: 'listed', version, body: { content, ofAll: targetsIn(targets).ofAll } }
  }

const setVendorTargets =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'stale' | 'set'>> => {
    const refusal = shapeRefusal(vendorTargetOperations.setVendorTargets.body, call, nothingSet)
    if (refusal !== undefined) return refusal
    const { targets } = call.body.value as Static<typeof vendorTargetOperations.setVendorTargets.body>
    const answer = await setDeclared(context, call, targets, {
      kind: 'vendorTarget',
      nouns: 'targets',
      settingOf: ({ dataProviderVendorId: key = '', ...target }) => ({ key, value: givenValues(target) }),
      wordsOf: (key) => (key === '' ? 'all vendors' : `vendor ${JSON.stringify(key)}`),
      faultOf,
    })
    if (answer.outcome === 'set') context.due('alerts', call.provider)
    return answer
  }

type SentTarget = Static<typeof vendorTargetOperations.setVendorTargets.body>['targets'][number]

/** Why a target cannot be set. */
function faultOf(
  { dataProviderVendorId: vendor, completeShare, silentDays, refusalFactor }: SentTarget,
  whose: string,
): string | undefined {
  if (vendor !== undefined && !isGiven(vendor))
    return 'A dataProviderVendorId is blank. Name the vendor, or omit the field for all vendors.'
  if (completeShare !== undefined && !(completeShare >= 0 && completeShare <= 1))
    return `completeShare of ${whose} is ${completeShare}. It must be a share from 0 to 1, e.g. 0.98.`
  if (silentDays !== undefined && !(Number.isInteger(silentDays) && silentDays >= 1 && silentDays <= 366))
    return `silentDays of ${whose} is ${silentDays}. It must be a whole number from 1 to 366, e.g. 14.`
  if (refusalFactor !== undefined && !(refusalFactor >= 1 && refusalFactor <= 1_000))
    return `refusalFactor of ${whose} is ${refusalFactor}. It must be a number from 1 to 1000, e.g. 3.`
  return undefined
}

export const vendorTargetHandlers = { listVendorTargets, setVendorTargets }
