// A partner: its name, its places, and what is shared, with a preview of exactly that. Nothing is
// saved that was not previewed.
import type { PartnerSettings, Place, SharingPreview as Preview } from '../../../client/generated/shapes.ts'
import { isEnded } from '../../../contract/sharing.ts'
import { countedEvents, placesOf } from '../../records/sharing-words.ts'
import { useStaying } from '../../state/frame/leaving.ts'
import type { RequestState } from '../../state/frame/request.ts'
import { useSubmission } from '../../state/frame/submission.ts'
import {
  type KnownPartner,
  type PartnerChange,
  type PartnerDraft,
  usePartnerDraft,
} from '../../state/sharing/partner-draft.ts'
import { useStoredPlaces } from '../../state/sharing/stored-places.ts'
import { failureSentence } from '../../words/failure-words.ts'
import { TextField } from '../fields/text-field.tsx'
import { Fault } from '../frame/fault.tsx'
import { Loading } from '../frame/states.tsx'
import { GrantFields } from './grant-fields.tsx'
import { PartnerPlaces } from './partner-places.tsx'
import { SharingPreview } from './sharing-preview.tsx'

interface Props {
  /** The partner to change; undefined for a new one. */
  readonly known?: KnownPartner
  /** True where `known` contains unsaved changes. */
  readonly isUnsaved?: boolean
  readonly onPreview: (settings: PartnerSettings, signal: AbortSignal) => Promise<Preview>
  readonly onSend: (settings: PartnerSettings) => Promise<void>
  readonly onCancel: () => void
}

export function PartnerForm({ known, isUnsaved = false, onPreview, onSend, onCancel }: Props) {
  const { isSending, isSent, fault, submit } = useSubmission()
  const { draft, change, settings, preview, isChanged } = usePartnerDraft(known, onPreview)
  const { name, places } = draft
  const stored = useStoredPlaces()
  useStaying((isUnsaved || isChanged) && !isSent ? 'The partner is not saved.' : undefined)
  const { asked } = preview
  const current = asked.is === 'answered' ? asked.value : undefined

  const send = async (event: Event) => {
    event.preventDefault()
    await submit(() => onSend(settings))
  }
  const setPlaces = (next: readonly Place[]) => change({ is: 'placed', places: next })

  return (
    <form class="partner-form" onSubmit={send} aria-label="Partner">
      <div class="partner-fields">
        <section aria-labelledby="partner-who">
          <h2 id="partner-who">Who</h2>
          <TextField
            id="partner-name"
            label="Name"
            required
            maxLength={100}
            placeholder="Walmart"
            value={name}
            onInput={({ currentTarget }) => change({ is: 'named', name: currentTarget.value })}
          />
        </section>
        <section aria-labelledby="partner-places">
          <h2 id="partner-places">Its places</h2>
          <PartnerPlaces name={name} partnerId={known?.id} places={places} stored={stored} onPlaces={setPlaces} />
        </section>
        <Grants draft={draft} onChange={change} />
      </div>
      <section class="partner-preview" aria-labelledby="partner-preview">
        <h2 id="partner-preview">Preview</h2>
        <p class="hidden" role="status">
          {asked.is === 'asking' ? 'Checking…' : (current && `Opens ${countedEvents(current.opened)}`) || ''}
        </p>
        <PreviewState
          settings={settings}
          {...preview}
          onAdd={(place) => setPlaces([...places, ...placesOf(place, stored.is === 'answered' ? stored.value : [])])}
        />
        <Fault>{fault}</Fault>
        <p class="actions">
          <button type="submit" class="main" disabled={isSending || current === undefined}>
            {isSending ? 'Saving…' : known === undefined ? 'Create partner' : 'Save'}
          </button>
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        </p>
      </section>
    </form>
  )
}

interface GrantsProps {
  readonly draft: PartnerDraft
  readonly onChange: (change: PartnerChange) => void
}

const Grants = ({ draft: { name, places, grants }, onChange }: GrantsProps) => (
  <section aria-labelledby="partner-grants">
    <h2 id="partner-grants">What it sees</h2>
    {grants.map(({ key, grant }, i) => (
      <GrantFields
        key={key}
        name={name.trim()}
        places={places.length}
        grant={grant}
        number={i + 1}
        onGrant={(changed) => onChange({ is: 'changed', key, grant: changed })}
        onRemove={() => onChange({ is: 'removed', key })}
      />
    ))}
    {grants.length === 0 && <p class="callout">Nothing is shared. What the partner sees today is withdrawn.</p>}
    <p>
      <button type="button" onClick={() => onChange({ is: 'granted' })}>
        Add grant
      </button>
    </p>
  </section>
)

interface PreviewStateProps {
  readonly settings: PartnerSettings
  readonly asked: RequestState<Preview | undefined>
  /** The one before stays in sight while the next is made. */
  readonly last: Preview | undefined
  readonly onAdd: NonNullable<Parameters<typeof SharingPreview>[0]['onAdd']>
}

const PreviewState = ({ settings, asked, last, onAdd }: PreviewStateProps) =>
  settings.name === '' ? (
    <p class="quiet">Enter the name and choose places. This shows what the partner would see before you save.</p>
  ) : asked.is === 'failed' ? (
    <div class="callout error" role="alert">
      <p>{failureSentence(asked.error)}</p>
      <p>
        <button type="button" onClick={asked.again}>
          Preview again
        </button>
      </p>
    </div>
  ) : last === undefined ? (
    <Loading what="the preview" />
  ) : (
    <SharingPreview
      name={settings.name}
      preview={last}
      isStale={asked.is !== 'answered' || asked.value === undefined}
      hasEnded={settings.grants.length > 0 && settings.grants.every((grant) => isEnded(grant, new Date()))}
      onAdd={onAdd}
    />
  )
