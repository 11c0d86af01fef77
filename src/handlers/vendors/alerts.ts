// Lists alerts, and reads and sets which of them a provider wants. Source: decision 0073.
import type { Static } from 'typebox'
import { isAlertType } from '../../contract/alerts.ts'
import {
  type AlertSettingsBody,
  alertOperations,
  alertSettingRanges,
  defaultAlertSettings,
  failingMinutes,
} from '../../operations/vendors/alerts.ts'
import { versionOfSetting } from '../../store/base/setting-versions.ts'
import type { Queryable } from '../../store/database/statement.ts'
import { vendorNames } from '../../store/records/vendor-names.ts'
import {
  type AlertSettings,
  type AlertState,
  findAlertSettings,
  findAlerts,
  lastLook,
  readAlertState,
  type SetAlertSettings,
  writeAlertSettings,
} from '../../store/vendors/alerts.ts'
import { editUnderCondition } from '../base/conditions.ts'
import { numberIn, numberMax, pageOf, scopeOf } from '../base/cursor.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { shapeRefusal } from '../records/failure-answers.ts'

const listAlerts =
  ({ store }: HandlerContext) =>
  async ({ provider, query }: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const { limit: _, cursor: __, ...filters } = query
    const isOpen = query.open === undefined ? undefined : query.open === 'true'
    const asked = query.type ?? 'all'
    const type = isAlertType(asked) ? asked : undefined
    const listed = await pageOf(query, {
      scope: scopeOf('alerts', filters),
      positionIn: numberIn,
      find: (before = numberMax, count) => findAlerts(store, { provider, isOpen, type, before, limit: count }),
      positionOf: ({ number }) => String(number),
    })
    if ('outcome' in listed) return listed
    const [{ lookedAt, seen }, state, nameOf] = await Promise.all([
      lastLook(store, provider),
      readAlertState(store, provider, failingMinutes),
      vendorNames(store, provider, listed.page.map(vendorOf)),
    ])
    return {
      outcome: 'listed',
      body: {
        content: listed.page.map((alert) => ({
          number: alert.number,
          type: alert.type,
          dataProviderVendorId: vendorOf(alert),
          dataProviderVendorName: nameOf(vendorOf(alert)),
          begunDateTime: alert.begunAt.toISOString(),
          endedDateTime: alert.endedAt?.toISOString() ?? null,
          data: JSON.parse(alert.latest),
        })),
        nextCursor: listed.nextCursor,
        lookedDateTime: lookedAt?.toISOString() ?? null,
        // What a look has seen is the news behind its hour.
        isCurrent: lookedAt !== null && (seen?.endsWith(` ${newsIn(state)}`) ?? false),
      },
    }
  }

/** Stays the same while no version or refusal is stored and nothing is recounted. */
export const newsIn = (state: AlertState): string =>
  [
    state.checkpoint,
    state.awaitingRows,
    state.awaitingVersions,
    state.newestRefusal,
    state.recount,
    state.awaitingRecounts,
  ].join(' ')

/** An alert of all vendors, or of none, has no subject. */
const vendorOf = ({ subject }: { readonly subject: string }): string | null => (subject === '' ? null : subject)

/** The settings, with the defaults of the program for the rest. */
export const readAlertSettingsInForce = async (
  store: Queryable,
  provider: string,
): Promise<Omit<AlertSettingsBody, 'setDateTime' | 'setBy'>> => inForce(await findAlertSettings(store, { provider }))

const inForce = (settings: AlertSettings | undefined) => ({
  switchedOff: [...(settings?.switchedOff ?? defaultAlertSettings.switchedOff)],
  checkpointOverdueMinutes: settings?.checkpointOverdueMinutes ?? defaultAlertSettings.checkpointOverdueMinutes,
  retentionDueVersions: settings?.retentionDueVersions ?? defaultAlertSettings.retentionDueVersions,
})

const settingsBody = (settings: SetAlertSettings | undefined): AlertSettingsBody => ({
  ...inForce(settings),
  setDateTime: settings?.setAt.toISOString() ?? null,
  setBy: settings?.setBy ?? null,
})

const readAlertSettings =
  ({ store }: HandlerContext) =>
  async ({ provider }: OperationCall): Promise<Answer<'found'>> => {
    const version = await versionOfSetting(store, provider, 'alertSetting')
    return { outcome: 'found', version, body: settingsBody(await findAlertSettings(store, { provider })) }
  }

const setAlertSettings =
  ({ store, due }: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'stale' | 'set'>> => {
    const refusal = shapeRefusal(alertOperations.setAlertSettings.body, call, nothingSet)
    if (refusal !== undefined) return refusal
    const sent = call.body.value as Static<typeof alertOperations.setAlertSettings.body>
    for (const [name, max] of Object.entries(alertSettingRanges)) {
      const value = sent[name as keyof typeof alertSettingRanges]
      if (value !== undefined && !(Number.isInteger(value) && value >= 1 && value <= max))
        return {
          outcome: 'refused',
          detail: `${name} is ${value}. It must be a whole number from 1 to ${max}. ${nothingSet}`,
        }
    }
    const settings = {
      switchedOff: [...new Set(sent.switchedOff)],
      checkpointOverdueMinutes: sent.checkpointOverdueMinutes ?? null,
      retentionDueVersions: sent.retentionDueVersions ?? null,
    }
    const actor = { who: call.keyId, requestId: call.requestId }
    const stored = await editUnderCondition(
      store,
      call,
      { edited: 'alertSetting', what: 'The setting of alerts' },
      (allowed) => writeAlertSettings(store, { provider: call.provider, settings }, actor, allowed),
    )
    if ('outcome' in stored) return stored
    due('alerts', call.provider)
    return { outcome: 'set', version: stored.version, body: settingsBody(stored) }
  }

const nothingSet = 'Nothing was set.'

export const alertHandlers = { listAlerts, readAlertSettings, setAlertSettings }
