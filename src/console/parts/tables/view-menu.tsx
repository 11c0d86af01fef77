// Saved views of a table: a name for its filters, columns and order. One's own, and those that
// others share.
import { useState } from 'preact/hooks'
import type { ListView } from '../../../client/generated/shapes.ts'
import type { Table } from '../../records/table-view.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { useGuardedSave } from '../../state/frame/guarded-save.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import { failureWords } from '../../words/failure-words.ts'
import { Menu } from '../frame/menu.tsx'

/** The compared part of a view; nothing where there is none of its name. */
type ViewContent = Partial<Pick<ListView, 'query' | 'shared'>>

interface Props {
  readonly table: Table
  /** The current view, as in the address. */
  readonly query: string
}

/** A partner has no views: they belong to the account whose records it sees. */
export const ViewMenu = (props: Props) =>
  useMay('reader') ? <Menu words="Views">{(close) => <Views {...props} close={close} />}</Menu> : null

function Views({ table, query, close }: Props & { readonly close: () => void }) {
  const { api } = useOpenSession()
  const read = async (signal?: AbortSignal) => {
    const { body, version = 0 } = await api.listListViews({ signal })
    return { views: body.content, version }
  }
  const { save: saveGuarded, settle } = useGuardedSave<ViewContent>()
  const asked = useRequest(read, [])
  const { list } = table
  const views = asked.is === 'answered' ? asked.value.views.filter((view) => view.list === list) : []
  const attempt = async (work: () => Promise<unknown>, words: string) => {
    try {
      await work()
      say(words)
      asked.again()
    } catch (error) {
      say(failureWords(error).detail, 'failed')
    }
  }
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const save = () => {
    const body = { list, name: name.trim(), query: query.replace(/^\?/, ''), shared }
    if (body.name === '') return
    const contentIn = (all: readonly ListView[]): ViewContent => {
      const same = all.find((view) => view.own && view.list === list && view.name === body.name)
      return same === undefined ? {} : { query: same.query, shared: same.shared }
    }
    const base = { content: contentIn(views), version: asked.is === 'answered' ? asked.value.version : 0 }
    const mine = { query: body.query, shared }
    attempt(async () => {
      const isSaved = await saveGuarded(base, mine, {
        send: (_content, version) => api.saveListView({ body, ifMatch: version }),
        read: async () => {
          const now = await read()
          return { content: contentIn(now.views), version: now.version }
        },
      })
      settle()
      asked.again()
      if (!isSaved) throw new Error(`View "${body.name}" was changed in another tab. Look at it, and save again.`)
    }, `View "${body.name}" saved.`)
    setName('')
  }
  return (
    <>
      {asked.is === 'asking' && <p class="quiet small menu-note">Loading…</p>}
      {asked.is === 'failed' && <p class="small menu-note">{failureWords(asked.error).detail}</p>}
      {asked.is === 'answered' && views.length === 0 && (
        <p class="quiet small menu-note">No views yet. Save what the table shows now under a name.</p>
      )}
      <ul class="column-list">
        {views.map(({ id, name: called, query: saved, shared: isShared, own }) => (
          <li key={id}>
            <a
              class="view-link"
              href={hrefTo(table.path + (saved && `?${saved}`))}
              aria-current={query.replace(/^\?/, '') === saved ? 'true' : undefined}
              onClick={close}
            >
              <bdi>{called}</bdi>
              {isShared && <span class="quiet small">{own ? 'shared' : 'shared with you'}</span>}
            </a>
            {(own || isShared) && (
              <button
                type="button"
                class="plain"
                aria-label={`Delete view ${called}`}
                onClick={() => attempt(() => api.deleteListView({ id }), `View "${called}" deleted.`)}
              >
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
      {/* No form: the menu stands in that of the filters. */}
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
    </>
  )
}
