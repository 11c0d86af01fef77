// Suggestions for a name that is not a field: by meaning first, then by spelling (decision 0054).

import { foldName, isNear, type NamedThing, nearestName, synonymOf } from '../text/name-distance.ts'
import type { Shape } from './field.ts'

/** An object of a payload, and where it is: `*` stands for each entry of a list. */
interface Level {
  readonly path: readonly string[]
  readonly shape: Shape
}

const levelsOfRoots = new WeakMap<Shape, readonly Level[]>()

/** Every object of a payload, from the top down. */
function levelsOf(root: Shape): readonly Level[] {
  let levels = levelsOfRoots.get(root)
  if (levels === undefined) {
    const found: Level[] = []
    const visit = (shape: Shape, path: readonly string[]): void => {
      const one = shape['x-one-or-many'] ? (shape.anyOf?.find(({ type }) => type === 'object') ?? shape) : shape
      if (one.properties !== undefined) found.push({ path, shape: one })
      for (const [name, field] of Object.entries(one.properties ?? {})) visit(field, [...path, name])
      if (one.items !== undefined) visit(one.items, [...path, '*'])
    }
    visit(root, [])
    levels = found.sort((a, b) => a.path.length - b.path.length)
    levelsOfRoots.set(root, levels)
  }
  return levels
}

const namedFields = ({ properties = {} }: Shape): readonly NamedThing[] =>
  Object.entries(properties).map(([name, field]) => ({ name, synonyms: field['x-synonyms'] ?? [] }))

/** An object with an unknown name, and its other names. */
export interface NamelessPlace {
  readonly root: Shape
  readonly shape: Shape
  /** JSON Pointer of the object. */
  readonly pointer: string
  readonly given: readonly string[]
}

/** Longest name that is compared: no field name is longer, and comparing takes quadratic time. */
const comparedLengthMax = 40

/**
 * Suggestions for an unknown name, as sentences with a leading blank; undefined when no name is
 * near. In this order: a missing required field, a field by another name, the object that has such
 * a field, a field that is spelled alike.
 */
export function adviceOn(name: string, { root, shape, pointer, given }: NamelessPlace): string | undefined {
  if (name.length > comparedLengthMax) return undefined
  const fields = namedFields(shape)
  const missing = fields.filter((field) => shape.required?.includes(field.name) && !given.includes(field.name))
  const here = fields.find((field) => foldName(field.name) === foldName(name))
  const meant =
    here?.name ??
    nearestName(
      name,
      missing.filter((field) => isNear(name, field)),
    ) ??
    synonymOf(name, fields)
  if (meant !== undefined) return ` Did you mean ${meant}?`
  const elsewhere = elsewhereOf(name, root, pointer)
  if (elsewhere !== undefined) return elsewhere
  const spelled = nearestName(name, fields)
  return spelled === undefined ? undefined : ` Did you mean ${spelled}?`
}

/** Where a field of this name, or else of this meaning, belongs: below this object first. */
function elsewhereOf(name: string, root: Shape, pointer: string): string | undefined {
  const own = pathOf(root, pointer)
  const isBelow = ({ path }: Level) => path.length > own.length && own.every((step, n) => path[n] === step)
  const others = levelsOf(root).filter(({ path }) => path.join('/') !== own.join('/'))
  const ordered = [...others.filter(isBelow), ...others.filter((level) => !isBelow(level))]
  for (const find of [byName, synonymOf])
    for (const level of ordered) {
      const found = find(name, namedFields(level.shape))
      if (found === undefined) continue
      const meant = foldName(found) === foldName(name) ? '' : ` Did you mean ${found}?`
      return `${meant} It belongs ${placeWords(isBelow(level) ? level.path.slice(own.length) : level.path)}.`
    }
  return undefined
}

const byName = (name: string, fields: readonly NamedThing[]): string | undefined =>
  fields.find((field) => foldName(field.name) === foldName(name))?.name

/** `in address of each entry of locationMasterList`. */
function placeWords(path: readonly string[]): string {
  if (path.length === 0) return 'at the top of the body'
  const parts = path.map((step) => (step === '*' ? 'each entry' : step))
  return `in ${parts.reverse().join(' of ')}`
}

/**
 * The path of the object that a pointer leads to. Where a field takes one object or a list, the
 * list is left out of the path.
 */
function pathOf(root: Shape, pointer: string): readonly string[] {
  const [top = '', ...steps] = pointer
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? '*' : step))
  if (top === '') return []
  return root.properties?.[top]?.['x-one-or-many'] && steps[0] === '*' ? [top, ...steps.slice(1)] : [top, ...steps]
}

/** The field whose content was sent without its envelope: most unknown names are fields of it. */
export function unwrappedField(root: Shape, given: readonly string[]): string | undefined {
  const { properties = {}, required = [] } = root
  const strange = given.filter((name) => !Object.hasOwn(properties, name))
  if (strange.length < 2) return undefined
  const shares = required
    .filter((name) => !given.includes(name))
    .map((name) => ({ name, share: strange.filter((one) => isFieldOf(properties[name], one)).length }))
    .sort((a, b) => b.share - a.share)
  const [best] = shares
  return best !== undefined && best.share >= 2 && best.share * 2 > strange.length ? best.name : undefined
}

/** True when the object, or each entry of the list, that a field holds has a field of this name. */
export function isFieldOf(field: Shape | undefined, name: string): boolean {
  if (field === undefined) return false
  const objects = [field, ...(field.items ? [field.items] : []), ...(field.anyOf ?? [])]
  return objects.some(({ properties }) => properties !== undefined && Object.hasOwn(properties, name))
}
