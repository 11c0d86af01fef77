// Reads barcodes with the camera, where the browser can: it then needs no scanner.
import { useEffect, useRef, useState } from 'preact/hooks'
import { Fault } from '../frame/fault.tsx'

interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>
}
type DetectorClass = new () => Detector

const detectorClass = (): DetectorClass | undefined =>
  (globalThis as { readonly BarcodeDetector?: DetectorClass }).BarcodeDetector

/** Between two reads of the picture, and before one label counts again, in milliseconds. */
const lookMs = 250
const sameMs = 3_000

/** Nothing where the browser has no reader of barcodes. */
export function Camera({ onScan }: { readonly onScan: (text: string) => void }) {
  const [isOn, setOn] = useState(false)
  if (detectorClass() === undefined) return null
  return (
    <>
      <button type="button" aria-pressed={isOn} onClick={() => setOn(!isOn)}>
        Camera
      </button>
      {isOn && <Picture onScan={onScan} />}
    </>
  )
}

function Picture({ onScan }: { readonly onScan: (text: string) => void }) {
  const video = useRef<HTMLVideoElement>(null)
  const [fault, setFault] = useState<string>()
  const taken = useRef(onScan)
  taken.current = onScan
  useEffect(() => {
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    let last = { text: '', at: 0 }
    const look = async (detector: Detector, picture: HTMLVideoElement) => {
      // A picture that is not there yet has no barcode.
      const found = await detector.detect(picture).catch(() => [])
      if (isOver) return
      const text = found[0]?.rawValue ?? ''
      if (text !== '' && (text !== last.text || Date.now() - last.at > sameMs)) {
        last = { text, at: Date.now() }
        navigator.vibrate?.(60)
        taken.current(text)
      }
      timer = setTimeout(look, lookMs, detector, picture)
    }
    const begin = async () => {
      const Reader = detectorClass()
      try {
        stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
        if (isOver) return end()
        const picture = video.current
        if (picture === null || Reader === undefined) return end()
        picture.srcObject = stream
        await picture.play()
        await look(new Reader(), picture)
      } catch {
        setFault('The camera cannot be used. Allow it for this page in the settings of the browser.')
      }
    }
    const end = () => {
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    void begin()
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
