// The documentation as a site: the pages of this repository as they are, with search and the
// interactive reference of the API. Run: npm run docs:build. A dead link fails it.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { viewerStyle } from '../src/http/viewer-style.ts'
import { slug } from './slug.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { version, description, repository } = JSON.parse(read('package.json')) as {
  readonly version: string
  readonly description: string
  readonly repository: { readonly url: string }
}
const repositoryUrl = repository.url.replace(/^git\+/, '').replace(/\.git$/, '')

const isPage = (path: string): boolean => /^(?:[A-Z_]+|(?:docs|examples|packages)\/.+)\.md$/.test(path)

/** The page of a folder is its index. */
const asIndex = (path: string): string => path.replace(/(^|\/)README\.md$/, '$1index.md')
const addressOf = (path: string): string =>
  `/${asIndex(path)
    .replace(/\.md$/, '')
    .replace(/(^|\/)index$/, '$1')}`

// Not the types of vitepress: they bring those of pages, which change the rest of the program.
interface Token {
  readonly type: string
  info: string
  readonly children: readonly Token[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}
interface Parsing {
  src: string
  readonly tokens: readonly Token[]
  readonly env: { readonly path: string }
}
interface MarkdownIt {
  readonly core: {
    readonly ruler: {
      before(other: string, name: string, rule: (state: Parsing) => void): void
      push(name: string, rule: (state: Parsing) => void): void
    }
  }
}

/** Leads each relative link of the repository to the page of the site, or to the file there. */
function rewriteLinks(md: MarkdownIt): void {
  // Raw HTML is shown as text, as `<id>` outside of code is; a comment is left out.
  md.core.ruler.before('normalize', 'comments', (state) => {
    state.src = state.src.replaceAll(/^<!--.*?-->\n/gm, '')
  })
  md.core.ruler.push('links', ({ tokens, env }) => {
    const page = relative(root, env.path)
    // Coloured, the statements of all searches would be a page of 10 MB.
    if (page.endsWith('/searches.md')) for (const token of tokens) token.info = ''
    for (const link of tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'link_open')) {
      const href = link.attrGet('href') ?? ''
      if (/^(?:[a-z]+:|#|\/)/.test(href)) continue
      const [path = '', fragment] = href.split('#')
      link.attrSet('href', targetOf(page, path) + (fragment === undefined ? '' : `#${fragment}`))
    }
  })
}

function targetOf(page: string, path: string): string {
  const file = posix.join(posix.dirname(page), decodeURI(path))
  const place = join(root, file)
  if (!existsSync(place)) throw new Error(`${page} leads to ${path}, which is not there.`)
  if (isPage(file)) return asIndex(path)
  // Files of docs/ are copied; sources are read where they are kept.
  if (file.startsWith('docs/')) return `/${file}`
  return `${repositoryUrl}/${statSync(place).isDirectory() ? 'tree' : 'blob'}/v${version}/${file}`
}

interface Item {
  readonly text: string
  readonly link: string
}

const titleOf = (path: string): string => /^# (.+)$/m.exec(read(path))?.[1]?.replaceAll('`', '') ?? path
const itemsOf = (folder: string): readonly Item[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => ({ text: titleOf(`${folder}/${name}`), link: addressOf(`${folder}/${name}`) }))

/** The sections of docs/README.md, in its order. */
function sections(): { text: string; items: Item[]; collapsed?: boolean }[] {
  return read('docs/README.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [text = ''] = section.split('\n', 1)
      const linked = [...section.matchAll(/^\| \[([^\]]+)\]\(([^)]+\.md)\)/gm)].map(([, name = '', path = '']) => ({
        text: name,
        link: addressOf(posix.join('docs', path)),
      }))
      // Most pages of the reference are made on each machine, so no page that git keeps names them.
      return text === 'Reference' ? { text, items: [apiItem, ...itemsOf('docs/reference')] } : { text, items: linked }
    })
}

const apiFolder = 'docs/reference/api'
const apiItem: Item = { text: 'API, interactive', link: `/${apiFolder}/index.html` }

