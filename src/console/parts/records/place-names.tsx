// The locations of an event in a line, in the way of the goods.
import { Fragment } from 'preact'

export const PlaceNames = ({ names }: { readonly names: readonly string[] }) => (
  <>
    {names.map((name, i) => (
      <Fragment key={i}>
        {i > 0 && ' → '}
        <bdi>{name}</bdi>
      </Fragment>
    ))}
  </>
)
