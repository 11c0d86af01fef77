// The key of a webhook, which its receiver needs to verify messages.
import type { WebhookWithSecret } from '../../../client/generated/shapes.ts'
import { copy } from '../../files/clipboard.ts'

interface Props {
  readonly title: string
  readonly made: WebhookWithSecret
  readonly onDone: () => void
  readonly doneWords: string
}

/** A new key. A secret is shown once; a public key stays on the page of the webhook. */
export function MadeWebhookKey({ title, made: { secret, publicKey }, onDone, doneWords }: Props) {
  const value = secret ?? publicKey ?? ''
  return (
    <section class="callout fine made-key" tabIndex={-1} data-arrival aria-labelledby="made-webhook-key">
      <h2 id="made-webhook-key">{title}</h2>
      {secret !== null ? (
        <p>
          <strong>Copy the secret now. It is shown only once.</strong> Anyone who has it can sign messages as this
          service does. Pass it on privately.
        </p>
      ) : (
        <p>Give this public key to the receiver. It verifies with it that messages come from this service.</p>
      )}
      <p>
        <code class="whole-key">{value}</code>
      </p>
      <p class="actions">
        <button type="button" class="main" onClick={() => copy(value, 'Key')}>
          Copy key
        </button>
        <button type="button" onClick={onDone}>
          {doneWords}
        </button>
      </p>
    </section>
  )
}
