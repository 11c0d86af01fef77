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

interface Change {
  /** Tells the views of one list apart. */
  readonly entry: string
  readonly name: string
  /** What is left of the view; nothing of one that is deleted. */
  readonly mine?: ViewContent
  readonly send: (version: number) => Promise<unknown>
  readonly done: string
  /** What to do after another change was seen. */
  readonly again: string
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
  /** Changes what `isMeant` finds, on the version that was read. */
  const change = (isMeant: (view: ListView) => boolean, { entry, name, mine = {}, send, done, again }: Change) =>
    attempt(async () => {
      const contentIn = ({ views, version }: KnownViews): Edited<ViewContent> => {
        const view = views.find(isMeant)
        return { content: view === undefined ? {} : { query: view.query, shared: view.shared }, version }
      }
      const base = contentIn(asked.is === 'answered' ? asked.value : { views: [], version: 0 })
      const isChanged = await saveGuarded(base, mine, {
        entry,
        send: (_content, version) => send(version),
        read: async () => contentIn(await read()),
      })
      settle()
      if (isChanged) return
      asked.again()
      throw new Error(`View "${name}" was changed in another tab. Look at it, and ${again}.`)
    }, `View "${name}" ${done}.`)
  return {
    asked,
    save: ({ name, query, shared }) =>
      change((view) => view.own && view.name === name, {
        ...{ entry: name, name, done: 'saved', again: 'save again' },
        mine: { query, shared },
        send: (ifMatch) => api.saveListView({ body: { list, name, query, shared }, ifMatch }),
      }),
    remove: (id, name) =>
      change((view) => view.id === id, {
        ...{ entry: id, name, done: 'deleted', again: 'delete it again' },
        send: (ifMatch) => api.deleteListView({ id, ifMatch }),
      }),
  }
}
