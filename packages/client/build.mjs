// Builds the package from src/client: JavaScript in one file for each entry, and the declarations
// that an editor reads.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import url from 'node:url'
import { build } from 'vite'
import { generate } from '../../scripts/generate.mjs'

const folder = path.dirname(url.fileURLToPath(import.meta.url))
const root = path.join(folder, '../..')
const dist = path.join(folder, 'dist')
const entries = ['index', 'rules']

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
      entry: Object.fromEntries(entries.map((name) => [name, path.join(folder, `src/${name}.ts`)])),
      formats: ['es'],
    },
  },
})

const declared = fs.mkdtempSync(path.join(os.tmpdir(), 'lotkeeper-client-'))
try {
  const options = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--outDir', declared]
  execFileSync(
    process.execPath,
    [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', path.join(folder, 'tsconfig.json'), ...options],
    { stdio: 'inherit' },
  )
  for (const name of entries) copyDeclaration(`packages/client/src/${name}.d.ts`)
} finally {
  fs.rmSync(declared, { recursive: true })
}

/** Copies a file and what it imports, from the tree of the repository into a flat folder. */
function copyDeclaration(file) {
  const text = fs.readFileSync(path.join(declared, file), 'utf8')
  const target = path.join(dist, path.basename(file))
  if (fs.existsSync(target)) return
  const flat = text.replaceAll(/ from '([^']+)\.ts'/g, (_, from) => ` from './${path.posix.basename(from)}.js'`)
  fs.writeFileSync(target, flat)
  for (const [, from] of text.matchAll(/ from '([^']+)\.ts'/g))
    copyDeclaration(`${path.posix.join(path.posix.dirname(file), from)}.d.ts`)
}
