// The record as the API returns it.

import { draftText } from '../../drafts/draft.ts'
import { copy } from '../../files/clipboard.ts'
import { When } from '../../parts/frame/states.tsx'
import { RecordHead } from '../../parts/records/record-head.tsx'
import { sectionAt } from '../../records/record-sections.ts'
import { recordName } from '../../records/record-summary.ts'
import { useAddress } from '../../state/frame/address.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import type { PageProps } from '../frame/page.ts'

export function JsonPage({ values: { id = '' } }: PageProps) {
  const { api } = useOpenSession()
  const section = sectionAt(useAddress().path)
  const record = useRequest((signal) => api.of(section.kind.name).read({ id, signal }), [section.path, id])
  const name = record.is === 'answered' ? recordName(section.kind.name, record.value.body) : undefined
  return (
    <>
      <RecordHead section={section} id={id} tab="json" name={name} unknown={record.is === 'failed'} />
      <When asked={record} what={`the ${section.kind.noun}`}>
        {({ body }) => {
          const text = draftText(body)
          return (
            <>
              <p class="actions">
                <button type="button" onClick={() => copy(text, 'JSON')}>
                  Copy JSON
                </button>
              </p>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to be reached by the keyboard */}
              <pre class="json" tabIndex={0}>
                {text}
              </pre>
            </>
          )
        }}
      </When>
    </>
  )
}
