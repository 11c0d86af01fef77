// Saved views of tables: a name and its query. Not shown in the contract; decided in 0063.
import type { Static } from 'typebox'
import { recordKinds } from '../../contract/record-kinds.ts'
import { boolean, object, optional, text } from '../../contract/shape/field.ts'
import { Type } from '../../contract/shape/type.ts'
import { conditionHeaders, type Operation, staleEdit, taggedRead, unmodified } from '../base/operation.ts'

/** Most views that are listed: of one key, and shared ones of one provider. */
export const listViewsMax = 100

/** Tables that have views: those of records, of refusals and of keys. */
export const viewedLists: readonly string[] = [...recordKinds.map(({ name }) => name), 'refusal', 'key', 'balance']

const ListView = Type.Object(
  {
    id: Type.String({ description: 'Id of the view.' }),
    list: Type.String({ description: 'What its table lists.' }),
    name: Type.String(),
    query: Type.String({ description: 'Filters, columns and order, as the console has them in its address.' }),
    shared: Type.Boolean({ description: 'True when all keys of the provider see it.' }),
    own: Type.Boolean({ description: 'True when the key of the request saved it.' }),
    savedBy: Type.String({ description: 'Id of the key that saved it.' }),
    savedDateTime: Type.String({ description: 'When it was saved, in UTC.' }),
  },
  { title: 'ListView', additionalProperties: false },
)
export type ListView = Static<typeof ListView>

const section = '8'

export const NewListView = object('NewListView', {
  list: text({ meaning: 'What its table lists.', example: viewedLists[0] ?? '', section, listed: viewedLists }),
  name: text({ meaning: 'What it is called.', example: 'Gaps of this month', section }),
  query: Type.Optional(
    Type.String({
      ...text({
        meaning: 'Filters, columns and order, as a query string; absent for the usual view.',
        example: 'hasGaps=true&sort=eventDateTime',
        section,
      }),
      maxLength: 4_000,
    }),
  ),
  shared: optional(boolean({ meaning: '`true`: all keys of the provider see it.', example: true, section })),
})

const shared = { cites: 'decision 0063', topic: 'views of tables', headers: [] } as const

const listListViews = {
  ...shared,
  ...taggedRead,
  name: 'listListViews',
  method: 'GET',
  path: '/list-views',
  summary: 'Lists the saved views of tables: your own, and those that are shared.',
  description: `Sorted by name; at most ${listViewsMax} of your own and ${listViewsMax} of others.`,
  role: 'reader',
  query: {},
  outcomes: {
    unmodified,
    listed: {
      status: 200,
      when: 'The views; there may be none.',
      body: Type.Object({ content: Type.Array(ListView) }, { title: 'ListViews', additionalProperties: false }),
      retry: 'never',
    },
  },
} as const satisfies Operation

const saveListView = {
  ...shared,
  headers: conditionHeaders,
  name: 'saveListView',
  method: 'POST',
  path: '/list-views',
  summary: 'Saves a view of a table under a name.',
  description: 'A view that the same key saved under this name before is replaced.',
  role: 'reader',
  query: {},
  body: NewListView,
  outcomes: {
    refused: {
      status: 422,
      when: 'A field is missing or wrong, or the key has as many views as it may have.',
      retry: 'changed',
    },
    stale: staleEdit,
    saved: { status: 200, when: 'The view is saved.', body: ListView, retry: 'never' },
  },
} as const satisfies Operation

const deleteListView = {
  ...shared,
  headers: conditionHeaders,
  name: 'deleteListView',
  method: 'DELETE',
  path: '/list-views/{id}',
  summary: 'Deletes a view: one of your own, or a shared one.',
  description: 'A shared view belongs to all, and is deleted for all.',
  role: 'reader',
  query: {},
  outcomes: {
    unknownView: { status: 404, when: 'There is no view with this id that is shared or of this key.', retry: 'never' },
    stale: staleEdit,
    deleted: { status: 200, when: 'The view is deleted.', body: ListView, retry: 'never' },
  },
} as const satisfies Operation

export const listViewOperations = { listListViews, saveListView, deleteListView }
