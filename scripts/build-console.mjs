// Builds the console into the folder it is told: hashed files, and beside each its brotli and gzip
// forms. Run by prepare.mjs.
import fs from 'node:fs'
import path from 'node:path'
import url from 'node:url'
import zlib from 'node:zlib'
import { build } from 'vite'
import { consoleOptions } from './console-options.mjs'

const folder = path.resolve(process.argv[2] ?? 'dist/console')

await build({
  ...consoleOptions,
  mode: 'production',
  logLevel: 'warn',
  build: {
    outDir: folder,
    emptyOutDir: true,
    target: 'es2023',
    // A picture written into the page as text would not be cached, and the polyfill is for browsers
    // that are gone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Two scripts: what the first page needs, and the rest. Both are loaded at once, so no further
    // file is needed later, when the service may be away or updated. Only libraries of barcodes,
    // which are larger, are loaded on use; the worker has them on a device at a dock.
    chunkSizeWarningLimit: 800,
  },
})

// The worker is in one file, beside the page it opens, and knows the others.
await build({
  ...consoleOptions,
  mode: 'production',
  logLevel: 'warn',
  build: {
    outDir: folder,
    emptyOutDir: false,
    target: 'es2023',
    rolldownOptions: {
      input: url.fileURLToPath(new URL('../src/console/worker.ts', import.meta.url)),
      output: { entryFileNames: 'worker.js' },
    },
  },
})
const worker = path.join(folder, 'worker.js')
const files = JSON.stringify(fs.readdirSync(path.join(folder, 'assets')).sort())
fs.writeFileSync(worker, `const consoleFiles = ${files}\n${fs.readFileSync(worker, 'utf8')}`)

// These licences ask to stand beside what they are of.
for (const [name, licence] of [
  ['inter-licence.txt', new URL('../node_modules/@fontsource-variable/inter/LICENSE', import.meta.url)],
  ['bwip-js-licence.txt', new URL('../node_modules/@bwip-js/browser/LICENSE', import.meta.url)],
  ['zxing-wasm-licence.txt', new URL('../node_modules/zxing-wasm/LICENSE', import.meta.url)],
])
  fs.copyFileSync(url.fileURLToPath(licence), path.join(folder, 'assets', name))

for (const file of fs.readdirSync(folder, { recursive: true })) {
  const place = path.join(folder, file)
  if (!/\.(html|js|css|svg|wasm)$/.test(file)) continue
  const content = fs.readFileSync(place)
  fs.writeFileSync(`${place}.br`, zlib.brotliCompressSync(content))
  fs.writeFileSync(`${place}.gz`, zlib.gzipSync(content, { level: 9 }))
}
