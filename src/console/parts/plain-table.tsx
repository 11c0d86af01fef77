// A table with a heading for each column, which scrolls in its own box on a narrow page.
import type { ComponentChildren } from 'preact'

interface Props {
  readonly label: string
  readonly heads: readonly string[]
  /** Rows. */
  readonly children: ComponentChildren
}

export const PlainTable = ({ label, heads, children }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
  <section class="scroller" tabIndex={0} aria-label={label}>
    <table class="entry-table" aria-label={label}>
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
