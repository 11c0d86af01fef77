// The declaration of the pages: each is visited by the tests of all pages, and each that is offered
// can be found.
import '../../support/pages/console-page.ts'
import { expect, test } from 'vitest'
import { pageAt } from '../../../src/console/pages/frame/path-match.ts'
import { pages, titledPages } from '../../../src/console/pages.ts'
import { pageVisits, pathOf } from '../../support/pages/page-visits.ts'

test('every view of the console is visited by the tests of all pages', () => {
  const visited = Object.keys(pageVisits).map(
    (path) =>
      pageAt(
        pages,
        pathOf(path.split(/[?#]/)[0] ?? '', {
          id: 'an-id',
          shipped: 'a-shipment',
          correction: 'another',
          voided: 'a-third',
          webhook: 'a-fourth',
          partner: 'a-fifth',
        }),
      )?.page.view,
  )
  // A drill is what a visit of its list ends with.
  const ended = ['/mock-recalls/:id']
  expect(
    pages.filter(({ view, path }) => !visited.includes(view) && !ended.includes(path)).map(({ path }) => path),
  ).toEqual([])
})

test('no two pages have one title, and what is offered needs nothing in its path', () => {
  const titles = titledPages.map(({ title }) => title)
  expect([...new Set(titles)]).toEqual(titles)
  expect(titledPages.filter(({ path }) => path.includes(':'))).toEqual([])
})
