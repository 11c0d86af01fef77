// Who is signed in, in the head of every page.
import { hrefTo } from '../state/address.ts'
import type { Session } from '../state/session.ts'

export function Who({ session: { own } }: { readonly session: Session }) {
  const { personName, provider, role, keyId, label } = own
  return (
    <a class="who" href={hrefTo('/keys')} title={`Signed in with ${label === '' ? 'key' : `“${label}”,`} ${keyId}`}>
      {personName !== null && <bdi class="person">{personName}</bdi>}
      <span class="account">
        <bdi>{provider}</bdi> <span>{role}</span>
      </span>
    </a>
  )
}
