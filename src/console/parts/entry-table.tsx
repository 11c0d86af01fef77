// A list inside a record as a table; an entry opens to all of its fields.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Shape } from '../../contract/field.ts'
import type { Finding } from '../../contract/finding.ts'
import { anchorOf, isWithin, pointerIn } from '../records/pointers.ts'
import type { Fields } from '../records/record-summary.ts'
import { useAddress } from '../state/address.ts'
import { pluralize } from '../words/labels.ts'
import { FieldList } from './field-list.tsx'
import { FieldFindings, findingsWithin } from './findings.tsx'
import { SeverityCounts } from './severity-counts.tsx'

export interface EntryColumn {
  readonly words: string
  readonly cell: (entry: Fields) => ComponentChildren
}

interface Props {
  readonly title: string
  /** Name of one entry. */
  readonly noun: string
  readonly at: string
  readonly shape: Shape
  readonly entries: readonly Fields[]
  readonly columns: readonly EntryColumn[]
  readonly findings: readonly Finding[]
  readonly all: boolean
}

/** More are drawn when they are asked for. */
const firstShown = 100

export function EntryTable({ title, noun, at, shape, entries, columns, findings, all }: Props) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const [shown, setShown] = useState(firstShown)
  const { hash } = useAddress()

  // An address can lead into an entry.
  useEffect(() => {
    const pointer = pointerIn(hash)
    if (pointer === undefined || !isWithin(pointer, at)) return
    const index = Number.parseInt(pointer.slice(at.length + 1), 10)
    if (Number.isNaN(index)) return
    setShown((count) => Math.max(count, index + 1))
    setOpened((before) => new Set([...before, index]))
  }, [hash])

  const toggle = (index: number) =>
    setOpened((before) => {
      const after = new Set(before)
      if (!after.delete(index)) after.add(index)
      return after
    })

  return (
    <section class="entries" id={anchorOf(at)} tabIndex={-1} aria-label={title}>
      <div class="section-head">
        <h2>{title}</h2>
        <span class="quiet">{pluralize(entries.length, noun)}</span>
      </div>
      <FieldFindings findings={findings} pointer={at} />
      {entries.length > 0 && (
        <div class="scroller">
          <table class="entry-table">
            <thead>
              <tr>
                <th scope="col">
                  <span class="hidden">{noun}</span>#
                </th>
                {columns.map(({ words }) => (
                  <th key={words} scope="col">
                    {words}
                  </th>
                ))}
                <th scope="col">Findings</th>
              </tr>
            </thead>
            <tbody>
              {entries.slice(0, shown).map((entry, i) => (
                <Entry
                  key={i}
                  {...{ entry, columns, shape, all, noun }}
                  index={i}
                  at={`${at}/${i}`}
                  findings={findingsWithin(findings, `${at}/${i}`)}
                  open={opened.has(i)}
                  onToggle={() => toggle(i)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {entries.length > shown && (
        <p>
          <button type="button" onClick={() => setShown(entries.length)}>
            Show all {pluralize(entries.length, noun)}
          </button>
        </p>
      )}
    </section>
  )
}

interface EntryProps {
  readonly entry: Fields
  readonly columns: readonly EntryColumn[]
  readonly shape: Shape
  readonly noun: string
  readonly index: number
  readonly at: string
  readonly findings: readonly Finding[]
  readonly all: boolean
  readonly open: boolean
  readonly onToggle: () => void
}

function Entry({ entry, columns, shape, noun, index, at, findings, all, open, onToggle }: EntryProps) {
  return (
    <>
      <tr id={anchorOf(at)} tabIndex={-1} class={open ? 'open' : undefined}>
        <td>
          <button
            type="button"
            class="plain opener"
            aria-expanded={open}
            aria-label={`${noun} ${index + 1}: all fields`}
            onClick={onToggle}
          >
            {index + 1}
          </button>
        </td>
        {columns.map(({ words, cell }) => (
          <td key={words}>{cell(entry)}</td>
        ))}
        <td>{findings.length > 0 && <SeverityCounts findings={findings} />}</td>
      </tr>
      {open && (
        <tr class="entry-fields">
          <td colSpan={columns.length + 2}>
            <FieldFindings findings={findings} pointer={at} />
            <FieldList shape={shape} value={entry} at={at} findings={findings} all={all} />
          </td>
        </tr>
      )}
    </>
  )
}
