// Lists and sets the time zones of locations.

import type { Static } from 'typebox'
import { isTimeZone } from '../../contract/shape/date-and-time.ts'
import { isGiven } from '../../contract/shape/field.ts'
import { timeZoneOperations } from '../../operations/records/location-time-zones.ts'
import { vendorKey } from '../../rules/rule.ts'
import { versionOfSetting } from '../../store/base/setting-versions.ts'
import {
  findTimeZones,
  type TimeZoneChange,
  timeZonesMax,
  writeTimeZones,
} from '../../store/records/location-time-zones.ts'
import { editUnderCondition } from '../base/conditions.ts'
import { pageOf, scopeOf } from '../base/cursor.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { shapeRefusal } from './failure-answers.ts'

const listTimeZones =
  ({ store }: HandlerContext) =>
  async ({ provider, query }: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const version = await versionOfSetting(store, provider, 'timeZone')
    const listed = await pageOf(query, {
      scope: scopeOf('time zones', {}),
      positionIn: locationIn,
      find: (after, limit) => findTimeZones(store, { ...after, limit, provider }),
      positionOf: ({ locationCode, dataProviderVendorId }) =>
        Buffer.from(`${locationCode}\u0000${dataProviderVendorId}`).toString('latin1'),
    })
    if ('outcome' in listed) return listed
    const content = listed.page.map(({ setAt, dataProviderVendorId, ...zone }) => ({
      ...zone,
      dataProviderVendorId: dataProviderVendorId === '' ? null : dataProviderVendorId,
      setDateTime: setAt.toISOString(),
    }))
    return { outcome: 'listed', version, body: { content, nextCursor: listed.nextCursor } }
  }

/** The position after which a page of time zones continues. */
function locationIn(text: string) {
  const [locationCode = '', dataProviderVendorId, ...more] = Buffer.from(text, 'latin1').toString().split('\u0000')
  return dataProviderVendorId === undefined || more.length > 0 ? undefined : { locationCode, dataProviderVendorId }
}

const setTimeZones =
  ({ store, due }: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'stale' | 'set'>> => {
    const refusal = shapeRefusal(timeZoneOperations.setTimeZones.body, call, nothingSet)
    if (refusal !== undefined) return refusal
    const { timeZones } = call.body.value as Static<typeof timeZoneOperations.setTimeZones.body>
    const changes = timeZones.map(({ locationCode, dataProviderVendorId = '', timeZone }) => ({
      locationCode,
      dataProviderVendorId,
      timeZone,
    }))
    const fault = faultOf(changes)
    if (fault !== undefined) return { outcome: 'refused', detail: `${fault} ${nothingSet}` }
    const actor = { who: call.keyId, requestId: call.requestId }
    const end = await editUnderCondition(
      store,
      call,
      { edited: 'timeZone', what: 'The list of time zones' },
      (allowed) => writeTimeZones(store, { provider: call.provider, changes }, actor, allowed),
    )
    if (end === 'tooMany')
      return {
        outcome: 'refused',
        detail: `At most ${timeZonesMax.toLocaleString('en-US')} locations can have a time zone. Omit the vendor where all vendors deliver to one place. ${nothingSet}`,
      }
    if (end === 'unknown')
      return { outcome: 'refused', detail: `The database does not know one of the time zones. ${nothingSet}` }
    if (typeof end !== 'number') return end
    store.timeZones.forget(call.provider)
    due('sharing', call.provider)
    return { outcome: 'set', version: end, body: { set: changes.length } }
  }

const nothingSet = 'No time zone was set.'

/** Why one of the changes cannot be made. */
function faultOf(changes: readonly TimeZoneChange[]): string | undefined {
  const seen = new Set<string>()
  for (const { locationCode, dataProviderVendorId, timeZone } of changes) {
    const key = vendorKey(dataProviderVendorId, locationCode)
    if (!isGiven(locationCode)) return 'A locationCode is blank. Name the location.'
    if (seen.has(key)) return `Location ${JSON.stringify(locationCode)} is listed twice. List it once.`
    seen.add(key)
    if (timeZone !== undefined && !isTimeZone(timeZone))
      return `timeZone ${JSON.stringify(timeZone)} of location ${JSON.stringify(locationCode)} is not in the IANA time zone database. Send a name such as America/New_York.`
  }
  return undefined
}

export const timeZoneHandlers = { listTimeZones, setTimeZones }
