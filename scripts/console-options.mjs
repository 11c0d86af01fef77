// How Vite reads the console: the same for the build and for `npm run dev`.
import url from 'node:url'
import { defaultClientConditions } from 'vite'

export const consoleOptions = {
  root: url.fileURLToPath(new URL('../src/console/', import.meta.url)),
  base: '/console/',
  configFile: false,
  envDir: false,
  clearScreen: false,
  // The packages of this repository, from their sources.
  resolve: { conditions: ['source', ...defaultClientConditions] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
}
