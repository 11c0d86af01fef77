// Checkpoints: which versions the service can prove, since when, and with which key.

import type { Checkpoint, SigningKey } from '../../../client/generated/shapes.ts'
import { copy } from '../../files/clipboard.ts'
import { handOver } from '../../files/saving.ts'
import { Instant } from '../../parts/frame/instant.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { ListEnd } from '../../parts/tables/list-end.tsx'
import { PagedTable } from '../../parts/tables/paged-table.tsx'
import type { Column } from '../../records/drawn-column.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { usePaged } from '../../state/frame/paged.ts'

export function CheckpointsPage() {
  const paged = usePaged((api, options) => api.listCheckpoints(options), [])
  return (
    <>
      <PageHead title="Checkpoints">
        <p class="quiet">
          A checkpoint is a signed statement of what was stored by then. Whoever changes, removes or adds a version
          later can be found out, even with access to the database.
        </p>
      </PageHead>
      <When asked={paged.asked} what="the checkpoints">
        {({ content }) => {
          const [last] = content
          return last === undefined ? (
            <Empty title="There is no checkpoint yet">
              <p>The service makes the first one some minutes after the first record is stored.</p>
            </Empty>
          ) : (
            <div class="sections">
              <Last checkpoint={last} />
              <Keys />
              <Verification />
              <section aria-labelledby="all-checkpoints">
                <h2 id="all-checkpoints">All checkpoints</h2>
                <DataTable label="Checkpoints" columns={columns} rows={content} keyOf={({ number }) => number} />
                <ListEnd paged={paged} noun="checkpoint" newestFirst />
              </section>
            </div>
          )
        }}
      </When>
    </>
  )
}

function Last({ checkpoint: { number, madeDateTime, checkpointHash } }: { readonly checkpoint: Checkpoint }) {
  const note = `Checkpoint ${number}, ${madeDateTime}, SHA-256 ${checkpointHash}`
  return (
    <section class="callout fine" aria-labelledby="last-checkpoint">
      <h2 id="last-checkpoint">
        Proved until <Instant instant={madeDateTime} />
      </h2>
      <p>
        Everything stored by then is under checkpoint {number.toLocaleString('en')}. Write its number and hash down
        outside the service from time to time, for example in a mail to your auditor. They reveal every later change,
        even by someone who has the signing key.
      </p>
      <p>
        <code class="whole-key">{checkpointHash}</code>
      </p>
      <p class="actions">
        <button type="button" onClick={() => copy(note, 'Number and hash')}>
          Copy number and hash
        </button>
      </p>
    </section>
  )
}

function Keys() {
  const keys = usePaged((api, options) => api.listSigningKeys(options), [])
  return (
    <section aria-labelledby="signing-keys">
      <h2 id="signing-keys">Signing keys</h2>
      <p class="quiet">
        Compare the fingerprint with the one that the operator gave you in another way, for example by phone.
      </p>
      <PagedTable
        paged={keys}
        noun="signing key"
        label="Signing keys"
        columns={keyColumns}
        keyOf={({ signingKeyId }) => signingKeyId}
      />
    </section>
  )
}

/** `a1b2 c3d4 …`: in groups, as people compare it. */
const fingerprintWords = (id: string): string => id.replaceAll(/(.{4})(?=.)/g, '$1 ')

const keyColumns: readonly Column<SigningKey>[] = [
  { heading: 'Fingerprint', cell: ({ signingKeyId }) => <code>{fingerprintWords(signingKeyId)}</code> },
  { heading: 'Signs since', cell: ({ firstUsedDateTime }) => <Instant instant={firstUsedDateTime} /> },
  { heading: 'Save', isAction: true, cell: (key) => <SaveKey signingKey={key} /> },
]

function SaveKey({ signingKey: { signingKeyId, publicKey } }: { readonly signingKey: SigningKey }) {
  const save = () => handOver(new Blob([publicKey], { type: 'application/x-pem-file' }), `key-${signingKeyId}.pem`)
  return (
    <button type="button" onClick={save}>
      Save public key<span class="hidden"> {signingKeyId}</span>
    </button>
  )
}

function Verification() {
  const line = 'lotkeeper verify archive.ndjson --key key.pem'
  return (
    <section aria-labelledby="verification">
      <h2 id="verification">How to check it</h2>
      <ol>
        <li>
          <a href={hrefTo('/archive')}>Download the archive</a>: it contains every version with its hashes, and the
          checkpoints.
        </li>
        <li>Save the public key from the table above, and compare its fingerprint.</li>
        <li>
          On any computer, without the service: <code>{line}</code>{' '}
          <button type="button" class="plain in-line" onClick={() => copy(line, 'Command')}>
            Copy<span class="hidden"> command</span>
          </button>
        </li>
      </ol>
      <p class="quiet">
        The command checks every version against its hash, every checkpoint against its versions, and every signature.
        What was stored after the last checkpoint is not proved yet, nor that a clock was right.
      </p>
    </section>
  )
}

const columns: readonly Column<Checkpoint>[] = [
  { heading: 'Number', cell: ({ number }) => number.toLocaleString('en') },
  { heading: 'Made', cell: ({ madeDateTime }) => <Instant instant={madeDateTime} /> },
  { heading: 'New versions', isNumber: true, cell: ({ versionCount }) => versionCount.toLocaleString('en') },
  {
    heading: 'Hash',
    cell: ({ number, checkpointHash }) => (
      <>
        <code title={checkpointHash}>{checkpointHash.slice(0, 16)}…</code>{' '}
        <button type="button" class="plain in-line" onClick={() => copy(checkpointHash, 'Hash')}>
          Copy<span class="hidden"> hash of checkpoint {number}</span>
        </button>
      </>
    ),
  },
  { heading: 'Key', cell: ({ signingKeyId }) => <code>{signingKeyId.slice(0, 8)}</code> },
]
