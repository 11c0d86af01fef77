// Every limit there is, read where it is declared: what the operation answers, and the page of the
// reference shows (decision 0042).

import { locationsMax, productsMax, recordsPerCreateMax } from '../contract/payloads.ts'
import { productLinesMax } from '../contract/receiving-event.ts'
import {
  listEntriesMax,
  nestedPartsMax,
  nestingDepthMax,
  objectNamesMax,
  stringLengthMax,
} from '../contract/shape/field.ts'
import { findingsMax } from '../contract/shape/finding.ts'
import { planTextMax } from '../contract/traceability-plan.ts'
import { documentEventsMax } from '../epcis/document.ts'
import {
  arrivalMsMax,
  changeListenersMax,
  changeListenersOfProviderMax,
  connectionsMax,
  headersBytesMax,
  headersMsMax,
  idempotencyKeyLengthMax,
  keepAliveMsMax,
  largePagesAtOnceMax,
  largePagesOfProviderMax,
  largePageWaitMsMax,
  lateMsMax,
  linkCodesPerMinuteMax,
  packingFactorMax,
  pageBytesMax,
  requestsAtWorkMax,
  type SetLimits,
  silenceMsMax,
} from '../limits.ts'
import { limitMax, parameterValuesMax } from '../operations/base/query.ts'
import { changeWaitSecondsMax } from '../operations/changes/changes.ts'
import { daysMax } from '../operations/records/count-events.ts'
import { linkHours } from '../operations/sharing/package-links.ts'
import { countedEventsMax, periodMonthsMax } from '../operations/traceability/completeness.ts'
import { traceEventsMax, traceLinesMax, traceLinesReadMax } from '../operations/traceability/trace-lot.ts'
import { attemptsKept, webhooksMax } from '../store/changes/webhooks.ts'
import { connectionWaitMsMax, statementMsMax } from '../store/database/database.ts'
import { standingHoldsMax } from '../store/keeping/legal-holds.ts'
import { sessionHours, sessionsOfKeyMax } from '../store/people/sessions.ts'
import { rememberedDaysMin } from '../store/records/idempotency-keys.ts'
import { openLinksMax, wrongCodesMax } from '../store/sharing/package-links.ts'
import { waitingBytesMax, waitingWritesMax } from '../store/store.ts'
import { planVersionsMax } from '../store/traceability/traceability-plans.ts'
import { deliveryMsMax } from '../webhooks/delivery.ts'
import type { Answer, HandlerContext } from './base/handler.ts'
import { batchChangesMax, messageBytesMax, recordBytesMax } from './changes/webhook-messages.ts'
import { exportEventsMax, exportLinesMax } from './records/event-selection.ts'

export interface Limit {
  readonly name: string
  readonly value: number | null
  readonly unit: string
  readonly meaning: string
  readonly setBy: string | null
}

