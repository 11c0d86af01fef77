// The item of a drawing that the pointer or the arrow keys select: a slider, following ARIA. Enter
// or a click opens it.
import { useRef, useState } from 'preact/hooks'

interface Items {
  readonly label: string
  /** The selected item in words; of all while none is selected. */
  readonly wordsOf: (index: number | undefined) => string
  readonly count: number
  /** The item from which the arrows start. */
  readonly start: number
  /** The item at a share of the width of the drawing. */
  readonly at: (share: number) => number
  readonly open: (index: number) => void
}

type Pointer = PointerEvent & { readonly currentTarget: Element }

export function usePointed({ label, wordsOf, count, start, at, open }: Items) {
  const [chosen, setChosen] = useState<number>()
  const before = useRef<number>(undefined)
  const choose = (index: number) => setChosen(Math.min(count - 1, Math.max(0, index)))
  const point = ({ clientX, currentTarget }: Pointer) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    choose(at((clientX - left) / width))
  }
  const openChosen = () => chosen !== undefined && open(chosen)
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') return openChosen()
    const from = chosen ?? start
    const to: Readonly<Record<string, number>> = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: count - 1 }
    const next = to[event.key]
    if (next === undefined) return
    event.preventDefault()
    choose(next)
  }
  const slider = {
    role: 'slider',
    tabIndex: 0,
    'aria-label': label,
    'aria-valuetext': wordsOf(chosen),
    'aria-valuemin': 0,
    'aria-valuemax': Math.max(0, count - 1),
    'aria-valuenow': chosen ?? start,
    onKeyDown: press,
    onFocus: () => setChosen((now) => now ?? start),
    onBlur: () => setChosen(undefined),
    onPointerMove: point,
    onPointerLeave: () => setChosen(undefined),
    onPointerDown: (event: Pointer) => {
      before.current = event.pointerType === 'touch' ? chosen : undefined
      point(event)
    },
    // The first touch selects, and the next one opens.
    onClick: (event: MouseEvent) => {
      const isTouch = 'pointerType' in event && event.pointerType === 'touch'
      if (!isTouch || before.current === chosen) openChosen()
    },
  } as const
  return { chosen, slider }
}
