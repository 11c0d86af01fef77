// Alerts: open ones, ended ones, settings, and where they are sent.
import type { AlertSettings, Webhook } from '../../../client/generated/shapes.ts'
import { alertTypes } from '../../../contract/alerts.ts'
import { alertSettingRanges } from '../../../operations/vendors/alerts.ts'
import { Form } from '../../parts/fields/form.tsx'
import { type SettingField, SettingFields } from '../../parts/fields/setting-fields.tsx'
import { Instant } from '../../parts/frame/instant.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, Loading, When } from '../../parts/frame/states.tsx'
import { GuardedEdit } from '../../parts/records/guarded-edit.tsx'
import { PagedTable } from '../../parts/tables/paged-table.tsx'
import { Tabs } from '../../parts/tables/tabs.tsx'
import { type Alert, AlertWords, BrokenOffImports } from '../../parts/vendors/alert-list.tsx'
import type { Column } from '../../records/drawn-column.ts'
import { typesOf, webhookName } from '../../records/webhook-words.ts'
import { hrefTo } from '../../state/frame/address.ts'
import type { Edited } from '../../state/frame/guarded-save.ts'
import { usePaged } from '../../state/frame/paged.ts'
import { type RequestState, useRequest } from '../../state/frame/request.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import type { PageProps } from '../frame/page.ts'

const path = '/alerts'

export function AlertsPage({ query }: PageProps) {
  const { api } = useOpenSession()
  const mayManage = useMay('administrator')
  const withEnded = query.get('ended') === 'true'
  const alerts = usePaged(
    (api, options) => api.listAlerts({ ...options, ...(!withEnded && { open: true }) }),
    [withEnded],
  )
  const settings = useRequest(async (signal) => {
    const { body, version = 0 } = await api.readAlertSettings({ signal })
    return { content: setAlertsOf(body), version }
  }, [])
  const webhooks = useRequest(
    async (signal) => (mayManage ? (await api.listWebhooks({ signal })).body.content : []),
    [mayManage],
  )
  // Drawn together, because parts that load one by one would push each other down.
  const isWaiting = [alerts.asked, settings, webhooks].some(({ is }) => is === 'asking')
  return (
    <>
      <PageHead title="Alerts">
        <p class="quiet">The service looks every few minutes. An alert ends by itself once its reason is gone.</p>
        <Tabs
          label="Which alerts"
          tabs={[
            { words: 'Open', path, isHere: !withEnded },
            { words: 'Open and ended', path: `${path}?ended=true`, isHere: withEnded },
          ]}
        />
      </PageHead>
      {isWaiting ? (
        <Loading what="the alerts" />
      ) : (
        <>
          <PagedTable
            paged={alerts}
            noun="alert"
            newestFirst
            label="Alerts"
            columns={columns}
            keyOf={({ number }) => number}
            empty={
              <Empty title={withEnded ? 'There has been no alert' : 'No alert is open'}>
                <p>
                  Alerts report vendors below their target, silent or refused more than usual, checkpoints that are
                  overdue, webhooks and copies for partners that fail, imports of archives that broke off, and records
                  whose retention time is over.
                </p>
              </Empty>
            }
          />
          <BrokenOffImports />
          <div class="sections">
            <Settings asked={settings} mayManage={mayManage} />
            {mayManage && <Receivers asked={webhooks} />}
          </div>
        </>
      )}
    </>
  )
}

const columns: readonly Column<Alert>[] = [
  { heading: 'What', class: 'sentence', cell: (alert) => <AlertWords alert={alert} /> },
  {
    heading: 'Began',
    cell: ({ begunDateTime }) => <Instant instant={begunDateTime} toSecond />,
  },
  {
    heading: 'State',
    cell: ({ endedDateTime }) =>
      endedDateTime === null ? (
        <span class="tag error">open</span>
      ) : (
        <>
          <span class="tag added">ended</span> <Instant instant={endedDateTime} toSecond />
        </>
      ),
  },
]

const typeWords: Readonly<Record<(typeof alertTypes)[number], string>> = {
  'alert.completenessBelowTarget': 'A vendor is below its target',
  'alert.vendorSilent': 'A vendor is silent',
  'alert.refusalsAboveNormal': 'More is refused than usual',
  'alert.checkpointOverdue': 'A checkpoint is overdue',
  'alert.webhookFailing': 'A webhook fails',
  'alert.copiesFailing': 'Copies for partners fail',
  'alert.importBrokenOff': 'The import of an archive breaks off',
  'alert.retentionDue': 'Records are older than the retention time',
}

