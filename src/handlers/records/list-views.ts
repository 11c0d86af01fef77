// Lists, saves and deletes views of tables.
import type { Static } from 'typebox'
import { isGiven } from '../../contract/shape/field.ts'
import {
  type ListView,
  listViewOperations,
  listViewsMax,
  type NewListView,
  viewedLists,
} from '../../operations/records/list-views.ts'
import { versionOfSetting } from '../../store/base/setting-versions.ts'
import { findListViews, insertListView, removeListView, type StoredListView } from '../../store/records/list-views.ts'
import { editUnderCondition } from '../base/conditions.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { isRecordId } from '../base/record-id.ts'
import { shapeRefusal } from './failure-answers.ts'

const views = { edited: 'listView', what: 'The list of views' }

const listListViews =
  ({ store }: HandlerContext) =>
  async ({ provider, keyId }: OperationCall): Promise<Answer<'listed'>> => {
    const version = await versionOfSetting(store, provider, 'listView')
    const found = await findListViews(store, { provider, keyId, limit: listViewsMax })
    return { outcome: 'listed', version, body: { content: found.map((view) => toView(view, keyId)) } }
  }

const saveListView =
  ({ store }: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'stale' | 'saved'>> => {
    const { provider, keyId } = call
    const refusal = shapeRefusal(listViewOperations.saveListView.body, call, 'No view was saved.')
    if (refusal !== undefined) return refusal
    const { list, name, query = '', shared = false } = call.body.value as Static<typeof NewListView>
    if (!isGiven(name)) return { outcome: 'refused', detail: 'name is blank. Give the view a name. No view was saved.' }
    if (!viewedLists.includes(list))
      return { outcome: 'refused', detail: `list must be one of ${viewedLists.join(', ')}. No view was saved.` }
    const view = { list, name, query, shared }
    const saved = await editUnderCondition(store, call, views, (allowed) =>
      insertListView(store, provider, { keyId, ...view, most: listViewsMax }, allowed),
    )
    if (saved === 'tooMany')
      return {
        outcome: 'refused',
        detail: `The key has ${listViewsMax} views, which is the limit. Delete one. No view was saved.`,
      }
    if ('outcome' in saved) return saved
    const { version, ...stored } = saved
    return { outcome: 'saved', version, body: toView(stored, keyId) }
  }

const deleteListView =
  ({ store }: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'unknownView' | 'stale' | 'deleted'>> => {
    const { provider, keyId, id } = call
    const view = isRecordId(id)
      ? await editUnderCondition(store, call, views, (allowed) =>
          removeListView(store, provider, { keyId, id }, allowed),
        )
      : undefined
    if (view === undefined)
      return { outcome: 'unknownView', detail: `There is no view with id ${id.slice(0, 60)} that is shared or yours.` }
    return 'outcome' in view ? view : { outcome: 'deleted', body: toView(view, keyId) }
  }

const toView = ({ savedAt, ...view }: StoredListView, keyId: string): ListView => ({
  ...view,
  own: view.savedBy === keyId,
  savedDateTime: savedAt.toISOString(),
})

export const listViewHandlers = { listListViews, saveListView, deleteListView }
