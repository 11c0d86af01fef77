// The guide of the operator answers for every alert and every line of the log that asks for
// something.
import { expect, test } from 'vitest'
import { filesUnder, textOf } from './tree.ts'

const guide = textOf('docs/guides/operator.md')

test('a service is started with the same options of Node everywhere', () => {
  const [, options = ''] = /"start": "node (--.+) scripts/.exec(textOf('package.json')) ?? []
  expect(options).not.toBe('')
  expect(textOf('Dockerfile')).toContain(
    `CMD ["node", "${options.replaceAll(' ', '", "')}", "dist/cli/main.js", "serve"]`,
  )
  expect(textOf('bench/service-under-load.ts')).toContain(`'${options}'`)
  expect(textOf('examples/operating/lotkeeper.service')).toContain(`node ${options} dist/cli/main.js serve`)
  expect(textOf('docs/operating.md')).toContain(`node ${options} dist/cli/main.js serve`)
})

test('every alert of the examples has a row', () => {
  const alerts = [...textOf('examples/operating/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  expect(alerts).toContain('LotkeeperIsSilent')
  expect(alerts.filter((name) => !guide.includes(`\n| \`${name}\` |`))).toEqual([])
})

/** The beginnings of what is logged as a warning or an error, up to the first value in it. */
const loggedIn = (source: string): readonly string[] =>
  [...source.matchAll(/(?:\.(?:warn|error)\((?:\s*\{[^}]*\},)?|\breportDropped\()\s*(['`])(.*?)(?:\$\{|\1)/g)].map(
    ([, , text = '']) => text,
  )

test('the test reads lines in every form', () => {
  expect(loggedIn("log.warn('One.'); logger.error({ code },\n 'Two.'); reportDropped(`Three: $" + '{error}`)')).toEqual(
    ['One.', 'Two.', 'Three: '],
  )
})

test('every warning and error of the log has a row', () => {
  const lines = filesUnder('src', /\.ts$/)
    .filter((file) => !/^src\/(console|client|cli)\//.test(file))
    .flatMap((file) => loggedIn(textOf(file)))
  expect(lines).toContain('The service failed.')
  expect(lines.filter((line) => !guide.includes(`\`${line.split('. ')[0]}`))).toEqual([])
})
