// Which rows of the table of product lines are in sight, and the way to a cell elsewhere.
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Cell } from './line-sheet.ts'

/** Heights in pixels, as in the stylesheet. */
const rowHeight = 37
const tableHeight = 560
/** Rows drawn beyond each edge. */
const beyond = 6
/** The table is drawn again after it was scrolled by so many rows. */
const step = 4

export interface LineWindow {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly onScroll: () => void
  /** Index of the first row that is drawn, and of the one after the last. */
  readonly first: number
  readonly end: number
  /** Heights of the rows above and below those that are drawn. */
  readonly above: number
  readonly below: number
  readonly scrollTo: (index: number) => void
  readonly goTo: (cell: Cell) => void
  /** Goes to an element once it is drawn. */
  readonly aimAt: (id: string) => void
}

export function useLineWindow(pointer: string, count: number): LineWindow {
  const scroller = useRef<HTMLDivElement>(null)
  const goal = useRef<string | undefined>(undefined)
  const [top, setTop] = useState(0)
  const first = Math.max(0, Math.min(Math.floor(top / rowHeight) - beyond, count - 1))
  const end = Math.min(count, Math.ceil((top + tableHeight) / rowHeight) + beyond)

  const reachGoal = () => {
    const element = goal.current === undefined ? null : document.getElementById(goal.current)
    if (element === null) return
    goal.current = undefined
    element.focus({ preventScroll: true })
    element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    if (element instanceof HTMLInputElement) element.select()
  }
  useEffect(reachGoal)

  return {
    scroller,
    onScroll: () => {
      const height = step * rowHeight
      setTop(Math.floor((scroller.current?.scrollTop ?? 0) / height) * height)
    },
    first,
    end,
    above: first * rowHeight,
    below: (count - end) * rowHeight,
    scrollTo: (index) => {
      if (scroller.current !== null) scroller.current.scrollTop = index * rowHeight
    },
    goTo: ({ index, name }) => {
      const box = scroller.current
      goal.current = `field:${pointer}/${index}/${name}`
      if (box === null) return
      const [above, below] = [index * rowHeight, (index + 2) * rowHeight]
      if (above < box.scrollTop) setTop(above)
      else if (below > box.scrollTop + box.clientHeight) setTop(below - box.clientHeight)
      // If the row is in view already, no redraw follows that would reach the goal.
      requestAnimationFrame(reachGoal)
    },
    aimAt: (id) => {
      goal.current = id
    },
  }
}
