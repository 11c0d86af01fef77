// The heading of the pages about one record, with links between them.

import type { ComponentChildren } from 'preact'
import { capitalize } from '../../../contract/text/capitalize.ts'
import { copy, curlOf } from '../../files/clipboard.ts'
import type { RecordSection } from '../../records/record-sections.ts'
import { recordName } from '../../records/record-summary.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { neighboursIn } from '../../state/records/record-list.ts'
import { PageHead } from '../frame/page-head.tsx'
import { nextKeys, previousKeys } from '../frame/shortcuts.ts'
import { Tabs } from '../tables/tabs.tsx'

interface Props {
  readonly section: RecordSection
  readonly id: string
  /** The name of the record, once it is known. */
  readonly name?: string | undefined
  readonly tab: 'record' | 'versions' | 'edit' | 'json'
  /** True when the record could not be read: there is nothing to edit, compare or copy. */
  readonly unknown?: boolean
  /** Further buttons. */
  readonly actions?: ComponentChildren
}

const tabs = [
  ['record', '', 'Record'],
  ['versions', '/versions', 'Versions'],
  ['edit', '/edit', 'Edit'],
  ['json', '/json', 'JSON'],
] as const

export function RecordHead({ section, id, name, tab, unknown = false, actions }: Props) {
  const mayWrite = useMay('writer')
  const { noun, path } = section.kind
  const title = `${capitalize(noun)}${name ? ` ${name}` : ''}`
  const [, end = '', words] = tabs.find(([one]) => one === tab) ?? []
  return (
    <PageHead
      title={title}
      document={tab === 'record' ? title : `${words} · ${title}`}
      actions={
        unknown ? undefined : (
          <>
            <button type="button" onClick={() => copy(id, 'Id')}>
              Copy id
            </button>
            <button type="button" onClick={() => copy(curlOf(`${path}/${id}`), 'curl command')}>
              Copy curl
            </button>
            {actions}
            <Neighbours section={section} id={id} end={end} />
          </>
        )
      }
    >
      {!unknown && (
        <Tabs
          label="This record"
          tabs={tabs
            .filter(([one]) => one !== 'edit' || mayWrite)
            .map(([one, end, words]) => ({ words, path: `${section.path}/${id}${end}`, isHere: one === tab }))}
        />
      )}
    </PageHead>
  )
}

interface NeighbourProps extends Pick<Props, 'section' | 'id'> {
  /** Of the address of the page, behind the id. */
  readonly end: string
}

/** The same page of the records before and after this one, in the list that it was opened from. */
function Neighbours({ section, id, end }: NeighbourProps) {
  const { previous, next } = neighboursIn(section, id, useOpenSession())
  const ways = [
    [previous, previousKeys, 'Previous', '↑'],
    [next, nextKeys, 'Next', '↓'],
  ] as const
  return ways.map(
    ([record, keys, words, mark]) =>
      record !== undefined && (
        <a
          key={keys}
          class="button"
          href={hrefTo(`${section.path}/${record.id}${end}`)}
          aria-keyshortcuts={keys}
          title={`${recordName(section.kind.name, record)} (Alt ${mark})`}
        >
          {words}
          <span class="hidden"> {section.kind.noun} of the list</span>
        </a>
      ),
  )
}
