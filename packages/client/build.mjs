// Builds the package that is published, packages/client/dist: JavaScript for import and require,
// the declarations that an editor reads for each, a manifest of its own, and a README that can be
// read alone.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import url from 'node:url'
import zlib from 'node:zlib'
import { build } from 'vite'
import { generate } from '../../scripts/generate.mjs'
import { pageOf, manifest as programManifest, withWholeLinks } from '../../scripts/release.mjs'

const folder = path.dirname(url.fileURLToPath(import.meta.url))
const root = path.join(folder, '../..')
const dist = path.join(folder, 'dist')
const { private: _, exports: entries, ...manifest } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json')))
const names = Object.values(entries).map((source) => path.basename(source, '.ts'))

generate()
await build({
  configFile: false,
  root: folder,
  logLevel: 'warn',
  build: {
    outDir: dist,
    emptyOutDir: true,
    target: 'es2022',
    minify: false,
    lib: {
      entry: Object.fromEntries(names.map((name) => [name, path.join(folder, `src/${name}.ts`)])),
      formats: ['es', 'cjs'],
    },
  },
})
writeDeclarations()
writeManifest()
await writeReadme()
fs.copyFileSync(path.join(folder, 'LICENSE'), path.join(dist, 'LICENSE'))

function writeDeclarations() {
  const declared = fs.mkdtempSync(path.join(os.tmpdir(), 'lotkeeper-client-'))
  try {
    const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
    const options = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--outDir', declared]
    execFileSync(process.execPath, [compiler, '-p', path.join(folder, 'tsconfig.json'), ...options], {
      stdio: 'inherit',
    })
    for (const name of names) copyDeclaration(declared, `packages/client/src/${name}.d.ts`)
  } finally {
    fs.rmSync(declared, { recursive: true })
  }
}

/**
 * Copies a file and what it imports, from the tree of the repository into a flat folder, once for
 * modules that import and once for those that require.
 */
function copyDeclaration(declared, file) {
  const text = fs.readFileSync(path.join(declared, file), 'utf8')
  const target = path.join(dist, path.basename(file))
  if (fs.existsSync(target)) return
  const flat = (ending) =>
    text.replaceAll(/ from '([^']+)\.ts'/g, (_, from) => ` from './${path.posix.basename(from)}.${ending}'`)
  fs.writeFileSync(target, flat('js'))
  fs.writeFileSync(target.replace(/\.ts$/, '.cts'), flat('cjs'))
  for (const [, from] of text.matchAll(/ from '([^']+)\.ts'/g))
    copyDeclaration(declared, `${path.posix.join(path.posix.dirname(file), from)}.d.ts`)
}

function writeManifest() {
  const page = pageOf(programManifest)
  const conditions = (name) => ({
    import: { types: `./${name}.d.ts`, default: `./${name}.js` },
    require: { types: `./${name}.d.cts`, default: `./${name}.cjs` },
  })
  const exported = Object.keys(entries).map((entry, i) => [entry, conditions(names[i])])
  const published = {
    ...manifest,
    homepage: `${page}/tree/v${manifest.version}/packages/client#readme`,
    repository: { ...programManifest.repository, directory: 'packages/client' },
    bugs: `${page}/issues`,
    main: './index.cjs',
    types: './index.d.cts',
    exports: { ...Object.fromEntries(exported), './package.json': './package.json' },
    publishConfig: { access: 'public', provenance: true },
  }
  fs.writeFileSync(path.join(dist, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
}

/** The README with whole links, and with the sizes of this build. */
async function writeReadme() {
  const client = await sizeOf("import { lotkeeper } from './index.js'; window.made = lotkeeper")
  const both = await sizeOf(
    "import { lotkeeper } from './index.js'; import { localRules } from './rules.js'; window.made = [lotkeeper, localRules]",
  )
  const text = fs
    .readFileSync(path.join(folder, 'README.md'), 'utf8')
    .replace(/client adds \d+ KB/, `client adds ${client} KB`)
    .replace(/rules add \d+ KB/, `rules add ${both - client} KB`)
  const { version } = manifest
  const whole = withWholeLinks(text, { page: pageOf(programManifest), version, folder: 'packages/client' })
  fs.writeFileSync(path.join(dist, 'README.md'), whole)
}

/** Size that a script adds to a page, minified and compressed with gzip, in KB. */
async function sizeOf(script) {
  const entry = path.join(dist, 'size.js')
  fs.writeFileSync(entry, script)
  const built = await build({
    configFile: false,
    root: dist,
    logLevel: 'error',
    build: { write: false, rolldownOptions: { input: entry } },
  })
  fs.rmSync(entry)
  return Math.round(built.output.reduce((sum, { code = '' }) => sum + zlib.gzipSync(code).length, 0) / 1_000)
}
