// A place to choose a file, or to drop one.
import { useState } from 'preact/hooks'

interface Props {
  readonly chosen: string | undefined
  readonly onFile: (file: File) => void
}

export function FileChoice({ chosen, onFile }: Props) {
  const [isOver, setOver] = useState(false)
  return (
    <label
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer?.files ?? []
        if (file !== undefined) onFile(file)
      }}
    >
      <span>
        <strong>Choose a file</strong>, or drop it here: XLSX, CSV or NDJSON, a ship notice (X12 856) or an EPCIS
        document. The service checks it first and stores nothing until you send it.
      </span>
      <input
        type="file"
        accept=".xlsx,.csv,.ndjson,.jsonl,.txt,.edi,.x12,.856,.json,.jsonld,.xml"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file !== undefined) onFile(file)
          // The same file can be chosen again once it was changed.
          currentTarget.value = ''
        }}
      />
      {chosen !== undefined && (
        <span>
          Chosen: <bdi class="mono">{chosen}</bdi>
        </span>
      )}
    </label>
  )
}
