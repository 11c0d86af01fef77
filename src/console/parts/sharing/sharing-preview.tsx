// Previews the account of a partner: how many events, some of them as the partner will see them,
// and places that may be missing.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { SharingPreview as Preview, UncoveredPlace } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { eventSummary, type Fields, fieldsOf, textOf } from '../../records/record-summary.ts'
import { countedEvents, storedKey } from '../../records/sharing-words.ts'
import { labelOf } from '../../words/labels.ts'
import { CloseDialog, Modal } from '../frame/modal.tsx'
import { TextList } from '../records/text-list.tsx'
import { StoredPlace } from './partner-places.tsx'

interface Props {
  readonly name: string
  readonly preview: Preview
  /** True while another one is made. */
  readonly isStale: boolean
  /** True where the last day of every grant is over. */
  readonly hasEnded?: boolean
  /** Absent where places cannot be added. */
  readonly onAdd?: (place: UncoveredPlace) => void
}

export function SharingPreview({ name, preview, isStale, hasEnded = false, onAdd }: Props) {
  const { opened, examples, notCovered, withdrawn } = preview
  const [open, setOpen] = useState<Fields>()
  const who = <bdi>{name === '' ? 'The partner' : name}</bdi>
  return (
    <div class={`sharing-preview${isStale ? ' stale' : ''}`} aria-busy={isStale}>
      <p class="opens">
        {opened.events === 0 ? (
          <>
            {who} would see <strong>no event</strong> today.{' '}
            {hasEnded
              ? 'Nothing is shared later either: its access has ended. Choose a later last day.'
              : 'Later events that fit are shared as they are stored.'}
          </>
        ) : (
          <>
            Opens <strong>{countedEvents(opened)}</strong>.
          </>
        )}
      </p>
      {withdrawn.events > 0 && (
        <p class="callout">
          {countedEvents(withdrawn)} that {who} sees today {withdrawn.events === 1 ? 'is' : 'are'} withdrawn. Until that
          is done, it cannot read anything.
        </p>
      )}
      {examples.length > 0 && (
        <section aria-label="Examples">
          <h3>
            {examples.length === opened.events ? '' : `${examples.length} of them, `}
            {examples.length === opened.events ? 'As' : 'as'} {who} sees {examples.length === 1 ? 'it' : 'them'}
          </h3>
          <ul class="plain-list example-events">
            {examples.map((example) => (
              <ExampleEvent
                key={JSON.stringify(example)}
                example={fieldsOf(example)}
                onOpen={() => setOpen(fieldsOf(example))}
              />
            ))}
          </ul>
        </section>
      )}
      {notCovered.length > 0 && (
        <section aria-label="Not covered">
          <h3>
            {notCovered.length === 1
              ? '1 place that looks like the partner’s is not covered'
              : `${notCovered.length} places that look like the partner’s are not covered`}
          </h3>
          <ul class="plain-list offered-places">
            {notCovered.map((place) => (
              <li key={storedKey(place)}>
                {onAdd && (
                  <button type="button" onClick={() => onAdd(place)}>
                    Add
                    <span class="hidden">
                      {' '}
                      {place.locationName ?? ''} {place.locationCode}
                    </span>
                  </button>
                )}
                <StoredPlace place={place} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {open && (
        <Modal labelledBy="example-event" onClose={() => setOpen(undefined)}>
          <h2 id="example-event">As {who} sees it</h2>
          <SharedValue value={open} />
          <p class="actions dialog-end">
            <CloseDialog words="Close" />
          </p>
        </Modal>
      )}
    </div>
  )
}

function ExampleEvent({ example, onOpen }: { readonly example: Fields; readonly onOpen: () => void }) {
  const { received, from, to, purchaseOrder, vendor, lotCodes, lineCount } = eventSummary(example)
  return (
    <li>
      <button type="button" class="plain in-line" onClick={onOpen}>
        <bdi>{purchaseOrder || received}</bdi>
        <span class="hidden">: all fields as the partner sees them</span>
      </button>
      <span class="quiet small">
        {received} · <bdi>{vendor}</bdi> · <bdi>{from}</bdi> to <bdi>{to}</bdi> · {pluralize(lineCount, 'line')}
        {lotCodes.length > 0 && (
          <>
            {' '}
            · lot <TextList texts={lotCodes.slice(0, 2)} />
            {lotCodes.length > 2 && ` and ${lotCodes.length - 2} more`}
          </>
        )}
      </span>
    </li>
  )
}

/** Everything of an event, label by label. */
function SharedValue({ value }: { readonly value: unknown }): ComponentChildren {
  if (Array.isArray(value))
    return (
      <ol>
        {value.map((entry, i) => (
          <li key={i}>
            <SharedValue value={entry} />
          </li>
        ))}
      </ol>
    )
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'object' || value === null) return <bdi>{textOf(value)}</bdi>
  return (
    <dl class="shared-fields">
      {Object.entries(value).map(([name, part]) => (
        <div key={name}>
          <dt>{labelOf(name)}</dt>
          <dd>
            <SharedValue value={part} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
