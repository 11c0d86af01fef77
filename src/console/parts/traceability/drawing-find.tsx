// Finds lots and places in a drawing by any part of what it says of them, and goes from one to the
// next.
import type { RefObject } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { foldCode } from '../../../contract/text/searched-text.ts'
import type { SvgElement } from '../../../drawing/svg-element.ts'

/** In a drawing of fewer boxes the eye is faster. */
const boxesMin = 8

interface Box {
  readonly element: SvgElement
  readonly folded: string
}

/** Boxes of a drawing with all that they say, also where the drawing has no room for it. */
const boxesIn = (elements: readonly (SvgElement | string)[]): readonly Box[] =>
  elements.flatMap((element) => {
    if (typeof element === 'string') return []
    const { subject, children } = element
    if (subject === undefined) return boxesIn(children)
    const isBox = subject.is === 'place' || subject.is === 'lot' || subject.is === 'event'
    return isBox ? [{ element, folded: foldCode([subject.words, ...textsIn(children)].join(' ')) }] : []
  })

const textsIn = (children: SvgElement['children']): readonly string[] =>
  children.flatMap((child) => (typeof child === 'string' ? [child] : textsIn(child.children)))

/** Moves the content of a box so that a part of it is in the middle. */
export function centre(box: HTMLElement, part: Element): void {
  const [outer, inner] = [box.getBoundingClientRect(), part.getBoundingClientRect()]
  box.scrollBy(
    inner.left + inner.width / 2 - outer.left - outer.width / 2,
    inner.top + inner.height / 2 - outer.top - outer.height / 2,
  )
}

export interface Found {
  readonly all: ReadonlySet<SvgElement>
  /** The one that is in the middle. */
  readonly here: SvgElement | undefined
}

export function useFind(elements: readonly SvgElement[], box: RefObject<HTMLElement | null>) {
  const boxes = useMemo(() => boxesIn(elements), [elements])
  const [sought, setSought] = useState('')
  const [at, setAt] = useState(0)
  const folded = foldCode(sought)
  const hits = useMemo(
    () => (folded === '' ? [] : boxes.filter((one) => one.folded.includes(folded)).map(({ element }) => element)),
    [boxes, folded],
  )
  const here = hits[at % Math.max(1, hits.length)]
  useEffect(() => {
    const part = here && box.current?.querySelector('.found-here')
    if (part && box.current) centre(box.current, part)
  }, [here])
  const go = (step: number) => setAt((at + step + hits.length) % Math.max(1, hits.length))
  const search = (text: string) => {
    setSought(text)
    setAt(0)
  }
  return {
    found: { all: new Set(hits), here } satisfies Found,
    isWorthIt: boxes.length > boxesMin,
    sought,
    search,
    go,
    at,
    count: hits.length,
  }
}

export const FindForm = ({
  name,
  find: { sought, search, go, at, count },
}: {
  /** Of the drawing. */
  readonly name: string
  readonly find: ReturnType<typeof useFind>
}) => (
  <form
    class="drawing-find"
    onSubmit={(event) => {
      event.preventDefault()
      go(1)
    }}
  >
    <span role="status" class="quiet">
      {sought !== '' && (count === 0 ? 'Nothing found' : `${at + 1} of ${count}`)}
    </span>
    <input
      type="search"
      aria-label={`Find in ${name.toLowerCase()}`}
      placeholder="Find a lot or place"
      autocomplete="off"
      value={sought}
      onInput={({ currentTarget }) => search(currentTarget.value)}
    />
    <button type="button" disabled={count < 2} onClick={() => go(-1)}>
      Previous
    </button>
    <button type="submit" disabled={count < 2}>
      Next
    </button>
  </form>
)
