// A new partner. The invitation comes next, on its page.
import type { PartnerSettings } from '../../../client/generated/shapes.ts'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { PartnerForm } from '../../parts/sharing/partner-form.tsx'
import { go } from '../../state/frame/address.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'

export function NewPartnerPage() {
  const { api } = useOpenSession()
  const create = async (body: PartnerSettings) => {
    const { id, name } = (await api.createPartner({ body })).body
    say(`${name} is created. Nobody can read yet: invite a person next`)
    go(`/partners/${id}`)
  }
  return (
    <>
      <PageHead title="New partner">
        <p class="quiet">
          The preview shows what the partner would see. Nobody reads anything before you send an invitation.
        </p>
      </PageHead>
      <PartnerForm
        onPreview={async (body, signal) => (await api.createPartner({ body, dryRun: true, signal })).body}
        onSend={create}
        onCancel={() => go('/partners')}
      />
    </>
  )
}
