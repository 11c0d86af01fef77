// Alerts: values below their target, beyond their threshold or overdue, from when to when; and the
// settings of a provider for them. Decided in 0073.

import type { Static, TProperties } from 'typebox'
import { type AlertType, alertTypes, dueVersionsMax } from '../../contract/alerts.ts'
import { choice, list, number, object, optional } from '../../contract/shape/field.ts'
import { Type } from '../../contract/shape/type.ts'
import { capitalize } from '../../contract/text/capitalize.ts'
import { nextCursor, vendorName } from '../base/bodies.ts'
import { conditionHeaders, type Operation, staleEdit, taggedRead, unmodified } from '../base/operation.ts'
import { paging } from '../base/query.ts'

/** Days of events, up to the newest one, whose lines are compared with the target. */
export const alertedDays = 30
/** Days whose refusals are compared with those of the days before. */
export const refusalDays = 7
export const usualRefusalDays = 28
/** Fewer refusals are never above normal. */
export const refusalsMin = 5
/**
 * Minutes after which work that fails or has stopped is an alert: most receivers are back earlier.
 */
export const failingMinutes = 15
/** Alerts of one type that are open at once. */
export const openAlertsMax = 1_000

/** Settings of a provider that has set none. */
export const defaultAlertSettings = { switchedOff: [], checkpointOverdueMinutes: 10, retentionDueVersions: 1 } as const

const minutesMax = 10_080

const alert = <const T extends AlertType, P extends TProperties>(type: T, data: P) => {
  const name = type.slice('alert.'.length)
  const title = capitalize(name)
  return Type.Object(
    {
      number: Type.Integer({ description: 'Names the alert among those of the provider. Later ones are greater.' }),
      type: Type.Literal(type),
      dataProviderVendorId: Type.Union([Type.String(), Type.Null()], {
        description: 'The vendor; null where it concerns all vendors, or none.',
      }),
      dataProviderVendorName: vendorName,
      begunDateTime: Type.String({ description: 'When it was found first, in UTC.' }),
      endedDateTime: Type.Union([Type.String(), Type.Null()], {
        description: 'When it was not found any more, in UTC; null while it is open.',
      }),
      data: Type.Object(data, {
        title: `${title}Data`,
        description: 'The numbers behind it, as they were when it was found last.',
        additionalProperties: false,
      }),
    },
    { title: `${title}Alert`, additionalProperties: false },
  )
}

const CompletenessBelowTarget = alert('alert.completenessBelowTarget', {
  share: Type.Number({ description: `Share of complete lines of the ${alertedDays} days up to the newest event.` }),
  target: Type.Number({ description: 'Share that should be complete.' }),
  incompleteLines: Type.Integer({ description: 'Lines that are not complete.' }),
  records: Type.String({ description: 'Path and query of the list of events behind it. Send it unchanged.' }),
})
const VendorSilent = alert('alert.vendorSilent', {
  lastEventDate: Type.Union([Type.String(), Type.Null()], {
    description: 'Date of its last event; null when it has none in the last 12 months.',
  }),
  silentDays: Type.Integer({ description: 'Days after which the vendor counts as silent.' }),
})
const RefusalsAboveNormal = alert('alert.refusalsAboveNormal', {
  refusals: Type.Integer({ description: `Refusals of the last ${refusalDays} days.` }),
  usual: Type.Number({
    description: `Refusals of a usual week: the average of the ${usualRefusalDays} days before, at least 1.`,
  }),
  factor: Type.Number({ description: 'So many times the usual are too many.' }),
})
const CheckpointOverdue = alert('alert.checkpointOverdue', {
  versions: Type.Integer({ description: 'Versions without a checkpoint.' }),
  awaitingSince: Type.String({ description: 'Since when the oldest of them waits, in UTC.' }),
  minutes: Type.Integer({ description: 'Minutes after which a checkpoint is overdue.' }),
})
const WebhookFailing = alert('alert.webhookFailing', {
  webhooks: Type.Integer({
    description: `Webhooks that the service could not send to for ${failingMinutes} minutes, or that it gave up.`,
  }),
  failingSince: Type.String({ description: 'Since when the first of them fails, in UTC.' }),
})
const CopiesFailing = alert('alert.copiesFailing', {
  failingSince: Type.String({
    description: `Since when copies for partners fail, in UTC: for ${failingMinutes} minutes or longer. What partners see may be out of date.`,
  }),
})
const ImportBrokenOff = alert('alert.importBrokenOff', {
  lastPartDateTime: Type.String({
    description: `When the last part of the import of an archive came, in UTC: ${failingMinutes} minutes ago or longer. It continues when the archive is imported again.`,
  }),
})
const RetentionDue = alert('alert.retentionDue', {
  versions: Type.Integer({
    description: `Versions that are older than the retention time and that no legal hold covers, counted up to ${dueVersionsMax.toLocaleString('en-US')}.`,
  }),
  retentionYears: Type.Integer({ description: 'Years for which records are kept at least.' }),
})

const Alert = Type.Union([
  CompletenessBelowTarget,
  VendorSilent,
  RefusalsAboveNormal,
  CheckpointOverdue,
  WebhookFailing,
  CopiesFailing,
  ImportBrokenOff,
  RetentionDue,
])
export type Alert = Static<typeof Alert>

