// A partner while it is entered: each change touches what it names, and nothing else.
// First: files of the console look for a browser when they are loaded.
import '../../support/pages/console-page.ts'

import { expect, test } from 'vitest'
import {
  changePartner,
  type PartnerChange,
  type PartnerDraft,
  partnerDraftOf,
} from '../../../src/console/state/sharing/partner-draft.ts'

const changed = (draft: PartnerDraft, ...changes: readonly PartnerChange[]) => changes.reduce(changePartner, draft)

test('a new partner begins without a name and places, with the usual grant', () => {
  const { name, places, grants } = partnerDraftOf(undefined)
  expect([name, places, grants.length]).toEqual(['', [], 1])
  expect(grants[0]?.grant).toMatchObject({ direction: 'shipTo', withHistory: false })
})

test('a grant that is changed or removed leaves the others and their keys as they are', () => {
  const three = changed(partnerDraftOf(undefined), { is: 'granted' }, { is: 'granted' })
  const [first, second, third] = three.grants
  const grant = { direction: 'shipFrom', withHistory: true } as const
  const edited = changed(three, { is: 'changed', key: 1, grant })
  expect(edited.grants).toEqual([first, { key: second?.key, grant }, third])
  expect(changed(edited, { is: 'removed', key: 1 }).grants).toEqual([first, third])
})

test('a grant that is added after one was removed has a key of its own', () => {
  const draft = changed(partnerDraftOf(undefined), { is: 'granted' }, { is: 'removed', key: 1 }, { is: 'granted' })
  expect(draft.grants.map(({ key }) => key)).toEqual([0, 2])
})

test('another name or other places keep the grants', () => {
  const draft = partnerDraftOf({ id: 'p1', name: 'Walmart', places: [], grants: [] })
  const places = [{ gln: '0614141000012' }]
  expect(changed(draft, { is: 'named', name: 'Costco' }, { is: 'placed', places })).toMatchObject({
    name: 'Costco',
    places,
    grants: [],
  })
})
