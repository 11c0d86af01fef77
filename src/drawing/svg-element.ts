// A drawing as a tree of elements: written to a file, or drawn in a page.

import type { EventKindName } from '../contract/record-kinds.ts'
import { partsByDirection } from '../contract/text/direction.ts'
import type { Steps } from '../steps.ts'
import type { TracedLink } from '../tracing/lot-trace.ts'
import { escapeXml } from './svg-text.ts'

/**
 * The part of a trace or a chain that an element draws, and its name; the label of a route is
 * separate from its line.
 */
export type Subject =
  | { readonly is: 'place'; readonly id: string; readonly words: string }
  | { readonly is: 'way' | 'wayLabel'; readonly links: readonly DrawnLink[]; readonly words: string }
  | { readonly is: 'lot'; readonly lotCode: string; readonly tlcSource: string | undefined; readonly words: string }
  | { readonly is: 'event'; readonly record: EventKindName; readonly id: string; readonly words: string }
  | { readonly is: 'several'; readonly words: string }

/** The content of one arrow: links of one source, or else shipments that were not received. */
export type DrawnLink = Pick<TracedLink, 'from' | 'to'> & Partial<Pick<TracedLink, 'source'>>

type Attributes = Readonly<Record<string, string | number | undefined>>

export interface SvgElement {
  readonly name: string
  readonly attributes: Attributes
  /** Elements, and text that is not escaped yet. */
  readonly children: readonly (SvgElement | string)[]
  readonly subject: Subject | undefined
}

export const element = (
  name: string,
  attributes: Attributes,
  children: SvgElement['children'] = [],
  subject?: Subject,
): SvgElement => ({ name, attributes, children: name === 'text' ? children.flatMap(isolated) : children, subject })

/** Text in which a part that reads from right to left reorders no other. */
function isolated(child: SvgElement | string): SvgElement['children'] {
  const parts = typeof child === 'string' ? partsByDirection(child) : []
  if (parts.length < 2) return [child]
  return parts.map((part, i) => (i % 2 === 0 ? element('tspan', { 'unicode-bidi': 'isolate' }, [part]) : part))
}

/** The text of an element, as XML. */
export function* toXml({ name, attributes, children }: SvgElement): Steps<string> {
  yield
  const written = Object.entries(attributes)
    .map(([key, value]) => (value === undefined ? '' : ` ${key}="${escapeXml(String(value))}"`))
    .join('')
  if (children.length === 0) return `<${name}${written}/>`
  // A line for each part of the drawing, for readers of the file.
  const between = name === 'svg' ? '\n' : ''
  const inside: string[] = []
  for (const child of children) inside.push(typeof child === 'string' ? escapeXml(child) : yield* toXml(child))
  return `<${name}${written}>${between}${inside.join(between)}${between}</${name}>`
}
