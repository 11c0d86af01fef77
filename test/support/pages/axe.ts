// What axe finds serious on a page, in both themes; in short runs in the light one.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { placeOf } from '../../house/tree.ts'
import { isShortRun } from '../runs.ts'

const axe = readFileSync(placeOf('node_modules/axe-core/axe.min.js'), 'utf8')

/**
 * A rule that axe does not use unasked, and none whose findings are no more than moderate: these
 * took a third of its time. Contrast is looked at by theme: the themes differ in nothing but colours.
 */
const rulesInBothThemes = `Object.fromEntries([
  ...axe._audit.rules.filter(({ impact }) => !['serious', 'critical'].includes(impact)).map(({ id }) => [id, { enabled: false }]),
  ['color-contrast', { enabled: false }],
  ['label-content-name-mismatch', { enabled: true }],
  ['target-size', { enabled: true }],
])`

const themes: readonly ('light' | 'dark')[] = isShortRun ? ['light'] : ['light', 'dark']

interface Found {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Kinds of text that axe has found readable. */
const readable = new Set<string>()

/**
 * Maps each element with text of another than these kinds to its kind: all that axe decides contrast
 * by, which are colour, size and weight, and what is painted under it. Axe passes over what is
 * disabled, hidden from eyes, or one character.
 */
const mapTexts = `(known) => {
  const grounds = new Map()
  const groundOf = (one) => {
    if (one === null) return ''
    if (!grounds.has(one)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(one)
      const under = groundOf(one.parentElement)
      const own = [backgroundColor, backgroundImage, opacity].join(' ')
      grounds.set(one, own === 'rgba(0, 0, 0, 0) none 1' ? under : own + ' on ' + under)
    }
    return grounds.get(one)
  }
  const hasText = (one) =>
    one.matches('input:not([type=checkbox], [type=radio], [type=file]), select, textarea') ||
    [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim().length > 1)
  const isJudged = (one) =>
    hasText(one) &&
    one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    one.getBoundingClientRect().width > 1 &&
    one.closest(':disabled, [aria-disabled=true]') === null &&
    one.closest('label')?.control?.disabled !== true
  const kindOf = (one) => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(one)
    return [color, fontSize, fontWeight, textShadow, groundOf(one)].join(' ')
  }
  const texts = [...document.querySelectorAll('body *')].filter(isJudged)
  const skipped = new Set(known)
  globalThis.kinds = new Map(texts.map((one) => [one, kindOf(one)]).filter(([, kind]) => !skipped.has(kind)))
  return kinds.size
}`

/** What axe says of them, and the kinds that it has found readable. */
const readTexts = `axe.run({ include: [...kinds.keys()] }, {
  runOnly: ['color-contrast'], resultTypes: ['violations', 'passes'], elementRef: true,
}).then(({ violations, passes }) => ({
  violations: violations.map(({ id, impact, nodes }) =>
    ({ id, impact, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) })),
  passed: [...new Set(passes.flatMap(({ nodes }) => nodes.map(({ element }) => kinds.get(element))))],
}))`

/** What cannot be read in this theme. A kind of text is looked at until axe has found it readable. */
async function unreadableIn(page: Page, colorScheme: 'light' | 'dark'): Promise<readonly Found[]> {
  await page.emulateMedia({ colorScheme })
  if ((await page.evaluate(`(${mapTexts})(${JSON.stringify([...readable])})`)) === 0) return []
  const { violations, passed } = (await page.evaluate(readTexts)) as {
    readonly violations: readonly Found[]
    readonly passed: readonly (string | null)[]
  }
  if (violations.length === 0) for (const kind of passed) if (typeof kind === 'string') readable.add(kind)
  return violations
}

/** Elements of a page, by selectors. */
interface Extent {
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}

/**
 * One line for each serious finding on the page, or in a part of it; none for a page that everybody
 * can use. What cannot be read is looked for on the whole page.
 */
export async function seriousFindings(page: Page, within: Extent = {}): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe)
  const all: string[] = []
  const note = (theme: string, found: readonly Found[]) => {
    for (const { id, impact, nodes } of found)
      if (impact === 'serious' || impact === 'critical')
        all.push(`${theme}: ${id} ${nodes[0]?.html.slice(0, 160)} ${nodes[0]?.failureSummary.slice(0, 240)}`)
  }
  note(
    'both themes',
    (await page.evaluate(
      `axe.run(${JSON.stringify({ include: ['html'], ...within })}, { resultTypes: ['violations'], rules: ${rulesInBothThemes} }).then(({ violations }) => violations)`,
    )) as readonly Found[],
  )
  for (const theme of themes) note(theme, await unreadableIn(page, theme))
  return all
}
