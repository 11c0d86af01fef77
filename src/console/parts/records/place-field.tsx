// One end of a delivery: a stored location, or a new one that is described here.
import { useEffect, useState } from 'preact/hooks'
import type { MasterLocation } from '../../../contract/location.ts'
import type { Shape } from '../../../contract/shape/field.ts'
import type { Payload } from '../../drafts/draft.ts'
import { entryIndex, placeChoices, storedPlace, withPlace } from '../../records/event-places.ts'
import { anchorOf } from '../../records/pointers.ts'
import { type Fields, fieldsOf, joinGiven, listOf, textOf } from '../../records/record-summary.ts'
import type { DeclaredField } from '../../records/shapes.ts'
import type { KnownRecords } from '../../state/records/known-records.ts'
import { labelOf } from '../../words/labels.ts'
import { Picker } from '../fields/picker.tsx'
import { FieldFindings, findingsWithin } from './findings.tsx'
import { type FormContext, ObjectFields } from './form-fields.tsx'

interface Props {
  readonly field: DeclaredField
  readonly payload: Payload
  readonly known: KnownRecords
  readonly onPayload: (payload: Payload) => void
  /** Of an entry among the locations of the payload. */
  readonly shape: Shape
  readonly context: FormContext
}

export function PlaceField({ field: { name, pointer, required }, payload, known, onPayload, shape, context }: Props) {
  const event = fieldsOf(payload.eventList)
  const code = textOf(event[name])
  const vendor = textOf(event.dataProviderVendorId)
  const index = entryIndex(payload, code)
  const at = `/locationMasterList/${index}`
  const entry = index < 0 ? undefined : listOf(payload.locationMasterList)[index]
  const stored = storedPlace(known.locations, vendor, code)
  const isNew = stored === undefined && !known.isAsking
  const [isOpen, setOpen] = useState(false)
  // A stored place that is found after its code was typed counts as chosen.
  const isCodeOnly = entry !== undefined && Object.keys(entry).length === 1
  useEffect(() => {
    if (stored !== undefined && isCodeOnly) onPayload(withPlace(payload, name, code, known.locations))
  }, [stored])
  const { findings, shown } = context
  const within = index < 0 ? [] : findingsWithin(findings, at)
  const open = isOpen || (code !== '' && isNew) || (index >= 0 && shown?.startsWith(`${at}/`) === true)
  const id = `field:${pointer}`

  return (
    <div class="place-field" id={anchorOf(pointer)} tabIndex={-1}>
      <label for={id}>
        {labelOf(name)} {required && <span class="quiet small">required</span>}
      </label>
      <Picker
        id={id}
        value={code}
        choices={placeChoices(known.locations, vendor)}
        placeholder="Location code or name"
        aria-describedby={`${id}:place`}
        aria-invalid={findings.some((finding) => finding.pointer === pointer && finding.severity === 'error')}
        onValue={(next) => {
          known.seek(next)
          onPayload(withPlace(payload, name, next, known.locations))
        }}
      />
      <p id={`${id}:place`} class="small">
        <PlaceWords code={code} entry={entry} stored={stored} isNew={isNew} />
      </p>
      <FieldFindings findings={findings} pointer={pointer} />
      {entry !== undefined && (
        <>
          {!isNew && (
            <p>
              <button type="button" class="plain in-line" aria-expanded={open} onClick={() => setOpen(!isOpen)}>
                {open ? 'Hide' : 'Show'} details in this event
                <span class="hidden"> of the {labelOf(name).toLowerCase()}</span>
              </button>{' '}
              {within.length > 0 && !open && <span class="tag error">{within.length}</span>}
            </p>
          )}
          {open && (
            <div class="place-details">
              <FieldFindings findings={findings} pointer={at} />
              <ObjectFields
                shape={shape}
                value={entry}
                at={at}
                first={['locationName', 'gln', 'duns', 'phoneNumber']}
                without={['locationCode']}
                {...context}
              />
            </div>
          )}
        </>
      )}
    </div>
  )
}

interface WordsProps {
  readonly code: string
  /** Of the payload. */
  readonly entry: Fields | undefined
  readonly stored: MasterLocation | undefined
  readonly isNew: boolean
}

/** The place of a code, or that it is new. */
function PlaceWords({ code, entry, stored, isNew }: WordsProps) {
  if (code === '') return <span class="quiet">Choose a stored location, or type a new code.</span>
  if (isNew)
    return (
      <>
        <strong>New location.</strong> It is stored with the event.
      </>
    )
  return (
    <bdi>
      {joinGiven(
        ' · ',
        entry?.locationName ?? stored?.locationName,
        joinGiven(', ', stored?.address?.city, stored?.address?.state),
        stored?.gln && `GLN ${stored.gln}`,
      )}
    </bdi>
  )
}
