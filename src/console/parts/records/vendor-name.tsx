// A vendor by name, with its id as a detail; by its id when it has no name.

interface Props {
  readonly id: string
  readonly name: string | null
}

export function VendorName({ id, name }: Props) {
  return name === null ? (
    <bdi>{id}</bdi>
  ) : (
    <>
      <bdi>{name}</bdi> <bdi class="quiet small mono">{id}</bdi>
    </>
  )
}