/** All limits, with the values in force. */
export function limitsOf(set: SetLimits): readonly Limit[] {
  const limit = (name: string, value: number, unit: string, meaning: string, setBy: string | null = null): Limit => ({
    name,
    value: value === 0 ? null : value,
    unit,
    meaning,
    setBy,
  })
  return [
    limit('body', set.bodyBytesMax, 'bytes', 'Body of a request, unpacked.', 'BODY_LIMIT_BYTES'),
    limit(
      'packingFactor',
      packingFactorMax,
      'times',
      'How many times as large a body in gzip may become when it is unpacked, if it becomes larger than 1 MiB.',
    ),
    limit(
      'createdTogether',
      set.createBytesMax,
      'bytes',
      'Records of one create together, as stored; those of the new events of an EPCIS document.',
      'BODY_LIMIT_BYTES',
    ),
    limit('recordsOfCreate', recordsPerCreateMax, 'records', 'Records in one create.'),
    limit('documentEvents', documentEventsMax, 'events', 'Events in an EPCIS document.'),
    limit('productLines', productLinesMax, 'lines', 'Product lines of an event.'),
    limit('products', productsMax, 'products', 'Products in a list.'),
    limit('locations', locationsMax, 'locations', 'Locations in a list.'),
    limit('listEntries', listEntriesMax, 'entries', 'Entries of all lists of a body together.'),
    limit('objects', nestedPartsMax, 'objects', 'Objects and lists of a body together.'),
    limit('objectNames', objectNamesMax, 'names', 'Names in one object of a body.'),
    limit('stringLength', stringLengthMax, 'characters', 'Characters (Unicode code points) in a string.'),
    limit('nesting', nestingDepthMax, 'levels', 'Levels of nesting; the body itself is the first.'),
    limit('findings', findingsMax, 'findings', 'Findings listed in an answer; findingCount counts all.'),
    limit('pageEntries', limitMax, 'entries', 'Entries on a page.'),
    limit('parameterValues', parameterValuesMax, 'values', 'Values of a query parameter that can be repeated.'),
    limit('pageBytes', pageBytesMax, 'bytes', 'Size of all records of a page. A larger record gets its own page.'),
    limit('exportEvents', exportEventsMax, 'events', 'Events in one export.'),
    limit('exportLines', exportLinesMax, 'lines', 'Product lines in one export.'),
    limit('traceEvents', traceEventsMax, 'events', 'Events with the lot in one trace.'),
    limit('traceLinesRead', traceLinesReadMax, 'lines', 'Product lines read for one trace.'),
    limit('traceLines', traceLinesMax, 'lines', 'Lines of the lot in one trace.'),
    limit('completenessMonths', periodMonthsMax, 'months', 'Calendar months that completeness covers at once.'),
    limit('completenessEvents', countedEventsMax, 'events', 'Events that completeness counts at once.'),
    limit('eventDays', daysMax, 'days', 'Days that events by day cover at once.'),
    limit('idempotencyKey', idempotencyKeyLengthMax, 'characters', 'Length of an Idempotency-Key.'),
    limit('idempotencyKeyLife', rememberedDaysMin, 'days', 'Minimum time for which an Idempotency-Key is remembered.'),
    limit('legalHolds', standingHoldsMax, 'holds', 'Active legal holds of a provider.'),
    limit('planText', planTextMax, 'characters', 'Each description in the traceability plan.'),
    limit('planVersions', planVersionsMax, 'versions', 'Versions of the traceability plan of a provider.'),
    limit('packageLinks', openLinksMax, 'links', 'Open package links of a provider.'),
    limit('packageLinkLife', linkHours.max, 'hours', 'Longest time for which a package link opens.'),
    limit('packageLinkCodes', wrongCodesMax, 'codes', 'Wrong codes after which a package link opens nothing.'),
    limit('packageLinkCodesPerMinute', linkCodesPerMinuteMax, 'codes', 'Codes that a package link takes in a minute.'),
    limit('webhooks', webhooksMax, 'webhooks', 'Webhooks of a provider.'),
    limit('webhookChanges', batchChangesMax, 'changes', 'Changes in one message of a webhook.'),
    limit('webhookMessage', messageBytesMax, 'bytes', 'Records in one message of a webhook together.'),
    limit('webhookRecord', recordBytesMax, 'bytes', 'A record in a message of a webhook; a larger one is left out.'),
    limit('webhookDelivery', deliveryMsMax, 'ms', 'Time in which a receiver answers a message.'),
    limit('webhookAttempts', attemptsKept, 'attempts', 'Attempts of a webhook that are kept, of 30 days.'),
    limit('sessionsOfKey', sessionsOfKeyMax, 'sessions', 'Sessions of a key; a further one ends the oldest.'),
    limit('session', sessionHours.untilClosed.life, 'hours', 'Time for which a session lasts.'),
    limit('idleSession', sessionHours.untilClosed.idle, 'hours', 'Time without use after which a session ends.'),
    limit('keptSession', sessionHours.kept.life, 'hours', 'Time for which a session lasts that the browser keeps.'),
    limit(
      'idleKeptSession',
      sessionHours.kept.idle,
      'hours',
      'Time without use after which a session ends that the browser keeps.',
    ),
    limit('headers', headersBytesMax, 'bytes', 'Headers of a request.'),
    limit('requestArrival', arrivalMsMax, 'ms', 'Time for a request to arrive.'),
    limit('headersArrival', headersMsMax, 'ms', 'Time for the headers of a request to arrive.'),
    limit('keepAlive', keepAliveMsMax, 'ms', 'Time a connection stays open between two requests.'),
    limit('silence', silenceMsMax, 'ms', 'Idle time of a connection during a request, after which it is closed.'),
    limit('statement', statementMsMax, 'ms', 'Time for a statement of the database.'),
    limit('connectionWait', connectionWaitMsMax, 'ms', 'Waiting time for a connection to PostgreSQL.'),
    limit('requestsOfKey', set.requestsPerMinute, 'requests per minute', 'Requests of a key.', 'RATE_LIMIT_PER_MINUTE'),
    limit(
      'failedSignIns',
      set.failedSignInsPerMinute,
      'requests per minute',
      'Requests without a valid key from one address, or one /64 network of IPv6.',
      'FAILED_SIGN_INS_PER_MINUTE',
    ),
    limit('connections', connectionsMax, 'connections', 'Connections of one process.'),
    limit('requestsAtWork', requestsAtWorkMax, 'requests', 'Requests processed at once in one process.'),
    limit('changeWait', changeWaitSecondsMax, 'seconds', 'Time for which a call waits for changes.'),
    limit(
      'changeStream',
      set.changeStreamMsMax,
      'ms',
      'Time after which a stream of changes ends, and its reader connects again.',
    ),
    limit(
      'changeListeners',
      changeListenersMax,
      'callers',
      'Callers that one process lets wait for changes, streams included.',
    ),
    limit(
      'changeListenersOfProvider',
      changeListenersOfProviderMax,
      'callers',
      'Callers of one provider that one process lets wait for changes.',
    ),
    limit('largePages', largePagesAtOnceMax, 'pages', 'Pages larger than 1 MiB that one process sends at once.'),
    limit(
      'largePagesOfProvider',
      largePagesOfProviderMax,
      'pages',
      'Pages larger than 1 MiB that one process sends at once for one provider.',
    ),
    limit(
      'largePageWait',
      largePageWaitMsMax,
      'ms',
      'Waiting time of a large page for its turn, after which the answer is 503.',
    ),
    limit('bodiesAtOnce', set.bodyBytesAtOnceMax, 'bytes', 'Bodies in one process at once.', 'BODY_LIMIT_BYTES'),
    limit('waitingWrites', waitingWritesMax, 'writes', 'Writes of a provider waiting for the database in one process.'),
    limit('waitingBytes', waitingBytesMax, 'bytes', 'Writes of all providers waiting for the database in one process.'),
    limit('lateness', lateMsMax, 'ms', 'Event loop delay at which a process starts to reject requests.'),
  ]
}

export const listLimits =
  ({ limits }: HandlerContext) =>
  async (): Promise<Answer<'listed'>> => ({ outcome: 'listed', body: { content: limitsOf(limits) } })
