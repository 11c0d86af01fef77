import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Every file of a folder with its content, in Base64; folders with none. */
export const contentsOf = (root: string) =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((path) => {
        const inside = join(root, path)
        return [path, statSync(inside).isDirectory() ? undefined : readFileSync(inside).toString('base64')]
      }),
  )
