// Lists, saves and deletes views of tables.
import type { Static } from 'typebox'
import { isGiven } from '../contract/field.ts'
import { operations } from '../operations/catalogue.ts'
import { type ListView, listViewsMax, type NewListView, viewedLists } from '../operations/list-views.ts'
import { findListViews, insertListView, removeListView, type StoredListView } from '../store/list-views.ts'
import { shapeRefusal } from './failure-answers.ts'
import type { Answer, HandlerContext, OperationCall } from './handler.ts'
import { isRecordId } from './record-id.ts'

export const listListViews =
  ({ store }: HandlerContext) =>
  async ({ provider, keyId }: OperationCall): Promise<Answer<'listed'>> => {
    const found = await findListViews(store, provider, keyId, listViewsMax)
    return { outcome: 'listed', body: { content: found.map((view) => toView(view, keyId)) } }
  }

export const saveListView =
  ({ store }: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'saved'>> => {
    const { provider, keyId } = call
    const refusal = shapeRefusal(operations.saveListView.body, call, 'No view was saved.')
    if (refusal !== undefined) return refusal
    const { list, name, query = '', shared = false } = call.body.value as Static<typeof NewListView>
    if (!isGiven(name)) return { outcome: 'refused', detail: 'name is blank. Give the view a name. No view was saved.' }
    if (!viewedLists.includes(list))
      return { outcome: 'refused', detail: `list must be one of ${viewedLists.join(', ')}. No view was saved.` }
    const saved = await insertListView(store, provider, keyId, { list, name, query, shared }, listViewsMax)
    return saved === undefined
      ? {
          outcome: 'refused',
          detail: `The key has ${listViewsMax} views, which is the limit. Delete one. No view was saved.`,
        }
      : { outcome: 'saved', body: toView(saved, keyId) }
  }

export const deleteListView =
  ({ store }: HandlerContext) =>
  async ({ provider, keyId, id }: OperationCall): Promise<Answer<'unknownView' | 'deleted'>> => {
    const view = isRecordId(id) ? await removeListView(store, provider, keyId, id) : undefined
    return view === undefined
      ? { outcome: 'unknownView', detail: `There is no view with id ${id.slice(0, 60)} that is shared or yours.` }
      : { outcome: 'deleted', body: toView(view, keyId) }
  }

const toView = ({ savedAt, ...view }: StoredListView, keyId: string): ListView => ({
  ...view,
  own: view.savedBy === keyId,
  savedDateTime: savedAt.toISOString(),
})
