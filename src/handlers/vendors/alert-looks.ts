// Looks for alerts: finds values below their target, beyond their threshold or overdue, and begins
// and ends alerts accordingly. Source: decision 0073.
import { type AlertType, alertTypes, dueVersionsMax } from '../../contract/alerts.ts'
import { yearsBefore } from '../../contract/shape/date-and-time.ts'
import { failingMinutes, openAlertsMax } from '../../operations/vendors/alerts.ts'
import type { Queryable } from '../../store/database/statement.ts'
import { findAllDue } from '../../store/keeping/purge.ts'
import {
  type AlertChanges,
  type AlertState,
  lookLease,
  openAlerts,
  providersToLookAt,
  readAlertState,
  type StoredAlert,
  writeAlerts,
} from '../../store/vendors/alerts.ts'
import type { BackgroundWork } from '../base/background-work.ts'
import type { HandlerContext } from '../base/handler.ts'
import { type ProviderSteps, providerRounds } from '../base/provider-rounds.ts'
import { newsIn, readAlertSettingsInForce } from './alerts.ts'
import { type FoundAlert, findBelowTarget, findRefused, findSilent } from './vendor-alerts.ts'
import { readTargets } from './vendor-targets.ts'

/** Settings of the operator, and the receiver of alerts. */
export interface LookSettings {
  readonly checkpointMinutes: number
  readonly retentionYears: number
  /** Called when alerts of a provider began or ended, with the number of new ones. */
  readonly onChanged?: (provider: string, begun: AlertCounts) => void
}

export type AlertCounts = Readonly<Partial<Record<AlertType, number>>>

/** Looks for alerts in the background, and wakes the sender of webhooks about them. */
export const alertRounds = (
  context: HandlerContext,
  checkpointMinutes: number,
  onBegun: (provider: string, begun: AlertCounts) => void,
): BackgroundWork =>
  providerRounds(
    {
      name: 'alerts',
      doing: 'Looking for alerts',
      stepsOf: (provider) =>
        lookForAlerts(context.store, provider, {
          checkpointMinutes,
          retentionYears: context.retentionYears,
          onChanged: (of, begun) => {
            onBegun(of, begun)
            context.due('webhooks', of)
          },
        }),
      findLeft: () => providersToLookAt(context.store),
    },
    context.reportDropped,
  )

/** How many of the oldest records of a provider are checked for the end of their retention time. */
const agedRecordsMax = 100_000

/**
 * One look at a provider, unless another process has it. It runs at most every few minutes, and
 * counts no records while none has changed. It yields only while it reads old records: if it took
 * turns with many providers, it would outlast its claim.
 */
export async function* lookForAlerts(
  store: Queryable,
  provider: string,
  { checkpointMinutes, retentionYears, onChanged }: LookSettings,
  now = new Date(),
): ProviderSteps<void> {
  const look = await lookLease.claim(store, { provider })
  if (look === undefined) return 'done'
  let renewedAt = performance.now()
  const settings = await readAlertSettingsInForce(store, provider)
  // Read first, so that anything that comes later causes the next look.
  const state = await readAlertState(store, provider, failingMinutes)
  const open = await openAlerts(store, { provider })
  const isWanted = (type: AlertType) => !settings.switchedOff.includes(type)
  /** By type. A type that is missing keeps its alerts. */
  const found = new Map<AlertType, readonly FoundAlert[]>()
  for (const type of alertTypes) if (!isWanted(type)) found.set(type, [])

  const minutes = Math.max(settings.checkpointOverdueMinutes, 2 * checkpointMinutes)
  if (isWanted('alert.checkpointOverdue')) found.set('alert.checkpointOverdue', overdueIn(state, minutes))

  if (isWanted('alert.webhookFailing')) found.set('alert.webhookFailing', failingIn(state))
  if (isWanted('alert.copiesFailing')) found.set('alert.copiesFailing', copiesFailingIn(state))
  if (isWanted('alert.importBrokenOff')) found.set('alert.importBrokenOff', brokenOffIn(state))

  // After an hour without news, days and usual weeks have moved on.
  const seen = `${now.toISOString().slice(0, 13)} ${newsIn(state)}`
  if (seen !== look.seen) {
    const targets = await readTargets(store, provider)
    for (const [type, find] of [
      ['alert.completenessBelowTarget', () => findBelowTarget(store, provider, targets)],
      ['alert.vendorSilent', () => findSilent(store, provider, targets, now)],
      ['alert.refusalsAboveNormal', () => findRefused(store, provider, targets, now)],
    ] as const) {
      if (!isWanted(type)) continue
      const alerts = await find()
      if (alerts !== undefined) found.set(type, alerts)
    }
  }

  const isDue = open.some(({ type }) => type === 'alert.retentionDue')
  // Once a day, or once an hour while an alert waits for a purge or a hold.
  const retentionSeen = `${now.toISOString().slice(0, isDue ? 13 : 10)} ${state.holdsChanged} ${retentionYears}`
  if (isWanted('alert.retentionDue') && retentionSeen !== look.retentionSeen) {
    let due: number | undefined
    for await (const count of countDue(store, provider, yearsBefore(now, retentionYears))) {
      due = count
      yield
      if (performance.now() - renewedAt < lookLease.ms / 3) continue
      if ((await lookLease.renew(store, provider, [look])).length === 0) return 'others'
      renewedAt = performance.now()
    }
    if (due !== undefined)
      found.set('alert.retentionDue', dueAlerts(due, settings.retentionDueVersions, retentionYears))
  }

  const changes = { ...changesOf(open, found, look.lastNumber), seen, retentionSeen }
  if (!(await writeAlerts(store, { fence: look.fence, ...changes, provider }, now))) return 'others'
  if (changes.lastNumber > look.lastNumber) onChanged?.(provider, countByType(changes.begun))
  return 'done'
}

