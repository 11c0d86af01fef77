// Creates a partner, whose invitation comes next, or changes its places and grants: the preview
// shows the events that are opened and withdrawn.
import type { Partner, PartnerSettings } from '../../../client/generated/shapes.ts'
import { NamedFirst } from '../../parts/fields/display-name.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { When } from '../../parts/frame/states.tsx'
import { GuardedEdit } from '../../parts/records/guarded-edit.tsx'
import { PartnerForm } from '../../parts/sharing/partner-form.tsx'
import { go } from '../../state/frame/address.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import type { PageProps } from '../frame/page.ts'

export function NewPartnerPage() {
  const { api } = useOpenSession()
  const create = async (body: PartnerSettings) => {
    const { id, name } = (await api.createPartner({ body })).body
    say(`${name} is created. Nobody can read yet: invite a person next`)
    go(`/partners/${id}`)
  }
  const leave = () => go('/partners')
  return (
    <>
      <PageHead title="New partner">
        <p class="quiet">
          The preview shows what the partner would see. Nobody reads anything before you send an invitation.
        </p>
      </PageHead>
      <NamedFirst onClose={leave}>
        <PartnerForm
          onPreview={async (body, signal) => (await api.createPartner({ body, dryRun: true, signal })).body}
          onSend={create}
          onCancel={leave}
        />
      </NamedFirst>
    </>
  )
}

const settingsOf = ({ name, places, grants }: Partner): PartnerSettings => ({ name, places, grants })

export function EditPartnerPage({ values: { id = '' } }: PageProps) {
  const { api } = useOpenSession()
  const read = async (signal?: AbortSignal) => {
    const { body, version = 1 } = await api.readPartner({ id, signal })
    return { partner: body, content: settingsOf(body), version }
  }
  const asked = useRequest(read, [id])
  return (
    <>
      <PageHead title={asked.is === 'answered' ? `Edit ${asked.value.partner.name}` : 'Edit partner'} />
      <When asked={asked} what="the partner">
        {({ partner, ...start }) => (
          <GuardedEdit
            noun="partner"
            start={start}
            read={read}
            send={(body, version) => api.replacePartner({ id, body, ifMatch: version })}
            onSaved={() => {
              say('The partner is saved')
              go(`/partners/${id}`)
            }}
          >
            {({ content, isUnsaved, save }) => (
              <PartnerForm
                known={{ ...partner, ...content }}
                isUnsaved={isUnsaved}
                onPreview={async (body, signal) => (await api.replacePartner({ id, body, dryRun: true, signal })).body}
                onSend={save}
                onCancel={() => go(`/partners/${id}`)}
              />
            )}
          </GuardedEdit>
        )}
      </When>
    </>
  )
}
