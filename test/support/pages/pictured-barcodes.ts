// Barcodes as a camera sees them: drawn by another library than reads them, turned and blurred, and
// a film of them that Chromium takes for a camera.
import { type RenderOptions, toSVG } from '@bwip-js/browser'
import type { Browser } from 'playwright-core'

export interface PicturedBarcode {
  /** The kind, by its name in BWIPP. */
  readonly bcid: string
  /** With its application identifiers in brackets where it is one of GS1. */
  readonly text: string
  /** In degrees. */
  readonly turned?: number
  /** In pixels of the picture. */
  readonly blurred?: number
  readonly options?: Partial<RenderOptions>
}

const size = { width: 1280, height: 720 }

/** Grey pictures of the size of a camera, one byte a pixel. */
export async function picturesOf(browser: Browser, barcodes: readonly PicturedBarcode[]): Promise<readonly Buffer[]> {
  const page = await browser.newPage()
  const pictures: Buffer[] = []
  for (const { bcid, text, turned = 0, blurred = 0, options } of barcodes) {
    const svg = toSVG({
      bcid,
      text,
      scale: 3,
      paddingwidth: 10,
      paddingheight: 10,
      backgroundcolor: 'FFFFFF',
      ...options,
    })
    const [, wide, high] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []
    const given = { ...size, wide, high, turned, blurred, picture: `data:image/svg+xml,${encodeURIComponent(svg)}` }
    const grey = await page.evaluate(`(async ({ width, height, wide, high, turned, blurred, picture }) => {
      const image = new Image()
      image.src = picture
      await image.decode()
      const drawing = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')
      drawing.fillStyle = '#b0b0b0'
      drawing.fillRect(0, 0, width, height)
      drawing.filter = blurred === 0 ? 'none' : 'blur(' + blurred + 'px)'
      drawing.translate(width / 2, height / 2)
      drawing.rotate((turned * Math.PI) / 180)
      drawing.drawImage(image, -wide / 2, -high / 2, wide, high)
      const { data } = drawing.getImageData(0, 0, width, height)
      let grey = ''
      for (let i = 0; i < data.length; i += 4) grey += String.fromCharCode(data[i])
      return btoa(grey)
    })(${JSON.stringify(given)})`)
    pictures.push(Buffer.from(String(grey), 'base64'))
  }
  await page.close()
  return pictures
}

/** A film in Y4M that shows each picture for two seconds, again and again. */
export function filmOf(pictures: readonly Buffer[]): Buffer {
  const { width, height } = size
  const colours = Buffer.alloc((width * height) / 2, 128)
  const frames = pictures.flatMap((picture) =>
    Array.from({ length: 4 }, () => [Buffer.from('FRAME\n'), picture, colours]),
  )
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F2:1 Ip A1:1 C420jpeg\n`), ...frames.flat()])
}

/** Arguments with which Chromium has a film as its camera, and asks nobody whether it may be used. */
export const cameraOf = (film: string): readonly string[] => [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-video-capture=${film}`,
]
