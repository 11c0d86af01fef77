// The heading of the pages about one record, with the way between them.
import { hrefTo } from '../address.ts'
import { copy, curlOf } from '../clipboard.ts'
import type { RecordSection } from '../record-sections.ts'
import { useMay } from '../session.ts'
import { PageHead } from './page-head.tsx'

interface Props {
  readonly section: RecordSection
  readonly id: string
  /** What tells the record from others, once it is known. */
  readonly name?: string | undefined
  readonly tab: 'record' | 'versions' | 'edit' | 'json'
}

const tabs = [
  ['record', '', 'Record'],
  ['versions', '/versions', 'Versions'],
  ['edit', '/edit', 'Edit'],
  ['json', '/json', 'JSON'],
] as const

export function RecordHead({ section, id, name, tab }: Props) {
  const mayWrite = useMay('writer')
  const { noun, path } = section.kind
  const title = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}${name ? ` ${name}` : ''}`
  const words = tabs.find(([one]) => one === tab)?.[2]
  return (
    <PageHead
      title={title}
      document={tab === 'record' ? title : `${words} · ${title}`}
      actions={
        <>
          <button type="button" onClick={() => copy(id, 'Id')}>
            Copy id
          </button>
          <button type="button" onClick={() => copy(curlOf(`${path}/${id}`), 'curl command')}>
            Copy curl
          </button>
        </>
      }
    >
      <nav class="tabs" aria-label="This record">
        {tabs
          .filter(([one]) => one !== 'edit' || mayWrite)
          .map(([one, end, text]) => (
            <a key={one} href={hrefTo(`${section.path}/${id}${end}`)} aria-current={one === tab ? 'page' : undefined}>
              {text}
            </a>
          ))}
      </nav>
    </PageHead>
  )
}
