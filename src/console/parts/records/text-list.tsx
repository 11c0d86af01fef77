// Texts of records in a row, each isolated: letters from right to left reorder no neighbour.
import { Fragment } from 'preact'

/** Texts that are read in sequence, such as lot codes. */
export const TextList = ({ texts }: { readonly texts: readonly string[] }) => (
  <>
    {texts.map((text, i) => (
      <Fragment key={text}>
        {i > 0 && ', '}
        <bdi>{text}</bdi>
      </Fragment>
    ))}
  </>
)