/** The viewer that the service has at /docs, with the document beside it. */
function writeApiPage(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const viewer = join(root, 'node_modules/@fastify/swagger-ui/static')
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) cpSync(join(viewer, name), join(folder, name))
  cpSync(join(root, 'docs/reference/openapi.json'), join(folder, 'openapi.json'))
  writeFileSync(join(folder, 'lotkeeper.css'), viewerStyle)
  // Nothing to try here: there is no service behind this page.
  writeFileSync(
    join(folder, 'start.js'),
    "SwaggerUIBundle({ url: 'openapi.json', dom_id: '#viewer', supportedSubmitMethods: [], validatorUrl: null, deepLinking: true })\n",
  )
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Lotkeeper API</title>
<link rel="stylesheet" href="swagger-ui.css">
<link rel="stylesheet" href="lotkeeper.css">
<p style="margin: 1rem 2rem; font-family: sans-serif"><a href="/docs/">Documentation</a></p>
<div id="viewer"></div>
<script src="swagger-ui-bundle.js"></script>
<script src="start.js"></script>
</html>
`,
  )
}

/** All that pages load or lead to is in the site; only sources are linked where they are kept. */
function checkFiles(site: string): void {
  const files = readdirSync(site, { recursive: true, encoding: 'utf8' })
  const pages = new Map<string, string>()
  for (const page of files.filter((file) => file.endsWith('.html')))
    pages.set(page, readFileSync(join(site, page), 'utf8'))
  const faults: string[] = []
  for (const [page, text] of pages)
    for (const [, tag = '', address = ''] of text.matchAll(/<(\w+)\b[^>]*?\s(?:href|src)="([^"]+)"/g)) {
      const { origin, pathname, hash } = new URL(address, `site://here/${page}`.replace('site:', 'http:'))
      if (origin !== 'http://here') {
        if (tag !== 'a') faults.push(`${page} loads ${address}`)
        continue
      }
      const file = decodeURIComponent(pathname.slice(1)).replace(/(^|\/)$/, '$1index.html')
      if (!existsSync(join(site, file))) faults.push(`${page} leads to ${address}`)
      else if (hash !== '' && pages.get(file)?.includes(`id="${decodeURIComponent(hash.slice(1))}"`) === false)
        faults.push(`${page} leads to ${address}, which ${file} does not have`)
    }
  for (const file of files.filter((name) => name.endsWith('.css')))
    if (/url\(["']?https?:/.test(readFileSync(join(site, file), 'utf8'))) faults.push(`${file} loads from elsewhere`)
  if (faults.length > 0) throw new Error(`The site is not whole:\n${faults.join('\n')}`)
}

export const docsSite = {
  title: 'Lotkeeper',
  description,
  lang: 'en',
  srcDir: '..',
  srcExclude: ['{bench,data,dist,scripts,src,test}/**', '.*/**', '**/{dist,node_modules}/**'],
  // Else every config.ts of the sources would be taken for one of the site.
  additionalConfig: {},
  rewrites: asIndex,
  markdown: {
    html: false,
    anchor: { slugify: slug },
    config: rewriteLinks,
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Documentation', link: '/docs/' },
      { text: 'API', link: apiItem.link, target: '_self' },
      { text: `Version ${version}`, link: '/CHANGELOG' },
    ],
    sidebar: {
      '/docs/decisions/': [{ text: 'Decisions', link: '/docs/decisions/', items: [...itemsOf('docs/decisions')] }],
      '/': [
        ...sections(),
        {
          text: 'Development',
          items: ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'].map((path) => ({
            text: titleOf(path),
            link: addressOf(path),
          })),
        },
      ],
    },
  },
  // The index of the search has every page.
  vite: { build: { chunkSizeWarningLimit: 5_000 } },
  buildEnd: ({ outDir }: { readonly outDir: string }) => {
    writeApiPage(join(outDir, apiFolder))
    for (const path of ['docs/lot-trace.svg', 'docs/reference/openapi.json']) {
      mkdirSync(dirname(join(outDir, path)), { recursive: true })
      cpSync(join(root, path), join(outDir, path))
    }
    checkFiles(outDir)
  },
}
