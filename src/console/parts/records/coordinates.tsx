// The position of a location as fields: latitude and longitude, or the corners of a fence.
import type { Finding } from '../../../contract/shape/finding.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { anchorOf } from '../../records/pointers.ts'
import { textOf } from '../../records/record-summary.ts'
import type { DeclaredField } from '../../records/shapes.ts'
import { labelOf } from '../../words/labels.ts'
import { FieldFindings } from './findings.tsx'

interface Props {
  readonly field: DeclaredField
  readonly value: unknown
  readonly set: (pointer: string, part: unknown) => void
  readonly findings: readonly Finding[]
}

const partNames = ['Latitude', 'Longitude']
const partExamples = ['36 40.66 N', '121 39.33 W']

export function Coordinates({ field: { name, pointer, shape }, value, set, findings }: Props) {
  return (
    <Pair
      legend={labelOf(name)}
      says={shape.description}
      pointer={pointer}
      value={value}
      onValue={(pair) => set(pointer, pair.length > 0 ? pair : undefined)}
      findings={findings}
    />
  )
}

export function Fence({ field: { name, pointer, shape }, value, set, findings }: Props) {
  const corners = Array.isArray(value) ? value : []
  const change = (changed: readonly unknown[]) => set(pointer, changed.length > 0 ? changed : undefined)
  return (
    <fieldset class="fold" id={anchorOf(pointer)} tabIndex={-1}>
      <legend>
        <strong>{labelOf(name)}</strong> <span class="quiet small">{pluralize(corners.length, 'corner')}</span>
      </legend>
      <p class="quiet small">{shape.description}</p>
      <FieldFindings findings={findings} pointer={pointer} />
      {corners.map((corner, i) => (
        <div key={i} class="corner">
          <Pair
            legend={`Corner ${i + 1}`}
            pointer={`${pointer}/${i}`}
            value={corner}
            onValue={(pair) => change(corners.with(i, pair))}
            findings={findings}
          />
          <button type="button" onClick={() => change(corners.toSpliced(i, 1))}>
            Remove<span class="hidden"> corner {i + 1}</span>
          </button>
        </div>
      ))}
      <p>
        <button type="button" onClick={() => change([...corners, []])}>
          Add corner
        </button>
      </p>
    </fieldset>
  )
}

interface PairProps extends Pick<Props, 'value' | 'findings'> {
  readonly legend: string
  readonly says?: string | undefined
  readonly pointer: string
  /** Without empty texts at its end. */
  readonly onValue: (pair: readonly unknown[]) => void
}

function Pair({ legend, says, pointer, value, onValue, findings }: PairProps) {
  const pair: readonly unknown[] = Array.isArray(value) ? value : []
  const change = (at: number, text: string) => {
    const texts = Array.from({ length: Math.max(pair.length, at + 1) }, (_, i) => (i === at ? text : (pair[i] ?? '')))
    onValue(texts.slice(0, texts.findLastIndex((part) => part !== '') + 1))
  }
  return (
    <fieldset class="pair" id={anchorOf(pointer)} tabIndex={-1}>
      <legend>{legend}</legend>
      <div class="form-fields">
        {/* A value that is not a pair is shown whole, so that it can be corrected. */}
        {Array.from({ length: Math.max(partNames.length, pair.length) }, (_, i) => (
          <label key={i} class="form-field">
            <span>{partNames[i] ?? `Value ${i + 1}`}</span>
            <input
              type="text"
              id={`field:${pointer}/${i}`}
              value={textOf(pair[i])}
              placeholder={partExamples[i]}
              autocomplete="off"
              onInput={({ currentTarget }) => change(i, currentTarget.value)}
            />
          </label>
        ))}
      </div>
      {says && <p class="quiet small">{says}</p>}
      <FieldFindings findings={findings} pointer={pointer} />
    </fieldset>
  )
}
