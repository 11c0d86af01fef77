// Saved views of a table: a name for its filters, columns and order. One's own, and those that
// others share.
import { useState } from 'preact/hooks'
import type { Table } from '../../records/table-view.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { useListViews } from '../../state/frame/list-views.ts'
import { useMay } from '../../state/frame/session.ts'
import { failureWords } from '../../words/failure-words.ts'
import { Menu } from '../frame/menu.tsx'

interface Props {
  readonly table: Table
  /** The current view, as in the address. */
  readonly query: string
}

/** A partner has no views: they belong to the account whose records it sees. */
export const ViewMenu = (props: Props) =>
  useMay('reader') ? <Menu words="Views">{(close) => <Views {...props} close={close} />}</Menu> : null

function Views({ table, query, close }: Props & { readonly close: () => void }) {
  const views = useListViews(table.list)
  const { asked } = views
  return (
    <>
      {asked.is === 'asking' && <p class="quiet small menu-note">Loading…</p>}
      {asked.is === 'failed' && <p class="small menu-note">{failureWords(asked.error).detail}</p>}
      {asked.is === 'answered' && asked.value.views.length === 0 && (
        <p class="quiet small menu-note">No views yet. Save what the table shows now under a name.</p>
      )}
      <ul class="column-list">
        {asked.is === 'answered' &&
          asked.value.views.map(({ id, name, query: saved, shared, own }) => (
            <li key={id}>
              <a
                class="view-link"
                href={hrefTo(table.path + (saved && `?${saved}`))}
                aria-current={query.replace(/^\?/, '') === saved ? 'true' : undefined}
                onClick={close}
              >
                <bdi>{name}</bdi>
                {shared && <span class="quiet small">{own ? 'shared' : 'shared with you'}</span>}
              </a>
              {(own || shared) && (
                <button
                  type="button"
                  class="plain"
                  aria-label={`Delete view ${name}`}
                  onClick={() => views.remove(id, name)}
                >
                  ×
                </button>
              )}
            </li>
          ))}
      </ul>
      <SaveView onSave={(named) => views.save({ ...named, query: query.replace(/^\?/, '') })} />
    </>
  )
}

/** Not a form element: the menu is inside the form of the filters. */
function SaveView({
  onSave,
}: {
  readonly onSave: (view: { readonly name: string; readonly shared: boolean }) => void
}) {
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const save = () => {
    if (name.trim() === '') return
    onSave({ name: name.trim(), shared })
    setName('')
  }
  return (
    <div class="menu-end">
      <label for="view-name">Save this view as</label>
      <span class="with-button">
        <input
          type="text"
          id="view-name"
          value={name}
          maxLength={100}
          autocomplete="off"
          onInput={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.isComposing) return
            event.preventDefault()
            save()
          }}
        />
        <button type="button" onClick={save} disabled={name.trim() === ''}>
          Save view
        </button>
      </span>
      <label>
        <input type="checkbox" checked={shared} onChange={() => setShared(!shared)} /> Share with everyone of this
        provider
      </label>
    </div>
  )
}
