// Parts of every drawing: colours, text that fits, and the mark of a note. Colours are attributes,
// so that they work where a policy blocks styles; their classes let a page or a dark theme change
// them.
import { element, type SvgElement } from './svg-element.ts'
import { cut } from './svg-text.ts'

export const light = {
  background: '#ffffff',
  box: '#f7f9fb',
  line: '#c3ccd6',
  text: '#16202a',
  faint: '#51606f',
} as const
const warningColour = '#b45309'

/** The factor by which bold text is wider. */
export const boldness = 1.08

type Classes = 'text' | 'faint' | 'warn'
const fills: Readonly<Record<Classes, string>> = { text: light.text, faint: light.faint, warn: warningColour }

interface TextStyle {
  readonly size: number
  readonly widthMax: number
  readonly of?: Classes
  readonly bold?: boolean
  readonly anchor?: 'middle'
}

/** Text that fits; the rest is in its tooltip. */
export function textAt(
  x: number,
  y: number,
  text: string,
  { size, widthMax, of = 'text', bold, anchor }: TextStyle,
): SvgElement {
  const shown = cut(text, bold ? size * boldness : size, widthMax)
  const attributes = {
    class: of,
    x,
    y,
    'font-size': size,
    fill: fills[of],
    'font-weight': bold ? 600 : undefined,
    'text-anchor': anchor,
  }
  return element('text', attributes, shown === text ? [shown] : [shown, element('title', {}, [text])])
}

/** The mark of a note. */
export const warningAt = (x: number, y: number): SvgElement =>
  element('path', {
    class: 'warn',
    fill: warningColour,
    d: `M${x + 8} ${y}l8 15h-16zm-1 5v5h2v-5zm0 6.5v2h2v-2z`,
    'fill-rule': 'evenodd',
  })
