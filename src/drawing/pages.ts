// The pages of paper that a drawing takes.
import type { Graph } from './graph.ts'

/** Of the drawing on a page of letter or A4 paper, where its letters have at least 7.5 points. */
const pageWidth = 900
const pageHeight = 1_100
/** What two pages beside each other both show. */
const overlap = 120
/** Where it would take more pages, their letters get smaller. */
const pagesMax = 40

interface Part {
  readonly row: number
  readonly column: number
  readonly x: number
  readonly y: number
}

/** The parts of a drawing, one for each page, and their size. */
export function pagesOf({ width, height }: Pick<Graph, 'width' | 'height'>) {
  const along = (length: number, page: number) => Math.max(1, Math.ceil((length - overlap) / (page - overlap)))
  let scale = 1
  while (along(width, pageWidth * scale) * along(height, pageHeight * scale) > pagesMax) scale *= 1.1
  const [columns, rows] = [along(width, pageWidth * scale), along(height, pageHeight * scale)]
  const each = (length: number, parts: number) => (length + (parts - 1) * overlap) / parts
  const size = { width: each(width, columns), height: each(height, rows) }
  const parts = Array.from({ length: rows * columns }, (_, i): Part => {
    const [row, column] = [Math.floor(i / columns), i % columns]
    return { row, column, x: column * (size.width - overlap), y: row * (size.height - overlap) }
  })
  return { ...size, columns, rows, parts }
}
