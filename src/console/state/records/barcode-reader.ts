// Reads the barcodes in a picture of the camera: with the browser's own reader where it knows the
// kinds of barcodes on food, else with ZXing as WebAssembly, which is loaded when it is first used.

/** The texts of all barcodes in the picture, FNC1 as the separator GS. */
export type BarcodeReader = (picture: HTMLVideoElement) => Promise<readonly string[]>

interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>
}
interface DetectorClass {
  new (options: { readonly formats: readonly string[] }): Detector
  getSupportedFormats(): Promise<readonly string[]>
}

/** GS1-128, GS1 DataMatrix and Digital Links in QR codes; a browser may read others only. */
const neededFormats = ['code_128', 'data_matrix', 'qr_code']
const otherFormats = ['itf', 'ean_13', 'upc_a']

async function openOwnReader(): Promise<BarcodeReader | undefined> {
  const { BarcodeDetector: Reader } = globalThis as { readonly BarcodeDetector?: DetectorClass }
  const supported = (await Reader?.getSupportedFormats().catch(() => [])) ?? []
  if (Reader === undefined || !neededFormats.every((format) => supported.includes(format))) return undefined
  const detector = new Reader({
    formats: [...neededFormats, ...otherFormats.filter((format) => supported.includes(format))],
  })
  return async (picture) => (await detector.detect(picture)).map(({ rawValue }) => rawValue)
}

/** Wider pictures take longer and show no more of a label that is held before the camera. */
const widthMax = 1280

/** Among the files of the console; the library itself would load it from another host. */
const wasm = new URL('../../../../node_modules/zxing-wasm/dist/reader/zxing_reader.wasm', import.meta.url)

async function openLoadedReader(): Promise<BarcodeReader> {
  const { prepareZXingModule, readBarcodes } = await import('zxing-wasm/reader')
  await prepareZXingModule({ overrides: { locateFile: () => wasm.href }, fireImmediately: true })
  const drawing = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  return async (picture) => {
    const { videoWidth, videoHeight } = picture
    if (drawing === null || videoWidth === 0) return []
    const scale = Math.min(1, widthMax / videoWidth)
    const [width, height] = [Math.round(videoWidth * scale), Math.round(videoHeight * scale)]
    Object.assign(drawing.canvas, { width, height })
    drawing.drawImage(picture, 0, 0, width, height)
    const found = await readBarcodes(drawing.getImageData(0, 0, width, height), {
      formats: ['Code128', 'DataMatrix', 'QRCode', 'DataBarExp', 'DataBarExpStk', 'ITF14', 'EAN13', 'UPCA'],
      textMode: 'Plain',
      maxNumberOfSymbols: 8,
    })
    return found.map(({ text }) => text)
  }
}

let opened: Promise<BarcodeReader> | undefined

/** Rejects where the reader cannot be loaded; the next call tries again. */
export function openBarcodeReader(): Promise<BarcodeReader> {
  opened ??= openOwnReader().then((own) => own ?? openLoadedReader())
  opened.catch(() => {
    opened = undefined
  })
  return opened
}
