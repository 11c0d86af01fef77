// Open alerts: values below their target, beyond their threshold or overdue.
import type { AlertPage } from '../../../client/generated/shapes.ts'
import { type AlertType, defaultTarget, dueVersionsMax } from '../../../contract/alerts.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { queryOf } from '../../records/filters.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { countBrokenOffImports } from '../../state/frame/device.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { dateTimeWords } from '../../words/labels.ts'
import { gapsAt, shareWords } from '../../words/percent.ts'
import { Instant } from '../frame/instant.tsx'
import { VendorName } from '../records/vendor-name.tsx'

export type Alert = AlertPage['content'][number]

/** Most alerts that are shown one by one. */
const shownMax = 8

export interface OpenAlerts extends Pick<AlertPage, 'content' | 'nextCursor' | 'lookedDateTime' | 'isCurrent'> {
  /** False while all vendors are measured by what the program expects. */
  readonly hasTargets: boolean
}

export function AlertList({ content: alerts, nextCursor, hasTargets, ...look }: OpenAlerts) {
  const left = alerts.length - shownMax
  return (
    <>
      {alerts.length === 0 && <NoAlert {...look} />}
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
      {left > 0 && (
        <p>
          <a href={hrefTo('/alerts')}>
            {left.toLocaleString('en')} more{nextCursor !== null && ', and older ones'}
          </a>
        </p>
      )}
      {!hasTargets && (
        <p class="quiet">
          No targets are set: {shareWords(defaultTarget.completeShare)} of the lines of each vendor should be complete,
          and no delivery is expected. <a href={hrefTo('/targets')}>Set targets</a>
        </p>
      )}
    </>
  )
}

/** Nothing is called well that was not looked at. */
const NoAlert = ({ lookedDateTime, isCurrent }: Pick<OpenAlerts, 'lookedDateTime' | 'isCurrent'>) =>
  lookedDateTime === null ? (
    <p class="quiet">The service has not looked yet. It does within five minutes.</p>
  ) : (
    <p class={isCurrent ? 'callout fine' : 'callout'}>
      No vendor is below its target, silent, or refused more than usual, and nothing is overdue or fails, as of{' '}
      <Instant instant={lookedDateTime} />.{!isCurrent && ' The service looks at what came since within five minutes.'}
    </p>
  )

/** Urgent types first, then those about vendors; of a type those about most, then the newest. */
const order = [
  'alert.checkpointOverdue',
  'alert.webhookFailing',
  'alert.copiesFailing',
  'alert.importBrokenOff',
  'alert.refusalsAboveNormal',
  'alert.completenessBelowTarget',
  'alert.vendorSilent',
  'alert.retentionDue',
] as const satisfies readonly AlertType[]
const gravestFirst = (one: Alert, other: Alert): number =>
  order.indexOf(one.type) - order.indexOf(other.type) || sizeOf(other) - sizeOf(one)

/** Lines, refusals or versions of an alert; of a silent vendor the time since its last. */
function sizeOf({ type, data }: Alert): number {
  switch (type) {
    case 'alert.completenessBelowTarget':
      return data.incompleteLines
    case 'alert.refusalsAboveNormal':
      return data.refusals
    case 'alert.vendorSilent':
      return data.lastEventDate === null ? Number.POSITIVE_INFINITY : -Date.parse(data.lastEventDate)
    case 'alert.webhookFailing':
      return data.webhooks
    case 'alert.copiesFailing':
    case 'alert.importBrokenOff':
      return 0
    default:
      return data.versions
  }
}

/** Imports from this device that did not end. */
export function BrokenOffImports() {
  const count = countBrokenOffImports(useOpenSession().own.provider)
  if (count === 0) return null
  return (
    <p>
      <span class="tag warning">import</span> {pluralize(count, 'import')} from this computer did not end: what is left
      of {count === 1 ? 'its file' : 'their files'} was not sent. <a href={hrefTo('/import')}>Continue</a>
    </p>
  )
}

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
  const mayManage = useMay('administrator')
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
          , expected every {pluralize(alert.data.silentDays, 'day')}.{' '}
          <a href={hrefTo(`/events${queryOf({ dataProviderVendorId: alert.dataProviderVendorId ?? '' })}`)}>
            Show its events
          </a>
        </>
      )
    case 'alert.refusalsAboveNormal':
      return (
        <>
          <span class="tag error">refusals</span> <Vendor {...alert} />: {pluralize(alert.data.refusals, 'refusal')} in
          the last 7 days, {/* 1 is the least that the service counts as usual, also of who was never refused. */}
          {alert.data.usual > 1 ? `usually ${alert.data.usual.toLocaleString('en')}` : 'before that one a week at most'}
          .{' '}
          <a
            href={hrefTo(
              `/refusals${queryOf(alert.dataProviderVendorId === null ? {} : { dataProviderVendorId: alert.dataProviderVendorId })}`,
            )}
          >
            Show refusals
          </a>
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
    case 'alert.webhookFailing':
      return (
        <>
          <span class="tag error">webhook</span> {pluralize(alert.data.webhooks, 'webhook')}{' '}
          {alert.data.webhooks === 1 ? 'fails' : 'fail'} since {dateTimeWords(alert.data.failingSince)}: the receiver
          does not get its messages. {mayManage ? <a href={hrefTo('/webhooks')}>Webhooks</a> : 'Tell an administrator.'}
        </>
      )
    case 'alert.copiesFailing':
      return (
        <>
          <span class="tag error">partners</span> Copies for partners fail since{' '}
          {dateTimeWords(alert.data.failingSince)}: what partners see may be out of date. The service tries again. Tell
          the operator if it goes on. {mayManage && <a href={hrefTo('/partners')}>Partners</a>}
        </>
      )
    case 'alert.importBrokenOff':
      return (
        <>
          <span class="tag error">import</span> The import of an archive broke off: its last part came{' '}
          {dateTimeWords(alert.data.lastPartDateTime)}, and records are missing. Import the same archive again: it
          continues where it broke off.
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
