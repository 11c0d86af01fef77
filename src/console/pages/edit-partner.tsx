// Other places or grants for a partner. The preview says what is opened and what is withdrawn.
import type { PartnerSettings } from '../../client/generated/shapes.ts'
import { PageHead } from '../parts/page-head.tsx'
import { PartnerForm } from '../parts/partner-form.tsx'
import { When } from '../parts/states.tsx'
import { go } from '../state/address.ts'
import { say } from '../state/notices.ts'
import { useRequest } from '../state/request.ts'
import { useOpenSession } from '../state/session.ts'
import type { PageProps } from './page.ts'

export function EditPartnerPage({ values: { id = '' } }: PageProps) {
  const { api } = useOpenSession()
  const asked = useRequest(async (signal) => (await api.readPartner({ id, signal })).body, [id])
  const save = async (body: PartnerSettings) => {
    await api.replacePartner({ id, body })
    say('The partner is saved')
    go(`/partners/${id}`)
  }
  return (
    <>
      <PageHead title={asked.is === 'answered' ? `Edit ${asked.value.name}` : 'Edit partner'} />
      <When asked={asked} what="the partner">
        {(partner) => (
          <PartnerForm
            known={partner}
            onPreview={async (body, signal) => (await api.replacePartner({ id, body, dryRun: true, signal })).body}
            onSend={save}
            onCancel={() => go(`/partners/${id}`)}
          />
        )}
      </When>
    </>
  )
}
