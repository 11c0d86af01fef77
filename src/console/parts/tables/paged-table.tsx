// A list of the service as a table, page after page: its rows, its end, or the words for an empty
// list.
import type { ComponentChildren } from 'preact'
import type { Paged } from '../../state/frame/paged.ts'
import { When } from '../frame/states.tsx'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { ListEnd } from './list-end.tsx'

interface Props<Row> extends Omit<DataTableProps<Row>, 'rows'> {
  readonly paged: Paged<Row>
  readonly noun: string
  readonly nouns?: string
  readonly newestFirst?: boolean
  readonly empty?: ComponentChildren
}

export const PagedTable = <Row,>({ paged, noun, nouns = `${noun}s`, newestFirst, empty, ...table }: Props<Row>) => (
  <When asked={paged.asked} what={`the ${nouns}`}>
    {({ content }) =>
      content.length === 0 && empty !== undefined ? (
        empty
      ) : (
        <>
          <DataTable {...table} rows={content} />
          <ListEnd {...{ paged, noun, nouns, newestFirst }} />
        </>
      )
    }
  </When>
)
