// The actor: the person or label of the key, with its id as a detail.

interface Props {
  /** Null where the service has no such key. */
  readonly name: string | null
  readonly id: string
}

export const KeyName = ({ name, id }: Props) =>
  name === null ? (
    <code>{id}</code>
  ) : (
    <>
      <bdi>{name}</bdi> <code class="quiet small">{id}</code>
    </>
  )
