// Texts of records in a row, each isolated: letters from right to left reorder no neighbour.
import { Fragment } from 'preact'

interface Props {
  readonly texts: readonly string[]
  /** What stands between two of them. */
  readonly between?: string
}

/** Texts that are read in sequence, such as lot codes. */
export const TextList = ({ texts, between = ', ' }: Props) => (
  <>
    {texts.map((text, i) => (
      <Fragment key={i}>
        {i > 0 && between}
        <bdi>{text}</bdi>
      </Fragment>
    ))}
  </>
)
