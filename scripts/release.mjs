// Releases: what must hold before one, its tag, and its notes. .github/workflows/release.yml does
// the rest once the tag is pushed.
//   node scripts/release.mjs check [tag] | notes | tag
import childProcess from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import url from 'node:url'
import { root } from './newest.mjs'

const read = (file) => fs.readFileSync(path.join(root, file), 'utf8')

/** The only file that names the repository, and what it has until there is one. */
export const manifest = JSON.parse(read('package.json'))
const placeholder = '/OWNER/'

/** The page of the repository. */
export const pageOf = ({ repository }) => repository.url.replace(/^git\+/, '').replace(/\.git$/, '')

/** A document whose links lead to the repository, for readers who have the document alone. */
export const withWholeLinks = (text, { page, version, folder = '' }) =>
  text.replaceAll(
    /\]\((?![a-z]+:|#)([^)\s]+)\)/g,
    (_, target) => `](${page}/blob/v${version}/${path.posix.join(folder, target)})`,
  )

const sectionOf = (changelog, version) =>
  changelog.split(/^(?=## )/m).find((section) => section.startsWith(`## [${version}]`)) ?? ''

/** What a release of these files would get wrong. `repository` is where its workflow runs. */
export function faultsOf({ manifest, client, changelog, readme }, { tag, repository } = {}) {
  const { version } = manifest
  const page = pageOf(manifest)
  return [
    page.includes(placeholder) && `package.json: ${page} is a placeholder. Name the repository of the project.`,
    repository && !page.endsWith(`/${repository}`) && `package.json names ${page}, and this is ${repository}.`,
    tag && tag !== `v${version}` && `The tag is ${tag}. package.json says v${version}.`,
    client.version !== version && `packages/client has version ${client.version} instead of ${version}.`,
    !/^## \[.*\] - \d{4}-\d\d-\d\d$/m.test(sectionOf(changelog, version)) &&
      `CHANGELOG.md: the section of ${version} has no date.`,
    readme.includes('not released yet') && 'README.md says "not released yet".',
  ].filter(Boolean)
}

export const notesOf = ({ manifest, changelog }) =>
  withWholeLinks(sectionOf(changelog, manifest.version).replace(/^.*\n+/, ''), {
    page: pageOf(manifest),
    version: manifest.version,
  })

export const releasedFiles = () => ({
  manifest,
  client: JSON.parse(read('packages/client/package.json')),
  changelog: read('CHANGELOG.md'),
  readme: read('README.md'),
})

const git = (...args) => childProcess.execFileSync('git', args, { cwd: root, encoding: 'utf8' })

function release(command, tag) {
  const files = releasedFiles()
  if (command === 'notes') return console.log(notesOf(files))
  const faults = faultsOf(files, { tag, repository: process.env.GITHUB_REPOSITORY })
  if (command === 'tag' && git('status', '--porcelain') !== '') faults.push('There are changes that are not committed.')
  if (faults.length > 0) {
    console.error(faults.join('\n'))
    process.exitCode = 1
  } else if (command === 'tag') {
    const name = `v${manifest.version}`
    git('tag', '--annotate', name, '--message', `Lotkeeper ${manifest.version}`)
    git('push', 'origin', name)
    console.log(`${name} is pushed. The workflow "Release" does the rest.`)
  } else console.log(`v${manifest.version} can be released.`)
}

if (process.argv[1] === url.fileURLToPath(import.meta.url)) release(...process.argv.slice(2))
