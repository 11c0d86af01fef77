import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { version } from '../../src/version.ts'

const changelog = readFileSync('CHANGELOG.md', 'utf8')

test('the program says the version that package.json and CHANGELOG.md say', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8')).version).toBe(version)
  expect(/^## \[(.+?)\]/m.exec(changelog)?.[1]).toBe(version)
})

test('the Helm chart has that version too, and installs that image', () => {
  const chart = parse(readFileSync('charts/lotkeeper/Chart.yaml', 'utf8'))
  expect([chart.version, chart.appVersion]).toEqual([version, version])
})

test('what changed in a version is told in at most 60 lines, by who notices it', () => {
  const [, ...versions] = changelog.split(/^(?=## )/m)
  expect(versions.map((text) => text.split('\n').length).filter((lines) => lines > 60)).toEqual([])
  const readers = ['Compliance managers', 'Integrators', 'Receivers of webhooks', 'Operators', 'Developers']
  const headings = [...changelog.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading)
  expect(headings.filter((heading) => !readers.includes(heading ?? ''))).toEqual([])
})