const overdueIn = (
  { awaitingSince, awaitingSeconds, awaitingVersions }: AlertState,
  minutes: number,
): readonly FoundAlert[] =>
  awaitingSince === null || (awaitingSeconds ?? 0) <= minutes * 60
    ? []
    : [
        {
          type: 'alert.checkpointOverdue',
          dataProviderVendorId: null,
          data: { versions: awaitingVersions, awaitingSince: awaitingSince.toISOString(), minutes },
        },
      ]

const failingIn = ({ failingWebhooks, webhooksFailSince }: AlertState): readonly FoundAlert[] =>
  webhooksFailSince === null
    ? []
    : [
        {
          type: 'alert.webhookFailing',
          dataProviderVendorId: null,
          data: { webhooks: failingWebhooks, failingSince: webhooksFailSince.toISOString() },
        },
      ]

const copiesFailingIn = ({ copiesFailSince }: AlertState): readonly FoundAlert[] =>
  copiesFailSince === null
    ? []
    : [
        {
          type: 'alert.copiesFailing',
          dataProviderVendorId: null,
          data: { failingSince: copiesFailSince.toISOString() },
        },
      ]

const brokenOffIn = ({ importBrokenOffAt }: AlertState): readonly FoundAlert[] =>
  importBrokenOffAt === null
    ? []
    : [
        {
          type: 'alert.importBrokenOff',
          dataProviderVendorId: null,
          data: { lastPartDateTime: importBrokenOffAt.toISOString() },
        },
      ]

/**
 * Yields how many versions are due so far, up to the number that is counted. Undefined when more
 * records than are checked may be due.
 */
async function* countDue(store: Queryable, provider: string, before: Date): AsyncGenerator<number | undefined> {
  let [versions, records] = [0, 0]
  for await (const step of findAllDue(store, provider, before)) {
    versions = Math.min(versions + step.versions.length, dueVersionsMax)
    records += step.records
    yield versions > 0 || records < agedRecordsMax ? versions : undefined
    if (versions === dueVersionsMax || records >= agedRecordsMax) return
  }
}

const dueAlerts = (versions: number, from: number, retentionYears: number): readonly FoundAlert[] =>
  versions < from
    ? []
    : [{ type: 'alert.retentionDue', dataProviderVendorId: null, data: { versions, retentionYears } }]

/** Alerts that begin, have new values, or end. */
function changesOf(
  open: readonly StoredAlert[],
  found: ReadonlyMap<AlertType, readonly FoundAlert[]>,
  lastNumber: number,
): Pick<AlertChanges, 'begun' | 'changed' | 'lastNumber'> {
  const begun: AlertChanges['begun'][number][] = []
  const changed: AlertChanges['changed'][number][] = []
  let number = lastNumber
  for (const [type, alerts] of found) {
    const ofType = open.filter((one) => one.type === type)
    const data = new Map(alerts.map((one) => [one.dataProviderVendorId ?? '', JSON.stringify(one.data)]))
    let stillOpen = 0
    for (const { number: alert, subject, latest } of ofType) {
      const now = data.get(subject)
      if (now === undefined) changed.push({ number: alert, latest, endedNumber: ++number })
      else {
        stillOpen++
        data.delete(subject)
        if (now !== latest) changed.push({ number: alert, latest: now, endedNumber: null })
      }
    }
    for (const [subject, latest] of [...data].slice(0, Math.max(0, openAlertsMax - stillOpen)))
      begun.push({ number: ++number, type, subject, latest })
  }
  return { begun, changed, lastNumber: number }
}

function countByType(alerts: readonly { readonly type: AlertType }[]): AlertCounts {
  const counts: Partial<Record<AlertType, number>> = {}
  for (const { type } of alerts) counts[type] = (counts[type] ?? 0) + 1
  return counts
}
