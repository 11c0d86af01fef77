// The current session on the button of the account: the person, else the provider. Screen readers
// hear the rest.
import type { Session } from '../../state/frame/session.ts'

export function Who({ session: { own } }: { readonly session: Session }) {
  const { personName, provider, role } = own
  return (
    <span class="who">
      {personName !== null && <bdi class="person">{personName}</bdi>}{' '}
      <span class={personName === null ? undefined : 'hidden'}>
        <bdi>{provider}</bdi> <span class="hidden">{role}</span>
      </span>
    </span>
  )
}
