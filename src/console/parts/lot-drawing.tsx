// The drawing of a trace as a part of the page: the picture the service makes files of, in which
// places and ways are links.
import { type ComponentChildren, h } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Graph, graphOf } from '../../drawing/graph.ts'
import { type LegendEntry, legendMarkHeight, legendMarkWidth, legendOf } from '../../drawing/legend.ts'
import { traceSvg } from '../../drawing/svg.ts'
import type { SvgElement } from '../../drawing/svg-element.ts'
import { runSteps } from '../../steps.ts'
import type { LotTrace, TracedLink } from '../../tracing/lot-trace.ts'
import { eventsOfWay, placeAnchor } from '../records/trace-choice.ts'
import { pluralize } from '../words/labels.ts'

export interface LotPicture {
  readonly graph: Graph
  readonly legend: readonly LegendEntry[]
  /** The links of each arrow, by the name an address has for them. */
  readonly ways: ReadonlyMap<string, readonly TracedLink[]>
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

/** Room around the picture, so that a box at its edge is seen to have the focus. */
const margin = 6
/** How much smaller than it is drawn it may become to fit the page; beyond, it is scrolled. */
const shrinkMax = 1.5

interface Props {
  readonly picture: LotPicture
  /** Id of what follows, for those who step over the drawing. */
  readonly next: string
}

export function LotDrawing({ picture: { graph, legend, ways }, next }: Props) {
  const box = useRef<HTMLElement>(null)
  // Two hundred places are higher than the box: it begins where the lot does.
  useEffect(() => {
    const first = box.current?.querySelector('.drawn-place')
    if (!box.current || !first) return
    const [outer, inner] = [box.current.getBoundingClientRect(), first.getBoundingClientRect()]
    box.current.scrollTop = inner.top + inner.height / 2 - outer.top - outer.height / 2
  }, [])
  const [width, height] = [graph.width + 2 * margin, graph.height + 2 * margin].map(Math.ceil) as [number, number]
  return (
    <div class="drawing-box">
      <a class="skip" href={`#${next}`}>
        Skip the drawing
      </a>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section ref={box} class="scroller drawing" tabIndex={0} aria-label="The drawing">
        {/* biome-ignore lint/a11y/useSemanticElements: SVG has no fieldset */}
        <svg
          role="group"
          aria-label={`Places of the lot, with ${pluralize(ways.size, 'way')} between them`}
          viewBox={`${-margin} ${-margin} ${width} ${height}`}
          width={width}
          height={height}
          style={{ '--least': `${width / shrinkMax}px` }}
        >
          {graph.elements.map(drawn)}
        </svg>
      </section>
      <ul class="legend small quiet">
        {legend.map(({ mark, words }) => (
          <li key={words}>
            <svg width={legendMarkWidth} height={legendMarkHeight} aria-hidden="true">
              {drawn(mark)}
            </svg>
            <bdi>{words}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** An element of the drawing as one of the page; text stays text. */
function drawn(element: SvgElement): ComponentChildren {
  const { name, attributes, children, subject } = element
  const own = h(
    name,
    attributes,
    children.map((child) => (typeof child === 'string' ? child : drawn(child))),
  )
  if (subject === undefined) return own
  // The name of a link is its title.
  const title = <title>{subject.words}</title>
  switch (subject.is) {
    case 'place':
      return (
        <a class="drawn-place" href={`#${placeAnchor(subject.id)}`}>
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
