// The state of a webhook, as a tag.
import type { Webhook } from '../../../client/generated/shapes.ts'
import { Instant } from '../frame/instant.tsx'

export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const { state, failingSinceDateTime, lastDeliveredDateTime } = webhook
  if (state === 'disabled') return <span class="tag removed">disabled</span>
  if (failingSinceDateTime === null)
    return lastDeliveredDateTime === null ? (
      <span class="tag replaced">waiting for its first message</span>
    ) : (
      <span class="tag added">working</span>
    )
  return (
    <>
      <span class="tag error">failing</span>{' '}
      <span class="quiet small">
        since <Instant instant={failingSinceDateTime} toSecond />
      </span>
    </>
  )
}
