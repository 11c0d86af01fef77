// The archive: everything the provider has, as one file that can be checked and imported elsewhere.
import { copy } from '../../files/clipboard.ts'
import { useSaving } from '../../files/saving.ts'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { SavingState } from '../../parts/tables/saving-state.tsx'
import { hrefTo } from '../../state/frame/address.ts'
import { useOpenSession } from '../../state/frame/session.ts'

export function ArchivePage() {
  const { api } = useOpenSession()
  const { saving, save, giveUp } = useSaving()
  const download = () => save((signal) => api.exportArchive({ signal }))
  return (
    <>
      <PageHead title="Archive">
        <p class="quiet">
          Everything you have stored, as one file that proves itself. Keep a copy outside the service, and use it to
          move to another one.
        </p>
      </PageHead>
      <div class="sections">
        <section aria-labelledby="archive-content">
          <h2 id="archive-content">What it contains</h2>
          <ul>
            <li>
              All versions of all receiving and shipping events, products and locations, exactly as they were sent.
            </li>
            <li>Who sent each version and when, with its warnings and gaps.</li>
            <li>
              The hash of each version, the signed <a href={hrefTo('/checkpoints')}>checkpoints</a> and the public keys.
            </li>
          </ul>
          <p class="quiet">
            It does not contain keys, settings, refusals or the access log. The download is recorded in the access log.
          </p>
          <p class="actions">
            <button type="button" class="main" disabled={saving.is === 'running'} onClick={download}>
              {saving.is === 'running' ? 'Downloading…' : 'Download archive'}
            </button>
          </p>
          <SavingState saving={saving} giveUp={giveUp} again={download} />
        </section>
        <Step
          title="How to check it"
          line="lotkeeper verify archive.ndjson --key key.pem"
          before="On any computer, without the service. Save the public key from the page Checkpoints first."
          after="The command names every line that was changed, added or removed, and a file that was cut off."
        />
        <Step
          title="How to import it elsewhere"
          line="lotkeeper import archive.ndjson"
          before="Into an empty account of another service, with an administrator key of that account."
          after="Ids, versions, times and hashes stay the same. An import that was interrupted continues where it stopped."
        />
      </div>
    </>
  )
}

interface StepProps {
  readonly title: string
  readonly line: string
  readonly before: string
  readonly after: string
}

function Step({ title, line, before, after }: StepProps) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <p>{before}</p>
      <p class="command-line">
        <code class="whole-key">{line}</code>{' '}
        <button type="button" class="plain" onClick={() => copy(line, 'Command')}>
          Copy<span class="hidden"> command: {line}</span>
        </button>
      </p>
      <p class="quiet">{after}</p>
    </section>
  )
}
