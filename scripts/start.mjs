import path from 'node:path'
import url from 'node:url'
import { prepare } from './prepare.mjs'

await prepare()

const main = path.resolve(path.dirname(url.fileURLToPath(import.meta.url)), '../dist/cli/main.js')
// In this process, not a child: signals and the exit code are then the server's own.
process.argv = [process.execPath, main, 'serve', ...process.argv.slice(2)]
await import(url.pathToFileURL(main).href)
