// Reads barcodes with the camera: a telephone then needs no scanner.
import { useEffect, useRef, useState } from 'preact/hooks'
import { type BarcodeInSight, takeBarcode } from '../../records/barcode-in-sight.ts'
import { openBarcodeReader } from '../../state/records/barcode-reader.ts'
import { Fault } from '../frame/fault.tsx'

/** Between two reads of the picture, in milliseconds. */
const lookMs = 150

/**
 * What the camera of the next page begins with: a scan leads from the list to a shipment, where the
 * camera goes on, and the label that is still before it was taken already.
 */
const left: { onUntil: number; inSight: BarcodeInSight | undefined } = { onUntil: 0, inSight: undefined }
const nextPageMs = 3_000

/** Nothing where pages may not use a camera: browsers ask for an address with TLS. */
export function Camera({ onScan }: { readonly onScan: (text: string) => void }) {
  const [isOn, setOn] = useState(() => Date.now() < left.onUntil)
  useEffect(() => {
    left.onUntil = isOn ? Number.POSITIVE_INFINITY : 0
    return () => {
      if (isOn) left.onUntil = Date.now() + nextPageMs
    }
  }, [isOn])
  const { mediaDevices } = navigator as Partial<Pick<Navigator, 'mediaDevices'>>
  if (mediaDevices === undefined) return null
  return (
    <>
      <button type="button" aria-pressed={isOn} onClick={() => setOn(!isOn)}>
        Camera
      </button>
      {isOn && <Picture onScan={onScan} />}
    </>
  )
}

const notLoaded =
  'The reader of barcodes could not be loaded. Check the network, then switch the camera off and on. If the service was updated, reload the page.'
const notAllowed = 'The camera cannot be used. Allow it for this page in the settings of the browser.'

/** More than the usual 640 pixels, for the long barcodes of cases. */
const wanted = { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } }

function Picture({ onScan }: { readonly onScan: (text: string) => void }) {
  const video = useRef<HTMLVideoElement>(null)
  const [fault, setFault] = useState<string>()
  const taken = useRef(onScan)
  taken.current = onScan
  useEffect(() => {
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const end = () => {
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    const begin = async () => {
      const opening = openBarcodeReader().catch(() => undefined)
      stream = await navigator.mediaDevices.getUserMedia({ video: wanted })
      const picture = video.current
      if (isOver || picture === null) return end()
      picture.srcObject = stream
      await picture.play()
      const read = await opening
      if (read === undefined) return setFault(notLoaded)
      const look = async () => {
        // A picture that is not there yet has no barcode.
        const texts = await read(picture).catch(() => [])
        if (isOver) return
        const { inSight, isScan } = takeBarcode(texts, left.inSight, Date.now())
        left.inSight = inSight
        if (inSight && isScan) {
          navigator.vibrate?.(60)
          taken.current(inSight.text)
        }
        timer = setTimeout(look, lookMs)
      }
      await look()
    }
    begin().catch(() => isOver || setFault(notAllowed))
    return () => {
      isOver = true
      clearTimeout(timer)
      end()
    }
  }, [])
  return (
    <div class="camera">
      <video ref={video} muted playsInline aria-label="Camera" />
      <Fault>{fault}</Fault>
    </div>
  )
}
