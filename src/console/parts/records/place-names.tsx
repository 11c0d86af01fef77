// The locations of an event in a line, in the way of the goods.
import { TextList } from './text-list.tsx'

export const PlaceNames = ({ names }: { readonly names: readonly string[] }) => <TextList texts={names} between=" → " />
