// A moving picture of a page in use: stills that Chromium encodes as WebP, joined into one file.
// After the first, a still has only the part of the page that changed.
import type { Locator, Page } from 'playwright-core'

interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Still extends Area {
  readonly ms: number
  readonly webp: Buffer
}

interface Point {
  readonly x: number
  readonly y: number
}

const pointerSize = { width: 22, height: 30 }
const glideSteps = 7
const glideMs = 45
const typedAtOnce = 2
const typeMs = 120

/** What a person does on the page, with the pointer drawn, and what is seen of it. */
export class MovingPicture {
  readonly #page: Page
  readonly #whole: Area
  readonly #stills: Still[] = []
  #pointer: Point = { x: 640, y: 420 }

  constructor(page: Page, size: { readonly width: number; readonly height: number }) {
    this.#page = page
    this.#whole = { x: 0, y: 0, ...size }
  }

  /** The page as it is, for so long. */
  async show(ms: number): Promise<void> {
    await this.#drawPointer()
    await this.#take(this.#whole, ms)
  }

  /** The pointer glides to the element and clicks it. */
  async click(element: Locator): Promise<void> {
    await this.#glideTo(element)
    await element.click()
  }

  async type(element: Locator, text: string): Promise<void> {
    await this.click(element)
    const { x, y, width, height } = (await element.boundingBox()) ?? this.#whole
    for (let typed = 0; typed < text.length; typed += typedAtOnce) {
      await element.pressSequentially(text.slice(typed, typed + typedAtOnce))
      await this.#take({ x: x - 4, y: y - 4, width: width + 8, height: height + 8 }, typeMs)
    }
  }

  /** The animation, which begins again at its end. */
  get file(): Buffer {
    const { width, height } = this.#whole
    const canvas = Buffer.concat([Buffer.from([2, 0, 0, 0]), uint24(width - 1), uint24(height - 1)])
    const frames = this.#stills.map(({ x, y, width, height, ms, webp }) => {
      const numbers = [x / 2, y / 2, width - 1, height - 1, ms].map(uint24)
      // Drawn over what was there, without blending.
      return chunk('ANMF', Buffer.concat([...numbers, Buffer.from([2]), imageIn(webp)]))
    })
    const parts = [chunk('VP8X', canvas), chunk('ANIM', Buffer.alloc(6)), ...frames]
    return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...parts]))
  }

  async #glideTo(element: Locator): Promise<void> {
    const before = await this.#page.evaluate('scrollY')
    await element.scrollIntoViewIfNeeded()
    if ((await this.#page.evaluate('scrollY')) !== before) await this.show(500)
    const box = await element.boundingBox()
    if (box === null) throw new Error('An element of the moving picture is not visible.')
    const from = this.#pointer
    const to = { x: box.x + Math.min(box.width / 2, 60), y: box.y + box.height / 2 }
    for (let step = 1; step <= glideSteps; step++) {
      const last = this.#pointer
      const part = (1 - Math.cos((Math.PI * step) / glideSteps)) / 2
      this.#pointer = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
      await this.#drawPointer()
      await this.#take(around(last, this.#pointer), step === glideSteps ? 350 : glideMs)
    }
  }

  async #drawPointer(): Promise<void> {
    const { x, y } = this.#pointer
    await this.#page.evaluate(`(() => {
      let pointer = document.getElementById('drawn-pointer')
      if (pointer === null) {
        pointer = document.body.appendChild(document.createElement('div'))
        pointer.id = 'drawn-pointer'
        pointer.setAttribute('aria-hidden', 'true')
        const tip = pointer.appendChild(document.createElement('div'))
        const arrow = 'polygon(0 0, 0 82%, 26% 62%, 44% 100%, 62% 92%, 45% 56%, 78% 56%)'
        Object.assign(tip.style, { width: '16px', height: '24px', background: '#111', clipPath: arrow })
        const shown = { position: 'fixed', zIndex: '9999', pointerEvents: 'none', filter: 'drop-shadow(0 0 1px #fff)' }
        Object.assign(pointer.style, shown)
      }
      Object.assign(pointer.style, { left: '${x}px', top: '${y}px' })
    })()`)
  }

  async #take(seen: Area, ms: number): Promise<void> {
    const area = onGrid(seen, this.#whole)
    const browser = await this.#page.context().newCDPSession(this.#page)
    // Of a page that is scrolled, the clip is counted from its top.
    const scrolled = (await this.#page.evaluate('scrollY')) as number
    const clip = { ...area, y: area.y + scrolled, scale: 1 }
    const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: 70, clip })
    await browser.detach()
    this.#stills.push({ ...area, ms, webp: Buffer.from(data, 'base64') })
  }
}

/** What the pointer covered and covers. */
function around(last: Point, next: Point): Area {
  const [x, y] = [Math.min(last.x, next.x) - 4, Math.min(last.y, next.y) - 4]
  const width = Math.max(last.x, next.x) + pointerSize.width - x
  return { x, y, width, height: Math.max(last.y, next.y) + pointerSize.height - y }
}

/** An animation places its parts at even numbers only. */
function onGrid({ x, y, width, height }: Area, whole: Area): Area {
  const even = (position: number) => Math.max(0, Math.floor(position / 2) * 2)
  const [left, top] = [even(x), even(y)]
  return {
    x: left,
    y: top,
    width: Math.min(Math.ceil(x + width) - left, whole.width - left),
    height: Math.min(Math.ceil(y + height) - top, whole.height - top),
  }
}

function uint24(value: number): Buffer {
  const bytes = Buffer.alloc(3)
  bytes.writeUIntLE(value, 0, 3)
  return bytes
}

/** A chunk of RIFF: name, length, content, and a zero to an even length. */
function chunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}

/** The chunks of a still that are the image itself. */
function imageIn(webp: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 12; at < webp.length; ) {
    const length = webp.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    if (/^(VP8 |VP8L|ALPH)$/.test(webp.toString('latin1', at, at + 4))) parts.push(webp.subarray(at, end))
    at = end
  }
  return Buffer.concat(parts)
}
