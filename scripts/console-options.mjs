// How Vite reads the console: the same for the build and for `npm run dev`.
import url from 'node:url'

export const consoleOptions = {
  root: url.fileURLToPath(new URL('../src/console/', import.meta.url)),
  base: '/console/',
  configFile: false,
  envDir: false,
  clearScreen: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
}