const AlertPage = Type.Object(
  {
    content: Type.Array(Alert),
    nextCursor,
    lookedDateTime: Type.Union([Type.String(), Type.Null()], {
      description: 'When the service last looked for alerts, in UTC; null while a look is due.',
    }),
    isCurrent: Type.Boolean({
      description: 'Whether nothing was stored, refused or recounted since that look. The next look sees what was.',
    }),
  },
  { title: 'AlertPage', additionalProperties: false },
)

const cites = 'decision 0073'

const listAlerts = {
  name: 'listAlerts',
  method: 'GET',
  path: '/alerts',
  cites,
  summary: 'Lists alerts, newest first: what is below its target, beyond its threshold or overdue.',
  description: `Vendors whose lines of the last ${alertedDays} days are less complete than their target; expected vendors that have been silent too long; refusals of the last ${refusalDays} days above normal, in all and by vendor, counted among the last 1,000 that are kept; versions that wait too long for a checkpoint; webhooks and copies for partners that fail; an import of an archive that broke off; versions older than the retention time. The service looks every few minutes. An alert begins when it is found first and ends when it is not found any more. At most ${openAlertsMax.toLocaleString('en-US')} of a type are open at once, and one that ended is kept for a year. \`setVendorTargets\` sets targets and thresholds of vendors, \`setAlertSettings\` the others.`,
  role: 'reader',
  topic: 'alerts',
  query: {
    open: {
      form: 'boolean',
      meaning: 'Only alerts that have not ended, or with `false` only those that have.',
      example: 'true',
    },
    type: {
      form: 'choice',
      values: ['all', ...alertTypes],
      meaning: 'Only alerts of this type.',
      example: 'alert.vendorSilent',
    },
    ...paging,
  },
  headers: [],
  outcomes: { listed: { status: 200, when: 'The page; it may be empty.', body: AlertPage, retry: 'never' } },
} as const satisfies Operation

const section = '8'
const settings = {
  switchedOff: {
    meaning: 'Types of alerts that are not raised. An open alert of such a type ends.',
    example: ['alert.retentionDue'],
    section,
  },
  checkpointOverdueMinutes: {
    meaning: `Minutes after which a version without a checkpoint is overdue, 1 to ${minutesMax}; never less than twice the time between checkpoints.`,
    example: 30,
    section,
  },
  retentionDueVersions: {
    meaning: `Versions older than the retention time that make an alert, 1 to ${dueVersionsMax}.`,
    example: 100,
    section,
  },
} as const

export const alertSettingRanges = {
  checkpointOverdueMinutes: minutesMax,
  retentionDueVersions: dueVersionsMax,
} as const

const NewAlertSettings = object('NewAlertSettings', {
  switchedOff: optional(
    list(
      choice(alertTypes, { meaning: 'A type of alert.', example: 'alert.retentionDue', section }),
      settings.switchedOff,
      {
        maxItems: alertTypes.length,
      },
    ),
  ),
  checkpointOverdueMinutes: optional(number(settings.checkpointOverdueMinutes)),
  retentionDueVersions: optional(number(settings.retentionDueVersions)),
})

const AlertSettings = Type.Object(
  {
    switchedOff: Type.Array(Type.Enum([...alertTypes]), { description: settings.switchedOff.meaning }),
    checkpointOverdueMinutes: Type.Integer({ description: settings.checkpointOverdueMinutes.meaning }),
    retentionDueVersions: Type.Integer({ description: settings.retentionDueVersions.meaning }),
    setDateTime: Type.Union([Type.String(), Type.Null()], {
      description: 'When they were set, in UTC; null while they are those of the program.',
    }),
    setBy: Type.Union([Type.String(), Type.Null()], { description: 'Id of the key that set them.' }),
  },
  { title: 'AlertSettings', additionalProperties: false },
)
export type AlertSettingsBody = Static<typeof AlertSettings>

const shared = { path: '/alert-settings', cites, topic: 'alerts', headers: [], query: {} } as const

const readAlertSettings = {
  ...shared,
  ...taggedRead,
  name: 'readAlertSettings',
  method: 'GET',
  summary: 'Reads which alerts are raised, and at which thresholds.',
  description: 'The thresholds of vendors are in `listVendorTargets`.',
  role: 'reader',
  outcomes: {
    unmodified,
    found: { status: 200, when: 'Always.', body: AlertSettings, retry: 'never' },
  },
} as const satisfies Operation

const setAlertSettings = {
  ...shared,
  headers: conditionHeaders,
  name: 'setAlertSettings',
  method: 'PUT',
  summary: 'Sets which alerts are raised, and at which thresholds.',
  description:
    'Replaces all settings: what the request omits takes the value of the program, which raises all alerts. The service looks for alerts again at once.',
  role: 'administrator',
  body: NewAlertSettings,
  outcomes: {
    refused: {
      status: 422,
      when: 'A type is unknown, or a number is out of range. Nothing is set.',
      retry: 'changed',
    },
    stale: staleEdit,
    set: { status: 200, when: 'All settings are set.', body: AlertSettings, retry: 'never' },
  },
} as const satisfies Operation

export const alertOperations = { listAlerts, readAlertSettings, setAlertSettings }
