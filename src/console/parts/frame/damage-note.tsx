// The records that a list leaves out because the database lost them.
import { pluralize } from '../../../contract/text/pluralize.ts'

interface Props {
  readonly damaged: readonly { readonly id: string; readonly version: number }[]
  readonly noun: string
  readonly nouns: string
}

export function DamageNote({ damaged, noun, nouns }: Props) {
  if (damaged.length === 0) return null
  const them = damaged.length === 1 ? 'it' : 'them'
  const named = damaged.map(({ id, version }) => `version ${version} of ${id}`).join(', ')
  return (
    <p class="callout error" role="alert">
      {`${pluralize(damaged.length, `${noun} is`, `${nouns} are`)} not shown, because the database lost ${them}: ${named}. Tell the operator of the service, who can restore ${them}.`}
    </p>
  )
}
