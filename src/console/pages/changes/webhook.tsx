// One webhook: its state, its attempts with their answers, and its actions.
import { useEffect, useState } from 'preact/hooks'
import type { Webhook, WebhookAttempt, WebhookWithSecret } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { copy } from '../../files/clipboard.ts'
import { ReplayWebhook } from '../../parts/changes/replay-webhook.tsx'
import { MadeWebhookKey } from '../../parts/changes/webhook-key.tsx'
import { WebhookState } from '../../parts/changes/webhook-state.tsx'
import { Confirmation } from '../../parts/frame/confirmation.tsx'
import { Instant } from '../../parts/frame/instant.tsx'
import { Modal } from '../../parts/frame/modal.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { FactList } from '../../parts/tables/fact-list.tsx'
import { PagedTable } from '../../parts/tables/paged-table.tsx'
import { Tabs } from '../../parts/tables/tabs.tsx'
import type { Column } from '../../records/drawn-column.ts'
import { messageWords, sentWords, waitingWords, webhookName } from '../../records/webhook-words.ts'
import { go, hrefTo } from '../../state/frame/address.ts'
import { atReadVersion } from '../../state/frame/guarded-save.ts'
import { usePaged } from '../../state/frame/paged.ts'
import { useVersionedAnswer } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import { durationWords } from '../../words/drills.ts'
import { failureSentence } from '../../words/failure-words.ts'
import type { PageProps } from '../frame/page.ts'

/** How often the page loads the webhook again, in milliseconds. */
const askedEveryMs = 5_000

export function WebhookPage({ values: { id = '' }, query }: PageProps) {
  const onlyFailed = query.get('failed') === 'true'
  const [looks, setLooks] = useState(0)
  const asked = useVersionedAnswer((api, signal) => api.readWebhook({ id, signal }), [id])
  const webhook = asked.is === 'answered' ? asked.value : undefined
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden) return
      asked.again()
      setLooks((count) => count + 1)
    }, askedEveryMs)
    return () => clearInterval(timer)
  }, [id])
  const again = () => {
    asked.again()
    setLooks((count) => count + 1)
  }
  return (
    <>
      <PageHead
        title={webhook === undefined ? 'Webhook' : webhookName(webhook)}
        actions={webhook && <Actions webhook={webhook} onDone={again} />}
      >
        <p class="quiet">
          <a href={hrefTo('/webhooks')}>All webhooks</a>
        </p>
      </PageHead>
      <When asked={asked} what="the webhook">
        {(one) => (
          <div class="sections">
            <Facts webhook={one} />
            <section aria-labelledby="attempts">
              <h2 id="attempts">Attempts</h2>
              <Tabs
                label="Which attempts"
                tabs={[
                  { words: 'All', path: `/webhooks/${id}`, isHere: !onlyFailed },
                  { words: 'Failed', path: `/webhooks/${id}?failed=true`, isHere: onlyFailed },
                ]}
              />
              <Attempts id={id} onlyFailed={onlyFailed} looks={looks} />
            </section>
          </div>
        )}
      </When>
    </>
  )
}

interface ActionProps {
  readonly webhook: Webhook & { readonly version: number }
  readonly onDone: () => void
}

