// Open alerts: values below their target, beyond their threshold or overdue.
import type { AlertPage } from '../../../client/generated/shapes.ts'
import { type AlertType, dueVersionsMax } from '../../../contract/alerts.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { queryOf } from '../../records/filters.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { dateTimeWords } from '../../words/labels.ts'
import { gapsAt, shareWords } from '../../words/percent.ts'
import { VendorName } from '../records/vendor-name.tsx'

export type Alert = AlertPage['content'][number]

/** Most alerts that are shown one by one. */
const shownMax = 8

export function AlertList({ alerts }: { readonly alerts: readonly Alert[] }) {
  if (alerts.length === 0)
    return (
      <p class="callout fine">
        No vendor is below its target, silent, or refused more than usual, and nothing is overdue.
      </p>
    )
  return (
    <>
      <ul class="latest">
        {[...alerts]
          .sort(gravestFirst)
          .slice(0, shownMax)
          .map((alert) => (
            <li key={alert.number}>
              <AlertWords alert={alert} />
            </li>
          ))}
      </ul>
      {alerts.length > shownMax && <p class="quiet">And {alerts.length - shownMax} more.</p>}
    </>
  )
}

/**
 * Urgent types first, then those about vendors. The sort is stable, so the newest of a type stay
 * first.
 */
const order = [
  'alert.checkpointOverdue',
  'alert.refusalsAboveNormal',
  'alert.completenessBelowTarget',
  'alert.vendorSilent',
  'alert.retentionDue',
] as const satisfies readonly AlertType[]
const gravestFirst = (one: Alert, other: Alert): number => order.indexOf(one.type) - order.indexOf(other.type)

const Vendor = ({ dataProviderVendorId: id, dataProviderVendorName: name }: Alert) =>
  id === null ? (
    <strong>All vendors</strong>
  ) : (
    <a href={hrefTo(`/scorecard${queryOf({ vendor: id })}`)}>
      <VendorName id={id} name={name} />
    </a>
  )

/** An alert as a sentence, with links to its subject. */
export function AlertWords({ alert }: { readonly alert: Alert }) {
  switch (alert.type) {
    case 'alert.completenessBelowTarget':
      return (
        <>
          <span class="tag gap">below target</span> <Vendor {...alert} />: {shareWords(alert.data.share)} complete in
          the last 30 days, the target is {shareWords(alert.data.target)}.{' '}
          <a href={hrefTo(gapsAt(alert.data.records))}>{pluralize(alert.data.incompleteLines, 'incomplete line')}</a>
        </>
      )
    case 'alert.vendorSilent':
      return (
        <>
          <span class="tag warning">silent</span> <Vendor {...alert} />:{' '}
          {alert.data.lastEventDate === null
            ? 'no event in the last 12 months'
            : `no event since ${alert.data.lastEventDate}`}
          , expected every {pluralize(alert.data.silentDays, 'day')}.
        </>
      )
    case 'alert.refusalsAboveNormal':
      return (
        <>
          <span class="tag error">refusals</span> <Vendor {...alert} />: {pluralize(alert.data.refusals, 'refusal')} in
          the last 7 days, usually {alert.data.usual.toLocaleString('en')}.{' '}
          <a href={hrefTo('/refusals')}>Show refusals</a>
        </>
      )
    case 'alert.checkpointOverdue':
      return (
        <>
          <span class="tag error">checkpoint</span> {pluralize(alert.data.versions, 'version')} without a signed
          checkpoint, the oldest since {dateTimeWords(alert.data.awaitingSince)}. Tell the operator.{' '}
          <a href={hrefTo('/checkpoints')}>Checkpoints</a>
        </>
      )
    case 'alert.retentionDue':
      return (
        <>
          <span class="tag warning">retention</span> {alert.data.versions === dueVersionsMax && 'At least '}
          {pluralize(alert.data.versions, 'version')} can be purged: the {alert.data.retentionYears} years are over, and
          no legal hold covers them. Set a hold, or ask the operator to purge them.{' '}
          <a href={hrefTo('/legal-holds')}>Legal holds</a>
        </>
      )
  }
}
