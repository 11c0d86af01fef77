// Creates a webhook, and then shows its key.
import { useState } from 'preact/hooks'
import type { NewWebhook, WebhookWithSecret } from '../../../client/generated/shapes.ts'
import { WebhookForm } from '../../parts/changes/webhook-form.tsx'
import { MadeWebhookKey } from '../../parts/changes/webhook-key.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { go } from '../../state/frame/address.ts'
import { useOpenSession } from '../../state/frame/session.ts'

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
