import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { version } from '../../src/version.ts'

test('the program says the version that package.json and CHANGELOG.md say', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8')).version).toBe(version)
  expect(readFileSync('CHANGELOG.md', 'utf8')).toMatch(/^## \[(Unreleased|\d+\.\d+\.\d+)\]/m)
})