function Actions({ webhook, onDone }: ActionProps) {
  const { api } = useOpenSession()
  const [question, setQuestion] = useState<'replay' | 'rotate' | 'delete'>()
  const [busy, setBusy] = useState<'test' | 'resume'>()
  const { id, state, failingSinceDateTime } = webhook
  const close = () => setQuestion(undefined)
  const run = async (what: 'test' | 'resume', work: () => Promise<void>) => {
    setBusy(what)
    try {
      await work()
    } catch (error) {
      say(failureSentence(error), 'failed')
    }
    setBusy(undefined)
    onDone()
  }
  const test = async () => {
    const { outcome, status, error, seconds } = (await api.testWebhook({ id, body: {} })).body
    if (outcome === 'delivered') say(`The receiver took the test message: ${status} in ${durationWords(seconds)}`)
    else say(`The test message failed. ${error ?? ''}`, 'failed')
  }
  const resume = async () => {
    await api.resumeWebhook({ id, body: {} })
    say('The webhook continues where it stopped')
  }
  return (
    <>
      {(state === 'disabled' || failingSinceDateTime !== null) && (
        <button type="button" class="main" disabled={busy !== undefined} onClick={() => run('resume', resume)}>
          {state === 'disabled' ? 'Resume' : 'Try again now'}
        </button>
      )}
      <button type="button" disabled={busy !== undefined} onClick={() => run('test', test)}>
        {busy === 'test' ? 'Sending…' : 'Send test'}
      </button>
      <button type="button" onClick={() => setQuestion('replay')}>
        Replay…
      </button>
      <a class="button" href={hrefTo(`/webhooks/${id}/edit`)}>
        Edit
      </a>
      <button type="button" onClick={() => setQuestion('rotate')}>
        Rotate key…
      </button>
      <button type="button" onClick={() => setQuestion('delete')}>
        Delete…
      </button>
      {question === 'replay' && <ReplayWebhook webhook={webhook} onClose={close} onDone={onDone} />}
      {question === 'rotate' && <RotateKey webhook={webhook} onClose={close} onDone={onDone} />}
      {question === 'delete' && <DeleteWebhook webhook={webhook} onClose={close} onDone={onDone} />}
    </>
  )
}

interface QuestionProps extends ActionProps {
  readonly onClose: () => void
}

function DeleteWebhook({ webhook, onClose, onDone }: QuestionProps) {
  const { api } = useOpenSession()
  // The page polls: what was shown when the question was asked is deleted, and nothing newer.
  const [{ id, version }] = useState(webhook)
  return (
    <Confirmation
      title="Delete"
      about={webhookName(webhook)}
      words="Delete webhook"
      busyWords="Deleting…"
      onConfirm={async () => {
        await atReadVersion(() => api.deleteWebhook({ id, ifMatch: version }), onDone)
        say('The webhook is deleted')
        go('/webhooks')
      }}
      onClose={onClose}
    >
      <p>Nothing more is sent to it. Its key, its attempts and its position are deleted too. This cannot be undone.</p>
    </Confirmation>
  )
}

function RotateKey({ webhook, onClose, onDone }: QuestionProps) {
  const { api } = useOpenSession()
  const [made, setMade] = useState<WebhookWithSecret>()
  if (made !== undefined)
    return (
      <Modal labelledBy="made-webhook-key" onClose={onClose}>
        <MadeWebhookKey title="The new key signs now" made={made} doneWords="Done" onDone={onClose} />
      </Modal>
    )
  return (
    <Confirmation
      title="Make a new key?"
      words="Rotate key"
      busyWords="Rotating…"
      onConfirm={async () => {
        setMade((await api.rotateWebhookKey({ id: webhook.id, body: {} })).body)
        onDone()
      }}
      onClose={onClose}
    >
      <p>
        Each message then has two signatures for 24 hours: that of the new key and that of the old one. Give the
        receiver the new key in this time.
      </p>
    </Confirmation>
  )
}

/** Why the webhook is disabled. */
const disabledWords = {
  failing: 'Messages failed for three days.',
  gone: 'The receiver answered that it wants no more messages (410).',
} as const

