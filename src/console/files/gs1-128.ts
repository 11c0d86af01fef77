// Draws GS1-128 barcodes, with the code of a library that is loaded with the page of labels.
import { gs1_128 } from '@bwip-js/browser'

export interface DrawnBarcode {
  /** Width in modules, the narrowest bars, without the quiet zones. */
  readonly modules: number
  /** Bars in modules from the left. */
  readonly bars: readonly { readonly at: number; readonly width: number }[]
}

/** Even, so that the library does not round the middle of a bar. */
const scale = 2

/** Of an element string such as `(00)106141410000000026`; undefined if no barcode can carry it. */
export function drawGs1128(elements: string): DrawnBarcode | undefined {
  const bars: { at: number; width: number }[] = []
  let modules = 0
  const drawing = {
    scale: () => null,
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init: (width: number) => {
      modules = width / scale
    },
    // From one point to another, and how wide.
    line: (...[x, , , , width]: [number, number, number, number, number]) => {
      bars.push({ at: (x - width / 2) / scale, width: width / scale })
    },
    polygon: () => undefined,
    hexagon: () => undefined,
    ellipse: () => undefined,
    fill: () => undefined,
    text: () => undefined,
    end: () => undefined,
  }
  try {
    gs1_128({ bcid: 'gs1-128', text: elements, scale }, drawing)
  } catch {
    return undefined
  }
  return { modules, bars }
}
