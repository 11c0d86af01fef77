// A table with a heading for each column. On a narrow page its rows are cards, or it scrolls in its
// own box.
import type { ComponentChildren } from 'preact'

interface Props {
  readonly label: string
  readonly heads: readonly string[]
  /** True for rows that are cards on a narrow page: their cells name their columns. */
  readonly isCards?: boolean
  /** Rows. */
  readonly children: ComponentChildren
}

export const PlainTable = ({ label, heads, isCards = false, children }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
  <section class="scroller" tabIndex={0} aria-label={label}>
    <table class={isCards ? 'entry-table cards' : 'entry-table'} aria-label={label}>
      <thead>
        <tr>
          {heads.map((words) => (
            <th key={words} scope="col">
              {words}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </section>
)
