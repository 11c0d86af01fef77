// The saved views of a list: read, saved and deleted, each change on the version that was read.
import type { ListView } from '../../../client/generated/shapes.ts'
import { failureWords } from '../../words/failure-words.ts'
import { type Edited, useGuardedSave } from './guarded-save.ts'
import { type RequestState, useRequest } from './request.ts'
import { useOpenSession } from './session.ts'
import { say } from './toasts.ts'

/** The compared part of a view; nothing where there is none of its name. */
type ViewContent = Partial<Pick<ListView, 'query' | 'shared'>>

interface KnownViews {
  readonly views: readonly ListView[]
  readonly version: number
}

interface ListViews {
  readonly asked: RequestState<KnownViews>
  readonly save: (view: Pick<ListView, 'name' | 'query' | 'shared'>) => Promise<void>
  readonly remove: (id: string, name: string) => Promise<void>
}

export function useListViews(list: ListView['list']): ListViews {
  const { api } = useOpenSession()
  const read = async (signal?: AbortSignal): Promise<KnownViews> => {
    const { body, version = 0 } = await api.listListViews({ signal })
    return { views: body.content.filter((view) => view.list === list), version }
  }
  const { save: saveGuarded, settle } = useGuardedSave<ViewContent>()
  const asked = useRequest(read, [])
  const attempt = async (work: () => Promise<unknown>, words: string) => {
    try {
      await work()
      say(words)
      asked.again()
    } catch (error) {
      say(failureWords(error).detail, 'failed')
    }
  }
  const save: ListViews['save'] = ({ name, query, shared }) => {
    const contentIn = ({ views, version }: KnownViews) => {
      const same = views.find((view) => view.own && view.name === name)
      return { content: same === undefined ? {} : { query: same.query, shared: same.shared }, version }
    }
    const base = contentIn(asked.is === 'answered' ? asked.value : { views: [], version: 0 })
    return attempt(async () => {
      const isSaved = await saveGuarded(
        base,
        { query, shared },
        {
          entry: name,
          send: (_content, version) => api.saveListView({ body: { list, name, query, shared }, ifMatch: version }),
          read: async () => contentIn(await read()),
        },
      )
      settle()
      if (!isSaved) {
        asked.again()
        throw new Error(`View "${name}" was changed in another tab. Look at it, and save again.`)
      }
    }, `View "${name}" saved.`)
  }
  return {
    asked,
    save,
    remove: (id, name) => {
      const contentIn = ({ views, version }: KnownViews): Edited<ViewContent> => {
        const view = views.find((one) => one.id === id)
        return { content: view === undefined ? {} : { query: view.query, shared: view.shared }, version }
      }
      return attempt(async () => {
        const base = contentIn(asked.is === 'answered' ? asked.value : { views: [], version: 0 })
        const isDeleted = await saveGuarded(
          base,
          {},
          {
            entry: id,
            send: (_content, version) => api.deleteListView({ id, ifMatch: version }),
            read: async () => contentIn(await read()),
          },
        )
        settle()
        if (isDeleted) return
        asked.again()
        throw new Error(`View "${name}" was changed in another tab. Look at it, and delete it again.`)
      }, `View "${name}" deleted.`)
    },
  }
}
