// The drawing of a trace or a chain in the page: the same as in the service's files, with its parts
// as links.
import { type ComponentChildren, h } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { type Graph, graphOf } from '../../../drawing/graph.ts'
import { type LegendEntry, legendMarkHeight, legendMarkWidth, legendOf } from '../../../drawing/legend.ts'
import { pagesOf } from '../../../drawing/pages.ts'
import { traceSvg } from '../../../drawing/svg.ts'
import type { DrawnLink, SvgElement } from '../../../drawing/svg-element.ts'
import { runSteps } from '../../../steps.ts'
import type { LotTrace } from '../../../tracing/lot-trace.ts'
import { queryOf } from '../../records/filters.ts'
import { sectionOf } from '../../records/record-sections.ts'
import { eventsOfWay, placeAnchor } from '../../records/trace-choice.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { centre, FindForm, type Found, useFind } from './drawing-find.tsx'
import { DrawingPages } from './drawing-pages.tsx'

export interface LotPicture {
  readonly graph: Graph
  readonly legend: readonly LegendEntry[]
  /** The links of each arrow, by the name an address has for them. */
  readonly ways: ReadonlyMap<string, readonly DrawnLink[]>
}

export function lotPicture(trace: LotTrace): LotPicture {
  const graph = runSteps(graphOf(trace))
  const ways = graph.elements.flatMap(({ subject }) =>
    subject?.is === 'way' ? [[eventsOfWay(subject.links), subject.links] as const] : [],
  )
  return { graph, legend: legendOf(trace).flat(), ways: new Map(ways) }
}

/** The file that the service would send. */
export const drawingFile = (trace: LotTrace): Blob => new Blob([runSteps(traceSvg(trace))], { type: 'image/svg+xml' })

/** Space around the drawing, so that the focus of a box at its edge is visible. */
const margin = 6
interface DrawingProps {
  readonly graph: Graph
  readonly legend: readonly LegendEntry[]
  /** Among the drawings of the page. */
  readonly name: string
  /** What it shows, for those who do not see it. */
  readonly label: string
  /** Id of the next element, for a link that skips the drawing. */
  readonly next: string
}

const zoomStep = 1.25
/** Smaller than this, a drawing shows nothing. */
const zoomAtFirstMin = 0.3
const zoomMin = 0.1
const zoomMax = 4

export const LotDrawing = ({
  picture: { graph, legend, ways },
  next,
}: {
  readonly picture: LotPicture
  readonly next: string
}) => (
  <Drawing
    graph={graph}
    legend={legend}
    name="The drawing"
    label={`Places of the lot, with ${pluralize(ways.size, 'way')} between them`}
    next={next}
  />
)

