// What axe finds serious on a page, in both themes; in short runs in the light one.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { placeOf } from '../../house/tree.ts'
import { isShortRun } from '../runs.ts'

const axe = readFileSync(placeOf('node_modules/axe-core/axe.min.js'), 'utf8')

/** Rules that axe has and does not use unasked. */
const unusualRules = { 'label-content-name-mismatch': { enabled: true } }

const themes: readonly ('light' | 'dark')[] = isShortRun ? ['light'] : ['light', 'dark']

interface Found {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/**
 * One line for each serious finding; none for a page that everybody can use. Contrast takes most of
 * the time: where the same colours were looked at before, it is left out.
 */
export async function seriousFindings(page: Page, { contrast = true } = {}): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe)
  const all: string[] = []
  for (const colorScheme of contrast ? themes : themes.slice(0, 1)) {
    await page.emulateMedia({ colorScheme })
    // The themes differ in nothing but colours.
    const run =
      colorScheme === 'light'
        ? { rules: { ...unusualRules, 'color-contrast': { enabled: contrast } } }
        : { runOnly: ['color-contrast'] }
    const found = (await page.evaluate(
      `axe.run({ resultTypes: ['violations'], ...${JSON.stringify(run)} }).then(({ violations }) => violations)`,
    )) as readonly Found[]
    for (const { id, impact, nodes } of found)
      if (impact === 'serious' || impact === 'critical')
        all.push(`${colorScheme}: ${id} ${nodes[0]?.html.slice(0, 160)} ${nodes[0]?.failureSummary.slice(0, 240)}`)
  }
  return all
}