type SetAlerts = Pick<AlertSettings, 'switchedOff' | 'checkpointOverdueMinutes' | 'retentionDueVersions'>

const setAlertsOf = ({ switchedOff, checkpointOverdueMinutes, retentionDueVersions }: AlertSettings): SetAlerts => ({
  switchedOff,
  checkpointOverdueMinutes,
  retentionDueVersions,
})

interface SettingsProps {
  readonly asked: RequestState<Edited<SetAlerts>>
  readonly mayManage: boolean
}

/** Which alerts are raised, and at which thresholds. */
function Settings({ asked, mayManage }: SettingsProps) {
  const { api } = useOpenSession()
  const read = async () => {
    const { body, version = 0 } = await api.readAlertSettings()
    return { content: setAlertsOf(body), version }
  }
  return (
    <section aria-labelledby="alert-settings">
      <h2 id="alert-settings">Which alerts are raised</h2>
      <When asked={asked} what="the settings">
        {(start) => (
          <GuardedEdit<SetAlerts>
            key={start.version}
            noun="setting of alerts"
            start={start}
            read={read}
            send={(body, version) => api.setAlertSettings({ body, ifMatch: version })}
            onSaved={() => {
              say('The alerts are set')
              asked.again()
            }}
          >
            {({ content, save }) => <AlertForm set={content} mayManage={mayManage} onSave={save} />}
          </GuardedEdit>
        )}
      </When>
      <p class="quiet">
        For vendors, the <a href={hrefTo('/targets')}>targets</a> are the thresholds.
      </p>
    </section>
  )
}

const threshold = { type: 'number', min: '1', step: '1', required: true } as const

const thresholdFields: readonly SettingField[] = [
  {
    ...threshold,
    name: 'checkpointOverdueMinutes',
    label: 'Checkpoint alert after (minutes)',
    max: alertSettingRanges.checkpointOverdueMinutes,
  },
  {
    ...threshold,
    name: 'retentionDueVersions',
    label: 'Retention alert from (versions)',
    max: alertSettingRanges.retentionDueVersions,
  },
]

interface AlertFormProps {
  readonly set: SetAlerts
  readonly mayManage: boolean
  readonly onSave: (set: SetAlerts) => Promise<void>
}

function AlertForm({ set, mayManage, onSave }: AlertFormProps) {
  const send = (text: (name: string) => string, form: HTMLFormElement) => {
    const raised = new FormData(form).getAll('raised')
    return onSave({
      switchedOff: alertTypes.filter((type) => !raised.includes(type)),
      checkpointOverdueMinutes: Number(text('checkpointOverdueMinutes')),
      retentionDueVersions: Number(text('retentionDueVersions')),
    })
  }
  const fields = (
    <>
      <fieldset class="type-group" disabled={!mayManage}>
        <legend class="hidden">Alerts</legend>
        {alertTypes.map((type) => (
          <label key={type} class="check">
            <input type="checkbox" name="raised" value={type} defaultChecked={!set.switchedOff.includes(type)} />
            <span>{typeWords[type]}</span>
          </label>
        ))}
      </fieldset>
      <SettingFields form="alerts" fields={thresholdFields} values={set} disabled={!mayManage} />
    </>
  )
  return mayManage ? (
    <Form
      class="new-key alert-form"
      aria-labelledby="alert-settings"
      words="Save alerts"
      busyWords="Saving…"
      onSend={send}
    >
      {fields}
    </Form>
  ) : (
    <div class="new-key alert-form">{fields}</div>
  )
}

/** The webhooks that get alerts. */
function Receivers({ asked }: { readonly asked: RequestState<readonly Webhook[]> }) {
  return (
    <section aria-labelledby="receivers">
      <h2 id="receivers">Where alerts are sent</h2>
      <When asked={asked} what="the webhooks">
        {(webhooks) => {
          const receivers = webhooks.filter(({ types }) =>
            [...typesOf(types)].some((type) => type.startsWith('alert.')),
          )
          return receivers.length === 0 ? (
            <p>
              Nowhere yet. A <a href={hrefTo('/webhooks/new')}>new webhook</a> with “Alerts” sends them to a chat, a
              ticket system or any other program.
            </p>
          ) : (
            <ul>
              {receivers.map((webhook) => (
                <li key={webhook.id}>
                  <a href={hrefTo(`/webhooks/${webhook.id}`)}>
                    <bdi>{webhookName(webhook)}</bdi>
                  </a>
                </li>
              ))}
            </ul>
          )
        }}
      </When>
    </section>
  )
}
