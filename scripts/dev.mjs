// Serves from the sources: the API again after each change, the console with each change at once.
// What is generated from the sources follows their changes.
// Run: npm run dev.
import childProcess from 'node:child_process'
import path from 'node:path'
import url from 'node:url'
import { createServer } from 'vite'
import { consoleOptions } from './console-options.mjs'
import { generate } from './generate.mjs'

const root = path.dirname(path.dirname(url.fileURLToPath(import.meta.url)))
const api = `http://127.0.0.1:${process.env.PORT ?? 3000}`

const tsx = path.join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs')
/** Runs a program of the sources again after each change of what it imports. */
const watch = (stdout, ...program) =>
  childProcess.spawn(process.execPath, [tsx, 'watch', '--conditions=source', ...program], {
    cwd: root,
    stdio: ['inherit', stdout, 'inherit'],
  })

generate()
const children = [watch('ignore', 'scripts/write-generated.ts'), watch('inherit', 'src/cli/main.ts', 'serve')]
for (const child of children) child.on('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
  })

/** Everything that is not the console's. */
const others = `^/(?!${consoleOptions.base.slice(1)})`
const vite = await createServer({
  ...consoleOptions,
  server: {
    port: 5173,
    // What a page may do is the same as when the service serves it, but for the script and style
    // that Vite adds.
    proxy: { [others]: api },
  },
})
await vite.listen()
process.stdout.write(`The console, from its sources: http://localhost:${vite.config.server.port}/console/\n`)
