// A partner while it is entered: its settings as they would be sent, and what they would show.
import { useReducer, useRef, useState } from 'preact/hooks'
import type { Grant, Partner, PartnerSettings, Place, SharingPreview } from '../../../client/generated/shapes.ts'
import { withheldByDefault } from '../../../contract/sharing.ts'
import { type RequestState, useRequest } from '../frame/request.ts'

/** A grant keeps its key while others are added and removed. */
interface GrantDraft {
  readonly key: number
  readonly grant: Grant
}

export interface PartnerDraft {
  readonly name: string
  readonly places: readonly Place[]
  readonly grants: readonly GrantDraft[]
  readonly nextKey: number
}

export type PartnerChange =
  | { readonly is: 'named'; readonly name: string }
  | { readonly is: 'placed'; readonly places: readonly Place[] }
  | { readonly is: 'granted' }
  | { readonly is: 'changed'; readonly key: number; readonly grant: Grant }
  | { readonly is: 'removed'; readonly key: number }

export type KnownPartner = Pick<Partner, 'id' | 'name' | 'places' | 'grants'>

const usualGrant = (): Grant => ({ direction: 'shipTo', withHistory: false, withheld: [...withheldByDefault] })

export function partnerDraftOf(known: KnownPartner | undefined): PartnerDraft {
  const grants = (known?.grants ?? [usualGrant()]).map((grant, key) => ({ key, grant }))
  return { name: known?.name ?? '', places: known?.places ?? [], grants, nextKey: grants.length }
}

export function changePartner(draft: PartnerDraft, change: PartnerChange): PartnerDraft {
  const { grants, nextKey } = draft
  switch (change.is) {
    case 'named':
      return { ...draft, name: change.name }
    case 'placed':
      return { ...draft, places: change.places }
    case 'granted':
      return { ...draft, grants: [...grants, { key: nextKey, grant: usualGrant() }], nextKey: nextKey + 1 }
    case 'changed':
      return { ...draft, grants: grants.map((one) => (one.key === change.key ? { ...one, grant: change.grant } : one)) }
    case 'removed':
      return { ...draft, grants: grants.filter(({ key }) => key !== change.key) }
  }
}

/** Without what narrows nothing. */
function sentGrant({
  dataProviderVendorIds = [],
  itemCodes = [],
  firstEventDate,
  endDateTime,
  ...grant
}: Grant): Grant {
  return {
    ...grant,
    ...(dataProviderVendorIds.length > 0 && { dataProviderVendorIds }),
    ...(itemCodes.length > 0 && { itemCodes }),
    ...(firstEventDate && { firstEventDate }),
    ...(endDateTime && { endDateTime }),
  }
}

const settingsOf = ({ name, places, grants }: PartnerDraft): PartnerSettings => ({
  name: name.trim(),
  places: [...places],
  grants: grants.map(({ grant }) => sentGrant(grant)),
})

/** How long the form rests before a preview is asked for, in milliseconds. */
const restMs = 400

interface Preview {
  readonly asked: RequestState<SharingPreview | undefined>
  /** The one before stays in sight while the next is made. */
  readonly last: SharingPreview | undefined
}

export function usePartnerDraft(
  known: KnownPartner | undefined,
  onPreview: (settings: PartnerSettings, signal: AbortSignal) => Promise<SharingPreview>,
) {
  const [draft, change] = useReducer(changePartner, known, partnerDraftOf)
  const settings = settingsOf(draft)
  const [first] = useState(() => JSON.stringify(settings))
  const asked = useRequest(
    async (signal) => {
      if (settings.name === '') return undefined
      await new Promise((resolve) => setTimeout(resolve, restMs))
      signal.throwIfAborted()
      return onPreview(settings, signal)
    },
    [settings],
  )
  const last = useRef<SharingPreview>(undefined)
  if (asked.is === 'answered' && asked.value) last.current = asked.value
  const preview: Preview = { asked, last: last.current }
  return { draft, change, settings, preview, isChanged: JSON.stringify(settings) !== first }
}
