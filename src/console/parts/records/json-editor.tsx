// A payload as text, with line numbers; lines with findings are marked.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Severity } from '../../../contract/shape/finding.ts'
import { usePrinting } from '../../state/frame/printing.ts'

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

/**
 * From this length on, the text is read when the typing pauses: to take it out of the field and to
 * read it costs more than a key may.
 */
const largeFrom = 100_000
const pauseMs = 250

/** In pixels, as in the stylesheet. */
const lineHeight = 20
const paddingTop = 10
/** Numbers are drawn in steps of so many lines. */
const lineStep = 50

function lineCount(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

export function JsonEditor({ text, onText, marks, spot }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  const numbers = useRef<HTMLDivElement>(null)
  const count = useMemo(() => lineCount(text), [text])
  const isPrinting = usePrinting()
  const [top, setTop] = useState(0)
  // Those near the window: to lay out a hundred thousand takes as long as the text does.
  const first = isPrinting ? 0 : Math.max(0, Math.floor(top / lineStep - 1) * lineStep)
  const last = isPrinting ? count : Math.min(count, first + 5 * lineStep)
  const numbered = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i + 1).join('\n')

  const { onInput, read } = useOwnText(area, text, onText)

  useEffect(() => {
    const field = area.current
    if (field === null || spot === undefined) return
    field.setSelectionRange(spot.start, spot.end)
    // A field shows where its selection is when it gets the focus, also far to the right.
    field.blur()
    field.focus()
    field.scrollTop = Math.max(0, (lineCount(text.slice(0, spot.start)) - 4) * lineHeight)
    field.scrollIntoView({ block: 'nearest' })
  }, [spot])

  const follow = () => {
    if (area.current === null) return
    if (numbers.current) numbers.current.scrollTop = area.current.scrollTop
    setTop(Math.floor(area.current.scrollTop / lineHeight / lineStep) * lineStep)
  }

  return (
    <div class="editor">
      <div class="line-numbers" ref={numbers} aria-hidden="true">
        <pre class="all-lines" style={{ height: `${count * lineHeight}px` }}>
          {count}
        </pre>
        <pre class="lines-near" style={{ top: `${paddingTop + first * lineHeight}px` }}>
          {numbered}
        </pre>
        {[...marks].map(([line, severity]) => (
          <div key={line} class={severity} style={{ top: `${paddingTop + (line - 1) * lineHeight}px` }}>
            {line}
          </div>
        ))}
      </div>
      <textarea
        ref={area}
        aria-label="Payload as JSON"
        onInput={onInput}
        onBlur={read}
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

/**
 * The field has its text for itself: to compare megabytes with each key would be felt.
 */
function useOwnText(
  area: { readonly current: HTMLTextAreaElement | null },
  text: string,
  onText: (text: string) => void,
) {
  const known = useRef<string>(undefined)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLayoutEffect(() => {
    if (area.current === null || known.current === text) return
    known.current = text
    area.current.value = text
  }, [text])
  const read = () => {
    clearTimeout(pause.current)
    const written = area.current?.value ?? known.current
    if (written === undefined || written === known.current) return
    known.current = written
    onText(written)
  }
  const onInput = () => {
    if ((known.current?.length ?? 0) < largeFrom) return read()
    clearTimeout(pause.current)
    pause.current = setTimeout(read, pauseMs)
  }
  const latest = useRef(read)
  latest.current = read
  // Leaving while typing loses nothing.
  useLayoutEffect(() => () => latest.current(), [])
  return { onInput, read }
}
