// A payload as text, with line numbers; lines with findings are marked.
import { useEffect, useRef } from 'preact/hooks'
import type { Severity } from '../../contract/finding.ts'

export interface Spot {
  readonly start: number
  readonly end: number
}

interface Props {
  readonly text: string
  readonly onText: (text: string) => void
  /** The worst of each line that has something. */
  readonly marks: ReadonlyMap<number, Severity>
  /** Where to go; a new object goes there again. */
  readonly spot: Spot | undefined
}

export function JsonEditor({ text, onText, marks, spot }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  const numbers = useRef<HTMLDivElement>(null)
  const count = text.split('\n').length

  useEffect(() => {
    const field = area.current
    if (field === null || spot === undefined) return
    field.focus()
    field.setSelectionRange(spot.start, spot.end)
    const line = text.slice(0, spot.start).split('\n').length
    const height = Number.parseFloat(getComputedStyle(field).lineHeight)
    field.scrollTop = Math.max(0, (line - 4) * height)
    field.scrollIntoView({ block: 'nearest' })
  }, [spot])

  const follow = () => {
    if (numbers.current && area.current) numbers.current.scrollTop = area.current.scrollTop
  }

  return (
    <div class="editor">
      <div class="line-numbers" ref={numbers} aria-hidden="true">
        {Array.from({ length: count }, (_, i) => (
          <div key={i + 1} class={marks.get(i + 1)}>
            {i + 1}
          </div>
        ))}
      </div>
      <textarea
        ref={area}
        aria-label="Payload as JSON"
        value={text}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
        onScroll={follow}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        wrap="off"
        dir="ltr"
      />
    </div>
  )
}
