// The template of all text pages: rules, fields, problems. HTML without scripts, complete in one
// answer.
import type { FastifyReply } from 'fastify'
import { sha256 } from '../sha256.ts'

/** HTML that needs no escaping. Only `html` makes it. */
interface Html {
  readonly html: string
}

/** Fills in values: escapes texts, inserts HTML as it is, and joins the parts of a list. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html {
  const escaped = values.map((value) => {
    if (typeof value === 'string' || typeof value === 'number') return escapeText(String(value))
    return 'html' in value ? value.html : value.map((one) => one.html).join('')
  })
  return { html: String.raw({ raw: parts }, ...escaped) }
}

const escapeText = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

const style = `
:root { color-scheme: light dark; background: Canvas; color: CanvasText }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; overflow-wrap: anywhere }
h2 { font-size: 1.1rem; margin-top: 1.6rem }
dt { font-weight: 600; margin-top: .6rem }
dd { margin: 0 }
code, pre { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap }
ul { padding-left: 1.2rem }
nav, footer { font-size: .9rem }
label { display: block; font-weight: 600 }
input, button { font: inherit; padding: .5rem .75rem; border-radius: .3rem }
input { border: 1px solid GrayText; letter-spacing: .1em; text-transform: uppercase; width: 12rem; max-width: 100%; box-sizing: border-box }
button { border: 1px solid transparent; background: #0b6b4f; color: #fff; font-weight: 600; cursor: pointer }
input:focus-visible, button:focus-visible { outline: 2px solid; outline-offset: 2px }
[role=alert] { border-left: 4px solid; padding-left: .75rem }
body:has(input:not(:placeholder-shown)) [role=alert] { display: none }
`

const policyOf = (formAction: "'none'" | "'self'"): string =>
  `default-src 'none'; style-src 'sha256-${sha256(style).toString('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action ${formAction}`

const contentSecurityPolicy = policyOf("'none'")
const policyOfForms = policyOf("'self'")

const pageText = (title: string, nav: Html, body: Html): string =>
  html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · Lotkeeper</title><style>${{ html: style }}</style></head>
<body>
${nav}
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.html

/** Sends a page. `up` links to the list that contains the page. */
export function sendPage(
  reply: FastifyReply,
  title: string,
  up: { path: string; name: string } | undefined,
  body: Html,
): FastifyReply {
  const nav = html`<nav>${up === undefined ? html`` : html`<a href="${up.path}">${up.name}</a> · `}<a href="/docs">API</a></nav>`
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'public, max-age=300')
  return reply
    .header('content-security-policy', contentSecurityPolicy)
    .type('text/html; charset=utf-8')
    .send(pageText(title, nav, body))
}

/** Sends a page that leads nowhere, may hold a form to its own address, and is stored nowhere. */
export const sendFormPage = (reply: FastifyReply, title: string, body: Html): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex')
    .header('content-security-policy', policyOfForms)
    .type('text/html; charset=utf-8')
    .send(pageText(title, html``, body))

/** Terms and their descriptions, without empty ones. */
export const definitions = (entries: readonly (readonly [term: string, words: string | Html | undefined])[]): Html =>
  html`<dl>${entries.flatMap(([term, words]) => (words === undefined ? [] : [html`<dt>${term}</dt><dd>${words}</dd>`]))}</dl>`

/** A sentence of the declarations. Text between backticks is code. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, n) => (n % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`
