// What a provider declares, entry by entry: a form that adds one, a table of all, and the choice
// where somebody else changed the same. Entries belong to owners, such as items or places.
import { useState } from 'preact/hooks'
import type { Client } from '../../../client/client.ts'
import type { Column } from '../../records/drawn-column.ts'
import { isStale, useGuardedSave } from '../../state/frame/guarded-save.ts'
import { useVersionedAnswer } from '../../state/frame/request.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import { failureSentence } from '../../words/failure-words.ts'
import { Form } from '../fields/form.tsx'
import { type SettingField, SettingFields } from '../fields/setting-fields.tsx'
import { Empty, When } from '../frame/states.tsx'
import { DataTable } from '../tables/data-table.tsx'
import { EditConflict } from './guarded-edit.tsx'

/** An owner, and one of its entries. */
export interface OwnedEntry<Owner, Entry> {
  readonly owner: Owner
  readonly entry: Entry
}

/** An owner, and all of its entries. */
export interface Owned<Owner, Entry> {
  readonly owner: Owner
  readonly entries: readonly Entry[]
}

/** What was typed, by field. */
export type Typed = Readonly<Record<string, string>>

export interface DeclaredEntries<Owner, Entry, Value> {
  readonly label: string
  /** One of them, and all. */
  readonly noun: string
  readonly nouns: string
  readonly none: { readonly title: string; readonly meaning: string }
  readonly form: {
    readonly title: string
    readonly words: string
    readonly busyWords: string
    readonly fields: readonly SettingField[]
    /** Values before anything is typed, asked for again when an entry was set. */
    readonly values?: () => Typed
    readonly read: (typed: Typed) => OwnedEntry<Owner, Entry>
  }
  readonly columns: readonly Column<OwnedEntry<Owner, Entry>>[]
  readonly sentenceOf: (entry: Entry) => string
  /**
   * Entries of an owner by name, and what is compared of them: two people who add one each are not
   * in each other's way.
   */
  readonly named: {
    readonly nameOf: (entry: Entry) => string
    readonly valueOf: (entry: Entry) => Value
    readonly entryOf: (name: string, value: Value) => Entry
  }
  readonly list: (
    api: Client,
    signal?: AbortSignal,
  ) => Promise<{
    readonly body: { readonly content: readonly Owned<Owner, Entry>[] }
    readonly version: number | undefined
  }>
  /** Replaces all entries of an owner. */
  readonly send: (api: Client, owned: Owned<Owner, Entry>, version: number) => Promise<unknown>
}

interface Known<Owner, Entry> {
  readonly content: readonly Owned<Owner, Entry>[]
  readonly version: number
}

export function DeclaredEntriesEditor<Owner extends object, Entry extends object, Value>({
  of,
}: {
  readonly of: DeclaredEntries<Owner, Entry, Value>
}) {
  const { own, api } = useOpenSession()
  const maySet = useMay('administrator')
  const asked = useVersionedAnswer(of.list)
  const known = asked.is === 'answered' ? asked.value : undefined
  const remove = async ({ owner, entry }: OwnedEntry<Owner, Entry>) => {
    try {
      const entries = entriesOf(known?.content ?? [], owner).filter((one) => one !== entry)
      await of.send(api, { owner, entries }, known?.version ?? 0)
      say(`${of.sentenceOf(entry)}: removed`)
      asked.again()
    } catch (error) {
      say(failureSentence(error), 'failed')
      if (isStale(error)) asked.again()
    }
  }
  return (
    <>
      {maySet ? (
        <SetEntry of={of} known={known} onSet={asked.again} />
      ) : (
        <p class="callout">
          Only an administrator key can set {of.nouns}. Yours is a {own.role} key.
        </p>
      )}
      <When asked={asked} what={`the ${of.nouns}`}>
        {({ content }) => {
          const rows = content.flatMap(({ owner, entries }) => entries.map((entry) => ({ owner, entry })))
          return rows.length === 0 ? (
            <Empty title={of.none.title}>
              <p>{of.none.meaning}</p>
            </Empty>
          ) : (
            <DataTable
              label={of.label}
              columns={[
                ...of.columns,
                maySet && {
                  heading: 'Change',
                  isAction: true,
                  cell: (row) => (
                    <button type="button" onClick={() => remove(row)}>
                      Remove<span class="hidden"> {of.sentenceOf(row.entry)}</span>
                    </button>
                  ),
                },
              ]}
              rows={rows}
              keyOf={(row) => JSON.stringify(row)}
            />
          )
        }}
      </When>
    </>
  )
}

const keyOf = (owner: object): string => JSON.stringify(owner)

const entriesOf = <Owner extends object, Entry>(content: readonly Owned<Owner, Entry>[], owner: Owner) =>
  content.find((one) => keyOf(one.owner) === keyOf(owner))?.entries ?? []

interface SetProps<Owner, Entry, Value> {
  readonly of: DeclaredEntries<Owner, Entry, Value>
  /** What the page shows; undefined until it is loaded. */
  readonly known: Known<Owner, Entry> | undefined
  readonly onSet: () => void
}

function SetEntry<Owner extends object, Entry extends object, Value>({
  of: { noun, form, sentenceOf, named, list, send: sendOwned },
  known,
  onSet,
}: SetProps<Owner, Entry, Value>) {
  const { api } = useOpenSession()
  const { conflict, save, settle } = useGuardedSave<Readonly<Record<string, Value>>>()
  /** What was typed when somebody else changed the owner, and what was then chosen of both. */
  const [typed, setTyped] = useState<Typed>()
  const [given, setGiven] = useState(form.values)
  const [chosen, setChosen] = useState<Readonly<Record<string, Value>>>()
  const valuesIn = ({ content }: Pick<Known<Owner, Entry>, 'content'>, owner: Owner) =>
    Object.fromEntries(entriesOf(content, owner).map((one) => [named.nameOf(one), named.valueOf(one)]))
  const send = async (text: (name: string) => string, element: HTMLFormElement) => {
    const values = Object.fromEntries(form.fields.map(({ name }) => [name, text(name)]))
    const { owner, entry } = form.read(values)
    const seen = known ?? { content: [], version: 0 }
    const read = valuesIn(seen, owner)
    const isSame = typed !== undefined && keyOf(form.read(typed).owner) === keyOf(owner)
    const before = chosen !== undefined && isSame ? chosen : read
    const isSet = await save(
      { content: read, version: seen.version },
      { ...before, [named.nameOf(entry)]: named.valueOf(entry) },
      {
        entry: keyOf(owner),
        send: (sent, version) => {
          const entries = Object.entries(sent).map(([name, value]) => named.entryOf(name, value))
          return sendOwned(api, { owner, entries }, version)
        },
        read: async () => {
          const { body, version = 0 } = await list(api)
          return { content: valuesIn(body, owner), version }
        },
      },
    )
    setTyped(isSet ? undefined : values)
    if (!isSet) return
    setChosen(undefined)
    say(`${sentenceOf(entry)} is set`)
    element.reset()
    setGiven(form.values)
    onSet()
  }
  if (conflict !== undefined)
    return (
      <EditConflict
        noun={noun}
        conflict={conflict}
        onSettled={(content) => {
          setChosen(content)
          settle()
          onSet()
        }}
      />
    )
  return (
    <Form
      key={JSON.stringify(chosen)}
      aria-labelledby="set-entry"
      words={form.words}
      busyWords={form.busyWords}
      onSend={send}
    >
      <h2 id="set-entry">{form.title}</h2>
      <SettingFields form="entry" fields={form.fields} values={{ ...given, ...typed }} />
    </Form>
  )
}
