// Pages of the package: HTML for any browser, without scripts and external files, on screen and on
// paper.

export const safe = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

export const paragraph = (text: string): string => `<p>${safe(text)}</p>`

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: 'th' | 'td') =>
    `<tr>${cells.map((cell) => `<${tag}>${safe(cell)}</${tag}>`).join('')}</tr>`
  return `<table><thead>${row(header, 'th')}</thead><tbody>\n${rows.map((cells) => row(cells, 'td')).join('\n')}</tbody></table>`
}

/** A whole page of these parts below its title. */
export const page = (title: string, parts: readonly string[]): string =>
  [
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${safe(title)}</title>`,
    `<style>${style}</style></head><body>`,
    `<h1>${safe(title)}</h1>`,
    ...parts,
    '</body></html>\n',
  ].join('\n')

const style =
  'body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}' +
  'table{border-collapse:collapse;width:100%}th,td{border:1px solid #b7b7b7;padding:.3rem .6rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}' +
  'th{background:#dce6f1;overflow-wrap:normal}h2{margin-top:2rem}small{font-weight:400;color:#555}.written{white-space:pre-line;overflow-wrap:anywhere}' +
  '@page{margin:18mm 16mm}@media print{body{font-size:11pt;max-width:none;margin:0;padding:0}tr,dt{break-inside:avoid}h2{break-after:avoid}th{print-color-adjust:exact}}'