export function Drawing({ graph, legend, name, label, next }: DrawingProps) {
  const [width, height] = [graph.width + 2 * margin, graph.height + 2 * margin].map(Math.ceil) as [number, number]
  const { box, zoom, zoomTo, fit, press } = useZoom(width, height)
  const find = useFind(graph.elements, box)
  const id = `${next}-drawn`
  return (
    <div class={`drawing-box ${pagesOf(graph).parts.length > 1 ? 'on-pages' : ''}`}>
      <a class="skip" href={`#${next}`}>
        Skip the drawing
      </a>
      <fieldset class="zoom">
        <legend class="hidden">Zoom</legend>
        <button type="button" aria-label="Zoom out" disabled={zoom <= zoomMin} onClick={() => zoomTo(zoom / zoomStep)}>
          −
        </button>
        <button type="button" title="Actual size" onClick={() => zoomTo(1)}>
          {Math.round(zoom * 100)}%
        </button>
        <button type="button" aria-label="Zoom in" disabled={zoom >= zoomMax} onClick={() => zoomTo(zoom * zoomStep)}>
          +
        </button>
        <button type="button" onClick={fit}>
          Fit
        </button>
      </fieldset>
      {find.isWorthIt && <FindForm name={name} find={find} />}
      <section
        ref={box}
        class="scroller drawing"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
        tabIndex={0}
        aria-label={`${name}. Plus and minus zoom, arrow keys move it.`}
        onKeyDown={press}
        onPointerDown={drag}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: SVG has no fieldset */}
        <svg
          role="group"
          aria-label={label}
          viewBox={`${-margin} ${-margin} ${width} ${height}`}
          width={width * zoom}
          height={height * zoom}
        >
          <g id={id}>{graph.elements.map((element) => draw(element, find.found))}</g>
        </svg>
      </section>
      <DrawingPages graph={graph} id={id} />
      <ul class="legend small quiet">
        {legend.map(({ mark, words }) => (
          <li key={words}>
            <svg width={legendMarkWidth} height={legendMarkHeight} aria-hidden="true">
              {draw(mark)}
            </svg>
            <bdi>{words}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** How large a drawing of this size is shown in its box. */
function useZoom(width: number, height: number) {
  const box = useRef<HTMLElement>(null)
  const [zoom, setZoom] = useState(1)
  const fitting = ({ clientWidth, clientHeight }: HTMLElement) =>
    Math.min(1, clientWidth / width, Math.max(clientHeight, innerHeight * 0.7) / height)
  // At first all of it, or its whole width. Before it is painted, so that nothing below it moves.
  useLayoutEffect(() => {
    if (box.current === null) return
    const ways = [fitting(box.current), Math.min(1, box.current.clientWidth / width)]
    setZoom(ways.find((one) => one >= zoomAtFirstMin) ?? 1)
  }, [])
  // Two hundred places are higher than the box: it begins where the lot does.
  useEffect(() => {
    const first = box.current?.querySelector('.drawn-place')
    if (box.current && first) centre(box.current, first)
  }, [])

  /** Zooms around a point of the box, by default its middle. */
  const zoomTo = (wished: number, at?: { readonly x: number; readonly y: number }) => {
    const outer = box.current
    if (outer === null) return
    const next = Math.min(zoomMax, Math.max(zoomMin, wished))
    const { x, y } = at ?? { x: outer.clientWidth / 2, y: outer.clientHeight / 2 }
    const [left, top] = [(outer.scrollLeft + x) / zoom, (outer.scrollTop + y) / zoom]
    setZoom(next)
    requestAnimationFrame(() => outer.scrollTo(left * next - x, top * next - y))
  }
  const fit = () => box.current && zoomTo(fitting(box.current))
  const press = (event: KeyboardEvent) => {
    const keys: Readonly<Record<string, number>> = {
      '+': zoom * zoomStep,
      '=': zoom * zoomStep,
      '-': zoom / zoomStep,
      '0': 1,
    }
    const wished = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key]
    if (wished === undefined) return
    event.preventDefault()
    zoomTo(wished)
  }
  const turn = useRef<(event: WheelEvent) => void>(() => undefined)
  turn.current = (event) => {
    // The wheel alone scrolls; with Ctrl, as two fingers on a touch pad send it, it zooms.
    if (!event.ctrlKey || box.current === null) return
    event.preventDefault()
    const { left, top } = box.current.getBoundingClientRect()
    zoomTo(zoom * Math.exp(-event.deltaY / 300), { x: event.clientX - left, y: event.clientY - top })
  }
  useEffect(() => {
    const listen = (event: WheelEvent) => turn.current(event)
    box.current?.addEventListener('wheel', listen, { passive: false })
    return () => box.current?.removeEventListener('wheel', listen)
  }, [])
  return { box, zoom, zoomTo, fit, press }
}

/**
 * Moves the content of the box with the pointer. Fingers scroll it anyway, and links stay links.
 */
function drag(event: PointerEvent & { readonly currentTarget: HTMLElement }): void {
  const box = event.currentTarget
  if (event.pointerType === 'touch' || event.button !== 0 || (event.target as Element).closest('a')) return
  const from = { x: event.clientX + box.scrollLeft, y: event.clientY + box.scrollTop }
  const move = ({ clientX, clientY }: PointerEvent) => box.scrollTo(from.x - clientX, from.y - clientY)
  const end = () => {
    removeEventListener('pointermove', move)
    box.classList.remove('dragged')
  }
  box.classList.add('dragged')
  addEventListener('pointermove', move)
  addEventListener('pointerup', end, { once: true })
  addEventListener('pointercancel', end, { once: true })
}

/** An element of the drawing as one of the page; text stays text. */
function draw(element: SvgElement, found?: Found): ComponentChildren {
  const { name, attributes, children, subject } = element
  const own = h(
    name,
    attributes,
    children.map((child) => (typeof child === 'string' ? child : draw(child, found))),
  )
  if (subject === undefined) return own
  // The name of a link is its title.
  const title = <title>{subject.words}</title>
  const place = `drawn-place ${found?.here === element ? 'found-here' : found?.all.has(element) ? 'found' : ''}`
  switch (subject.is) {
    case 'lot':
      return (
        <a
          class={place}
          href={hrefTo(`/trace${queryOf({ lotCode: subject.lotCode, tlcSource: subject.tlcSource ?? '' })}`)}
        >
          {title}
          {own}
        </a>
      )
    case 'event':
      return (
        <a class={place} href={hrefTo(`${sectionOf({ name: subject.record }).path}/${subject.id}`)}>
          {title}
          {own}
        </a>
      )
    case 'several':
      return own
    case 'place':
      return (
        <a class={place} href={`#${placeAnchor(subject.id)}`}>
          {title}
          {own}
        </a>
      )
    case 'way': {
      const [line] = children
      return (
        <a class="drawn-way" href={`#${eventsOfWay(subject.links)}`}>
          {title}
          {typeof line === 'object' && <path class="reach" d={String(line.attributes.d)} fill="none" />}
          {own}
        </a>
      )
    }
    case 'wayLabel':
      // The same link once more, for the pointer alone.
      return h('a', { href: `#${eventsOfWay(subject.links)}`, tabindex: -1, 'aria-hidden': 'true' }, own)
  }
}
