// Webhooks: where changes and alerts are sent, and the state of each. For administrators.
import type { Webhook } from '../../../client/generated/shapes.ts'
import { WebhookState } from '../../parts/changes/webhook-state.tsx'
import { Instant } from '../../parts/frame/instant.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import type { Column } from '../../records/drawn-column.ts'
import { sentWords, waitingWords, webhookName } from '../../records/webhook-words.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { useAnswer } from '../../state/frame/request.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'

export function WebhooksPage() {
  const { own } = useOpenSession()
  const mayManage = useMay('administrator')
  return (
    <>
      <PageHead
        title="Webhooks"
        actions={
          mayManage && (
            <a class="button main" href={hrefTo('/webhooks/new')}>
              New webhook
            </a>
          )
        }
      >
        <p class="quiet">
          The service sends changes of records and alerts to these addresses, in order and signed. It repeats a message
          until the receiver has answered.
        </p>
      </PageHead>
      {mayManage ? (
        <AllWebhooks />
      ) : (
        <p class="callout">Only an administrator key can see and change webhooks. Yours is a {own.role} key.</p>
      )}
    </>
  )
}

function AllWebhooks() {
  const asked = useAnswer((api, signal) => api.listWebhooks({ signal }), [])
  return (
    <When asked={asked} what="the webhooks">
      {({ content }) =>
        content.length === 0 ? (
          <Empty title="There is no webhook yet">
            <p>
              A webhook tells another program about each change within seconds, without that program asking. To look at
              changes yourself, open <a href={hrefTo('/changes')}>Changes</a>.
            </p>
          </Empty>
        ) : (
          <DataTable label="Webhooks" columns={columns} rows={content} keyOf={({ id }) => id} />
        )
      }
    </When>
  )
}

const columns: readonly Column<Webhook>[] = [
  {
    heading: 'Webhook',
    cell: (webhook) => (
      <>
        <a href={hrefTo(`/webhooks/${webhook.id}`)}>
          <bdi>{webhookName(webhook)}</bdi>
        </a>
        <bdi class="quiet small">{webhook.url}</bdi>
      </>
    ),
  },
  { heading: 'State', cell: (webhook) => <WebhookState webhook={webhook} /> },
  {
    heading: 'Waiting',
    cell: (webhook) => <span class={webhook.changesBehind === 0 ? 'quiet' : undefined}>{waitingWords(webhook)}</span>,
  },
  { heading: 'Sends', cell: ({ types }) => sentWords(types) },
  {
    heading: 'Last delivered',
    cell: ({ lastDeliveredDateTime }) => <Instant instant={lastDeliveredDateTime} toSecond />,
  },
]
