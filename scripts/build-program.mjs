// Builds the command line and the service into the folder it is told, in few files: to find, read
// and link 400 took half of a command's time, without that of Node itself. The formats in packages/
// are built in from their sources, and so is the library for assistants; other dependencies stay
// where npm puts them. Run by prepare.mjs.
import fs from 'node:fs'
import path from 'node:path'
import url from 'node:url'
import { build, defaultServerConditions } from 'vite'

/** What it takes 18 MB to install (decision 0098), with what it needs. */
const assistantLibrary = ['@modelcontextprotocol/server', '@modelcontextprotocol/core', 'zod']

const folder = path.resolve(process.argv[2])
const source = url.fileURLToPath(new URL('../src/', import.meta.url))

await build({
  root: source,
  configFile: false,
  envDir: false,
  logLevel: 'warn',
  ssr: {
    external: true,
    noExternal: ['lotkeeper-sheets', 'lotkeeper-x12', ...assistantLibrary],
    resolve: { conditions: ['source', ...defaultServerConditions] },
    target: 'node',
  },
  build: {
    ssr: true,
    outDir: folder,
    emptyOutDir: true,
    target: 'node20',
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      // Optional, so a build does not need them.
      external: /^@opentelemetry\//,
      input: { 'cli/main': path.join(source, 'cli/main.ts'), 'cli/program': path.join(source, 'cli/program.ts') },
      // Shared files stand in the folder itself, as src/program-folders.ts expects.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})

// Their licences ask to stand beside them.
const licences = path.join(folder, 'licences')
fs.mkdirSync(licences)
for (const name of assistantLibrary)
  fs.copyFileSync(
    url.fileURLToPath(new URL(`../node_modules/${name}/LICENSE`, import.meta.url)),
    path.join(licences, `${name.replace('@', '').replace('/', '-')}.txt`),
  )
