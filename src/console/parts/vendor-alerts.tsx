// What is below its target or beyond its threshold now.
import type { VendorAlerts } from '../../client/generated/shapes.ts'
import { queryOf } from '../records/filters.ts'
import { hrefTo } from '../state/address.ts'
import { pluralize } from '../words/labels.ts'
import { gapsAt, shareWords } from '../words/percent.ts'

type Alert = VendorAlerts['content'][number]

/** Alerts that are shown one by one. */
const shownMax = 8

export function VendorAlertList({ alerts }: { readonly alerts: readonly Alert[] }) {
  if (alerts.length === 0)
    return <p class="callout fine">No vendor is below its target, silent, or refused more than usual.</p>
  return (
    <>
      <ul class="latest">
        {alerts.slice(0, shownMax).map((alert) => (
          <li key={`${alert.kind} ${alert.dataProviderVendorId}`}>
            <AlertWords alert={alert} />
          </li>
        ))}
      </ul>
      {alerts.length > shownMax && <p class="quiet">And {alerts.length - shownMax} more.</p>}
    </>
  )
}

const Vendor = ({ id }: { readonly id: string | null }) =>
  id === null ? (
    <strong>All vendors</strong>
  ) : (
    <a href={hrefTo(`/scorecard${queryOf({ vendor: id })}`)}>
      <bdi>{id}</bdi>
    </a>
  )

function AlertWords({ alert }: { readonly alert: Alert }) {
  const { dataProviderVendorId: id } = alert
  switch (alert.kind) {
    case 'belowTarget':
      return (
        <>
          <span class="tag gap">below target</span> <Vendor id={id} />: {shareWords(alert.share)} complete in the last
          30 days, the target is {shareWords(alert.target)}.{' '}
          <a href={hrefTo(gapsAt(alert.records))}>{pluralize(alert.incompleteLines, 'incomplete line')}</a>
        </>
      )
    case 'silentVendor':
      return (
        <>
          <span class="tag warning">silent</span> <Vendor id={id} />:{' '}
          {alert.lastEventDate === null ? 'no event in the last 12 months' : `no event since ${alert.lastEventDate}`},
          expected every {pluralize(alert.silentDays, 'day')}.
        </>
      )
    case 'refusalsAboveNormal':
      return (
        <>
          <span class="tag error">refusals</span> <Vendor id={id} />: {pluralize(alert.refusals, 'refusal')} in the last
          7 days, usual are {alert.usual.toLocaleString('en')}. <a href={hrefTo('/refusals')}>Show refusals</a>
        </>
      )
  }
}
