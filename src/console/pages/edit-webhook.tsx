// Changes address, messages and filters of a webhook. What was delivered is not sent again.
import type { WebhookSettings } from '../../client/generated/shapes.ts'
import { PageHead } from '../parts/page-head.tsx'
import { When } from '../parts/states.tsx'
import { WebhookForm } from '../parts/webhook-form.tsx'
import { webhookName } from '../records/webhook-words.ts'
import { go } from '../state/address.ts'
import { say } from '../state/notices.ts'
import { useRequest } from '../state/request.ts'
import { useOpenSession } from '../state/session.ts'
import type { PageProps } from './page.ts'

export function EditWebhookPage({ values: { id = '' } }: PageProps) {
  const { api } = useOpenSession()
  const asked = useRequest(async (signal) => (await api.readWebhook({ id, signal })).body, [id])
  const known = asked.is === 'answered' ? asked.value : undefined
  const save = async (body: WebhookSettings) => {
    await api.replaceWebhook({ id, body })
    say('The webhook is saved')
    go(`/webhooks/${id}`)
  }
  return (
    <>
      <PageHead title={known === undefined ? 'Edit webhook' : `Edit ${webhookName(known)}`} />
      <When asked={asked} what="the webhook">
        {(webhook) => (
          <WebhookForm
            known={webhook}
            words="Save"
            busyWords="Saving…"
            onSend={save}
            onCancel={() => go(`/webhooks/${id}`)}
          />
        )}
      </When>
    </>
  )
}
