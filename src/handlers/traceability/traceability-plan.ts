// Reads and replaces the traceability plan of a provider.
import { canonicalJson } from '../../contract/json/canonical.ts'
import { type EventKindName, eventKindList } from '../../contract/record-kinds.ts'
import { dayAfter } from '../../contract/shape/date-and-time.ts'
import { type PlanContent, planGaps } from '../../contract/traceability-plan.ts'
import { keyDataElementsOf, knownStatements, type PlanInForce } from '../../exports/fda-package/plan-page.ts'
import { sheetsWith } from '../../exports/fda-spreadsheet/kind-sheets.ts'
import { planOperations, type TraceabilityPlanBody } from '../../operations/traceability/traceability-plan.ts'
import { sha256Hex } from '../../sha256.ts'
import {
  findPlan,
  insertPlan,
  type PlanVersion,
  planVersions,
  planVersionsMax,
  type StoredPlan,
  storedKindsOf,
} from '../../store/traceability/traceability-plans.ts'
import { isAllowed, stale } from '../base/conditions.ts'
import { numberIn, pageOf, scopeOf } from '../base/cursor.ts'
import { displayNameOf } from '../base/display-name.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { keyNamer } from '../base/key-names.ts'
import { MasterDataCache } from '../records/exported-events.ts'
import { shapeRefusal } from '../records/failure-answers.ts'

/** The plan in force, as files show it; undefined while there is none. */
export async function planInForce(context: HandlerContext, provider: string): Promise<PlanInForce | undefined> {
  const { store, retentionYears } = context
  const stored = await findPlan(store, { provider })
  return (
    stored && {
      version: stored.version,
      inForceFrom: stored.submittedAt,
      content: JSON.parse(stored.content) as PlanContent,
      retentionYears,
      sheets: await sheetsOf(context, provider, await kindsOf(store, provider)),
    }
  )
}

const readTraceabilityPlan =
  (context: HandlerContext) =>
  async ({ provider, query: { onDate } }: OperationCall): Promise<Answer<'found'>> => {
    const before = onDate === undefined ? undefined : `${dayAfter(onDate, 1)}T00:00:00Z`
    return {
      outcome: 'found',
      ...(await viewOf(context, provider, await findPlan(context.store, { provider, before }))),
    }
  }

const replaceTraceabilityPlan =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'stale' | 'unchanged' | 'replaced'>> => {
    const { store } = context
    const { provider } = call
    const refusal = shapeRefusal(planOperations.replaceTraceabilityPlan.body, call, nothingStored)
    if (refusal !== undefined) return refusal
    const content = canonicalJson(call.body.value)
    const contentHash = sha256Hex(content)
    const actor = { who: call.keyId, requestId: call.requestId }
    for (;;) {
      const current = await findPlan(store, { provider })
      const at = current?.version ?? 0
      if (!isAllowed(call, at)) return stale(call, at, resend)
      if (content === (current?.content ?? '{}'))
        return { outcome: 'unchanged', ...(await viewOf(context, provider, current)) }
      if (at >= planVersionsMax)
        return {
          outcome: 'refused',
          detail: `The plan has ${planVersionsMax.toLocaleString('en-US')} versions, which is the limit. ${nothingStored}`,
        }
      // Another caller may have stored this version in between: each turn of the loop reads it.
      if (await insertPlan(store, { provider, version: at + 1, content, contentHash }, actor))
        return {
          outcome: 'replaced',
          ...(await viewOf(context, provider, await findPlan(store, { provider, version: at + 1 }))),
        }
    }
  }

const nothingStored = 'The plan was not changed.'

const resend = {
  without: 'Send the plan without If-None-Match, or name the version it may replace in If-Match.',
  again: 'Read the plan again, apply your change to it, and send it with its new version.',
}

const listTraceabilityPlanVersions =
  (context: HandlerContext) =>
  async ({ provider, query }: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const listed = await pageOf(query, {
      scope: scopeOf('traceability plan', {}),
      positionIn: numberIn,
      find: (below, limit) => planVersions(context.store, { provider, below, limit }),
      positionOf: ({ version }) => String(version),
    })
    if ('outcome' in listed) return listed
    const nameOf = await keyNamer(
      context,
      provider,
      listed.page.map(({ submittedBy }) => submittedBy),
    )
    const content = listed.page.map((version) => ({
      version: version.version,
      ...timesOf(version),
      submittedBy: version.submittedBy,
      submittedByName: nameOf(version.submittedBy),
      contentHash: version.contentHash,
    }))
    return { outcome: 'listed', body: { content, nextCursor: listed.nextCursor } }
  }

const readTraceabilityPlanVersion =
  (context: HandlerContext) =>
  async ({ provider, version }: OperationCall): Promise<Answer<'unknownVersion' | 'found'>> => {
    const stored = /^[1-9]\d{0,8}$/.test(version)
      ? await findPlan(context.store, { provider, version: Number(version) })
      : undefined
    return stored === undefined
      ? { outcome: 'unknownVersion', detail: `The traceability plan has no version ${version.slice(0, 20)}.` }
      : { outcome: 'found', ...(await viewOf(context, provider, stored)) }
  }

/** The kinds of which there are events, in the order of their declarations: rows have none. */
async function kindsOf(store: HandlerContext['store'], provider: string): Promise<readonly EventKindName[]> {
  const stored = new Set((await storedKindsOf(store, { provider })).map(({ kind }) => kind))
  return eventKindList.flatMap(({ name }) => (stored.has(name) ? [name] : []))
}

/**
 * The sheets of FDA's spreadsheet with events of the kinds, or of all kinds where there are none:
 * those of exempt places only where the provider has such places.
 */
const sheetsOf = async (context: HandlerContext, provider: string, kinds: readonly EventKindName[]) =>
  sheetsWith(await new MasterDataCache(context, provider).exemptPlaces()).filter(
    ({ kind }) => kinds.length === 0 || kinds.includes(kind.name),
  )

const timesOf = ({ submittedAt, replacedAt }: PlanVersion) => ({
  inForceFrom: submittedAt.toISOString(),
  replacedDateTime: replacedAt?.toISOString() ?? null,
})

async function viewOf(
  context: HandlerContext,
  provider: string,
  stored: StoredPlan | undefined,
): Promise<{ readonly version: number; readonly body: TraceabilityPlanBody }> {
  const plan = stored === undefined ? {} : (JSON.parse(stored.content) as PlanContent)
  const version = stored?.version ?? 0
  const submittedBy = stored?.submittedBy ?? null
  const nameOf = await keyNamer(context, provider, submittedBy === null ? [] : [submittedBy])
  const kinds = await kindsOf(context.store, provider)
  const service = {
    statements: [...knownStatements(await displayNameOf(context.store, provider), context.retentionYears)],
    kinds: [...kinds],
    keyDataElements: keyDataElementsOf(await sheetsOf(context, provider, kinds)),
  }
  return {
    version,
    body: {
      version,
      ...(stored === undefined ? { inForceFrom: null, replacedDateTime: null } : timesOf(stored)),
      submittedBy,
      submittedByName: submittedBy === null ? null : nameOf(submittedBy),
      plan,
      gaps: [...planGaps(plan, kinds)],
      service,
    },
  }
}

export const planHandlers = {
  readTraceabilityPlan,
  replaceTraceabilityPlan,
  listTraceabilityPlanVersions,
  readTraceabilityPlanVersion,
}
