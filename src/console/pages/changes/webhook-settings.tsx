// Creates a webhook and then shows its key, or changes address, messages and filters of one.
// Delivered messages are not sent again.

import { useState } from 'preact/hooks'
import type { NewWebhook, WebhookSettings, WebhookWithSecret } from '../../../client/generated/shapes.ts'
import { WebhookForm } from '../../parts/changes/webhook-form.tsx'
import { MadeWebhookKey } from '../../parts/changes/webhook-key.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { When } from '../../parts/frame/states.tsx'
import { GuardedEdit } from '../../parts/records/guarded-edit.tsx'
import { webhookName, webhookSettings } from '../../records/webhook-words.ts'
import { go } from '../../state/frame/address.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import type { PageProps } from '../frame/page.ts'

export function NewWebhookPage() {
  const { api } = useOpenSession()
  const [made, setMade] = useState<WebhookWithSecret>()
  const create = async (body: NewWebhook) => setMade((await api.createWebhook({ body })).body)
  return (
    <>
      <PageHead title="New webhook" />
      {made === undefined ? (
        <WebhookForm words="Create webhook" busyWords="Creating…" onSend={create} onCancel={() => go('/webhooks')} />
      ) : (
        <MadeWebhookKey
          title="The webhook is created"
          made={made}
          doneWords="Open webhook"
          onDone={() => go(`/webhooks/${made.id}`)}
        />
      )}
    </>
  )
}

export function EditWebhookPage({ values: { id = '' } }: PageProps) {
  const { api } = useOpenSession()
  const read = async (signal?: AbortSignal) => {
    const { body, version = 1 } = await api.readWebhook({ id, signal })
    return { webhook: body, content: webhookSettings(body), version }
  }
  const asked = useRequest(read, [id])
  const known = asked.is === 'answered' ? asked.value.webhook : undefined
  return (
    <>
      <PageHead title={known === undefined ? 'Edit webhook' : `Edit ${webhookName(known)}`} />
      <When asked={asked} what="the webhook">
        {(start) => (
          <GuardedEdit<WebhookSettings>
            noun="webhook"
            start={start}
            read={read}
            send={(body, version) => api.replaceWebhook({ id, body, ifMatch: version })}
            onSaved={() => {
              say('The webhook is saved')
              go(`/webhooks/${id}`)
            }}
          >
            {({ content, save }) => (
              <WebhookForm
                known={content}
                words="Save"
                busyWords="Saving…"
                onSend={save}
                onCancel={() => go(`/webhooks/${id}`)}
              />
            )}
          </GuardedEdit>
        )}
      </When>
    </>
  )
}
