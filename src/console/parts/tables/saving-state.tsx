// How far a download is.
import { pluralize } from '../../../contract/text/pluralize.ts'
import { copy } from '../../files/clipboard.ts'
import { type Saving, sizeWords } from '../../files/saving.ts'
import { Failure } from '../frame/states.tsx'

interface Props {
  readonly saving: Saving
  readonly giveUp: () => void
  readonly again: () => void
}

export function SavingState({ saving, giveUp, again }: Props) {
  switch (saving.is) {
    case 'idle':
      return null
    case 'failed':
      return <Failure error={saving.error} again={again} />
    case 'running':
      return (
        <p class="callout with-button" role="status">
          <span>
            {sizeWords(saving.bytes)}
            {saving.seconds > 0 && ` · ${sizeWords(saving.bytes / saving.seconds)}/s · ${saving.seconds.toFixed(0)} s`}
          </span>
          <button type="button" onClick={giveUp}>
            Cancel
          </button>
        </p>
      )
    case 'saved':
      return (
        <div class="callout" role="status">
          <p>
            <strong>{saving.name}</strong> was passed to the browser for saving: {sizeWords(saving.bytes)}.
          </p>
          {saving.damaged > 0 && (
            <p class="fault" role="alert">
              The file is not complete. {pluralize(saving.damaged, 'version')} of records{' '}
              {saving.damaged === 1 ? 'is' : 'are'} left out, because the database lost{' '}
              {saving.damaged === 1 ? 'it' : 'them'} or somebody changed {saving.damaged === 1 ? 'it' : 'them'} there.
              Tell the operator of the service, who can find and restore {saving.damaged === 1 ? 'it' : 'them'}, and
              create the file again.
            </p>
          )}
          {saving.sha256 && (
            <p class="quiet small">
              SHA-256 <code>{saving.sha256}</code>{' '}
              <button type="button" class="plain" onClick={() => copy(saving.sha256, 'SHA-256')}>
                Copy
              </button>
            </p>
          )}
        </div>
      )
  }
}
