// Groups things by a key.

type Group<Thing> = [Thing, ...Thing[]]

/** Groups in the order of their first members, members in their own order. */
export function groupsOf<Key, Thing>(things: Iterable<Thing>, keyOf: (thing: Thing) => Key): Map<Key, Group<Thing>> {
  const groups = new Map<Key, Group<Thing>>()
  for (const thing of things) {
    const key = keyOf(thing)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [thing])
    else group.push(thing)
  }
  return groups
}