function Facts({ webhook }: { readonly webhook: Webhook }) {
  const { url, types, payload, signature, state, disabledBecause, disabledDateTime } = webhook
  const { publicKey, oldPublicKey, oldKeyUntilDateTime, position, lastDeliveredDateTime, createdDateTime } = webhook
  const { failingSinceDateTime, failedAttempts, nextAttemptDateTime } = webhook
  const { dataProviderVendorId, shipToLocationCode, lotCode } = webhook
  return (
    <section aria-label="Settings and state">
      {state === 'disabled' && (
        <p class="callout error">
          Disabled since <Instant instant={disabledDateTime} toSecond />.{' '}
          {disabledBecause && disabledWords[disabledBecause]} Nothing is lost: “Resume” continues where it stopped.
        </p>
      )}
      {state === 'enabled' && failingSinceDateTime !== null && (
        <p class="callout">
          The receiver failed {pluralize(failedAttempts, 'time')} in a row, since{' '}
          <Instant instant={failingSinceDateTime} toSecond />. Next attempt:{' '}
          <Instant instant={nextAttemptDateTime} never="soon" toSecond />. Later changes wait, so that order is kept.
        </p>
      )}
      <FactList
        class="held webhook-facts"
        facts={[
          ['State', <WebhookState webhook={webhook} />],
          ['Address', <bdi>{url}</bdi>],
          ['Sends', sentWords(types)],
          ['Vendor', dataProviderVendorId ? <bdi>{dataProviderVendorId}</bdi> : null],
          ['Receiving location', shipToLocationCode ? <bdi>{shipToLocationCode}</bdi> : null],
          ['Lot code', lotCode ? <bdi>{lotCode}</bdi> : null],
          ['Messages contain', payload === 'record' ? 'ids and the record' : 'ids only'],
          ['Signature', signature === 'v1' ? 'v1: HMAC-SHA256, with the secret that the receiver has' : 'v1a: Ed25519'],
          ['Public key', publicKey !== null && <PublicKey value={publicKey} />],
          [
            'Old key',
            oldKeyUntilDateTime !== null && (
              <>
                {oldPublicKey !== null && <PublicKey value={oldPublicKey} />} signs too until{' '}
                <Instant instant={oldKeyUntilDateTime} toSecond />
              </>
            ),
          ],
          ['Last delivered', <Instant instant={lastDeliveredDateTime} toSecond />],
          ['Waiting', waitingWords(webhook)],
          ['Delivered up to', <code>{position}</code>],
          ['Created', <Instant instant={createdDateTime} toSecond />],
        ]}
      />
    </section>
  )
}

const PublicKey = ({ value }: { readonly value: string }) => (
  <>
    <code>{value}</code>{' '}
    <button type="button" class="plain in-line" onClick={() => copy(value, 'Public key')}>
      Copy<span class="hidden"> public key</span>
    </button>
  </>
)

interface AttemptsProps {
  readonly id: string
  readonly onlyFailed: boolean
  /** A new number loads them again. */
  readonly looks: number
}

function Attempts({ id, onlyFailed, looks }: AttemptsProps) {
  const paged = usePaged(
    (api, options) => api.listWebhookAttempts({ id, ...options, ...(onlyFailed && { failed: true }) }),
    [id, onlyFailed],
  )
  useEffect(() => {
    if (looks > 0) paged.asked.again()
  }, [looks])
  return (
    <PagedTable
      paged={paged}
      noun="attempt"
      newestFirst
      label="Attempts"
      columns={columns}
      keyOf={({ id }) => id}
      empty={
        <Empty title={onlyFailed ? 'No attempt has failed' : 'Nothing has been sent yet'}>
          <p>“Send test” sends a message at once.</p>
        </Empty>
      }
    />
  )
}

const columns: readonly Column<WebhookAttempt>[] = [
  {
    heading: 'When',
    cell: ({ startedDateTime }) => <Instant instant={startedDateTime} toSecond />,
  },
  {
    heading: 'Message',
    cell: ({ type, changes, attempt, messageId }) => (
      <>
        {messageWords(type, changes)}{' '}
        <span class="quiet small">
          {attempt > 1 && `attempt ${attempt.toLocaleString('en')} of `}
          <code>{messageId}</code>
        </span>
      </>
    ),
  },
  {
    heading: 'Answer',
    cell: ({ outcome, status, error, answer }) => (
      <>
        <span class={`tag ${outcome === 'delivered' ? 'added' : 'error'}`}>{status ?? 'none'}</span>{' '}
        {error !== null && <bdi>{error}</bdi>}
        {answer !== null && (
          <details>
            <summary class="small">What the receiver answered</summary>
            <pre class="answer">{answer}</pre>
          </details>
        )}
      </>
    ),
  },
  { heading: 'Took', isNumber: true, cell: ({ seconds }) => durationWords(seconds) },
]
