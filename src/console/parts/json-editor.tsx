// A payload as text, with line numbers; lines with findings are marked.
import { useEffect, useMemo, useRef } from 'preact/hooks'
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

/** In pixels, as in the stylesheet. */
const lineHeight = 20
const paddingTop = 10

function lineCount(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

export function JsonEditor({ text, onText, marks, spot }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  const numbers = useRef<HTMLDivElement>(null)
  const count = useMemo(() => lineCount(text), [text])
  // One text: an element for each of fifty thousand lines takes seconds.
  const numbered = useMemo(() => Array.from({ length: count }, (_, i) => i + 1).join('\n'), [count])

  useEffect(() => {
    const field = area.current
    if (field === null || spot === undefined) return
    field.focus()
    field.setSelectionRange(spot.start, spot.end)
    field.scrollTop = Math.max(0, (lineCount(text.slice(0, spot.start)) - 4) * lineHeight)
    field.scrollIntoView({ block: 'nearest' })
  }, [spot])

  const follow = () => {
    if (numbers.current && area.current) numbers.current.scrollTop = area.current.scrollTop
  }

  return (
    <div class="editor">
      <div class="line-numbers" ref={numbers} aria-hidden="true">
        <pre>{numbered}</pre>
        {[...marks].map(([line, severity]) => (
          <div key={line} class={severity} style={{ top: `${paddingTop + (line - 1) * lineHeight}px` }}>
            {line}
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
