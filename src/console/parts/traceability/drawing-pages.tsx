// A drawing on paper: what one page cannot show in letters that can be read continues on others.
import type { Graph } from '../../../drawing/graph.ts'
import { pagesOf } from '../../../drawing/pages.ts'

/** Seen on paper only, and only where the drawing is larger than a page. */
export function DrawingPages({ graph, id }: { readonly graph: Graph; readonly id: string }) {
  const { width, height, columns, rows, parts } = pagesOf(graph)
  return (
    parts.length > 1 && (
      <div class="drawing-pages">
        {parts.map(({ row, column, x, y }) => (
          <figure key={`${row} ${column}`}>
            <figcaption class="small quiet">
              Drawing: row {row + 1} of {rows}, column {column + 1} of {columns}
            </figcaption>
            <svg aria-hidden="true" viewBox={`${x} ${y} ${width} ${height}`}>
              <use href={`#${id}`} />
            </svg>
          </figure>
        ))}
      </div>
    )
  )
}
