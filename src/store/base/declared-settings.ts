// Settings that a provider declares beside its records, each under a key: expectations of a vendor,
// how to read a sender's ship notices, defaults of a sender's EPCIS documents, units of items,
// exempt places, addresses of lot code sources, the name that others see. Sources: decisions 0035,
// 0068, 0082, 0083, 0092, 0093, 0100, 0101.

import { type Queryable, statement } from '../database/statement.ts'
import { type Actor, loggedStatement } from '../evidence/access-log.ts'
import { type Guard, guardOf, versionRaised } from './setting-versions.ts'
import type { VersionSet } from './writes.ts'

/** A setting; `undefined` as its value removes it. */
export interface SettingChange {
  /** Empty for the setting of all keys of its kind. */
  readonly key: string
  readonly value: object | undefined
}

export interface DeclaredSetting<Value extends object> {
  readonly key: string
  readonly value: Value
  readonly setAt: Date
  readonly setBy: string
}

/** The noun for the keys of each kind, for the access log. */
export const keyNouns = {
  captureSender: 'senders',
  displayName: 'names',
  exemptPlace: 'places',
  shipNoticeSender: 'senders',
  sourceAddress: 'addresses',
  unitConversion: 'items',
  vendorTarget: 'vendors',
} as const
export type SettingKind = keyof typeof keyNouns

/** Most settings of a kind of one provider, and most characters of them together. */
export const settingsMax: Readonly<Record<SettingKind, number>> = {
  captureSender: 1_000,
  displayName: 1,
  exemptPlace: 10_000,
  shipNoticeSender: 1_000,
  sourceAddress: 1_000,
  unitConversion: 10_000,
  vendorTarget: 1_000,
}
export const settingsLengthMax = 4_000_000

const all = statement<DeclaredSetting<object>, { provider: string; kind: SettingKind }>(
  'declaredSettings',
  `SELECT key, value, set_at AS "setAt", set_by AS "setBy"
   FROM declared_setting
   WHERE provider_id = $provider AND kind = $kind
   ORDER BY key`,
)

/** All settings of a kind, that for all keys first. */
export const declaredSettings = async <Value extends object>(
  db: Queryable,
  provider: string,
  kind: SettingKind,
): Promise<DeclaredSetting<Value>[]> => (await all(db, { provider, kind })) as DeclaredSetting<Value>[]

const ofKeys = statement<DeclaredSetting<object>, { provider: string; kind: SettingKind; keys: readonly string[] }>(
  'declaredSettingsOf',
  `SELECT key, value, set_at AS "setAt", set_by AS "setBy"
   FROM declared_setting
   WHERE provider_id = $provider AND kind = $kind AND (key = '' OR key = ANY ($keys::text[]))`,
)

/** The values for some keys: the setting for all keys, and their own. */
export const declaredSettingsOf = async <Value extends object>(
  db: Queryable,
  provider: string,
  kind: SettingKind,
  keys: readonly string[],
): Promise<DeclaredSetting<Value>[]> => (await ofKeys(db, { provider, kind, keys })) as DeclaredSetting<Value>[]

const changes = `asked AS (
  SELECT * FROM $settings
), fitting AS (
  SELECT count(*) <= $most AND coalesce(sum(length(value)), 0) <= $lengthMax AS fits
  FROM (
    SELECT s.value::text AS value
    FROM declared_setting s
    WHERE s.provider_id = $provider AND s.kind = $kind AND s.key NOT IN (SELECT key FROM asked)
    UNION ALL
    SELECT value FROM asked WHERE value IS NOT NULL
  ) kept
), edited AS (
  ${versionRaised} AND EXISTS (SELECT 1 FROM fitting WHERE fits)
  RETURNING v.version
), allowed AS (
  SELECT a.* FROM asked a CROSS JOIN edited
), gone AS (
  DELETE FROM declared_setting s USING allowed a
  WHERE s.provider_id = $provider AND s.kind = $kind AND s.key = a.key AND a.value IS NULL
), changed AS (
  INSERT INTO declared_setting (provider_id, kind, key, value, set_at, set_by)
  SELECT $provider, $kind, key, value::json, now(), $who::text FROM allowed WHERE value IS NOT NULL ORDER BY key
  ON CONFLICT (provider_id, kind, key) DO UPDATE
  SET value = excluded.value, set_at = excluded.set_at, set_by = excluded.set_by
)`

const changesOfTargets = `${changes}, due AS (
  UPDATE alert_look l SET fence = l.fence + 1, until = NULL, looked_at = NULL, seen = NULL
  FROM edited
  WHERE l.provider_id = $provider
)`

// The events of these places are counted again.
const changesOfPlaces = `${changes}, scheduled AS (
  INSERT INTO awaiting_recount (provider_id, what, "dataProviderVendorId", code)
  SELECT $provider, CASE WHEN json_array_length(key::json) = 1 THEN 'vendor' ELSE 'location' END, key::json ->> 0, key::json ->> 1
  FROM allowed
  ORDER BY key
)`

const result = 'SELECT f.fits, e.version FROM fitting f LEFT JOIN edited e ON true'

type Fitting = { fits: boolean; version: number | null }

/** Changes of the settings of a kind. */
interface SettingChanges {
  readonly provider: string
  readonly kind: SettingKind
  readonly settings: readonly SettingChange[]
}

const onceSet = {
  of: 'edited',
  asked: ({ kind, settings }: SettingChanges) => ({ [keyNouns[kind]]: settings.length, first: settings[0]?.key }),
  rows: {
    settings: {
      key: 'text',
      value: ['text', ({ value }: SettingChange) => value && JSON.stringify(value)],
    },
  },
  defaults: { lengthMax: settingsLengthMax },
} as const

type Changes = SettingChanges & Guard & { readonly most: number }
const ofCaptureSenders = loggedStatement<Fitting, Changes>('setCaptureSenders', changes, result, onceSet)
const ofDisplayName = loggedStatement<Fitting, Changes>('setDisplayName', changes, result, onceSet)
const ofExemptPlaces = loggedStatement<Fitting, Changes>('setExemptPlaces', changesOfPlaces, result, onceSet)
const ofUnitConversions = loggedStatement<Fitting, Changes>('setUnitConversions', changes, result, onceSet)
const ofShipNoticeSenders = loggedStatement<Fitting, Changes>('setShipNoticeSenders', changes, result, onceSet)
const ofSourceAddresses = loggedStatement<Fitting, Changes>('setSourceAddresses', changes, result, onceSet)
// A look for alerts that is in progress writes nothing, and the next one is due immediately.
const ofVendorTargets = loggedStatement<Fitting, Changes>('setVendorTargets', changesOfTargets, result, onceSet)

const writers = {
  captureSender: ofCaptureSenders,
  displayName: ofDisplayName,
  exemptPlace: ofExemptPlaces,
  shipNoticeSender: ofShipNoticeSenders,
  sourceAddress: ofSourceAddresses,
  unitConversion: ofUnitConversions,
  vendorTarget: ofVendorTargets,
}

/**
 * Makes all changes or none. Each key occurs once. `tooMany`: more would be set than allowed. The
 * new version, or `stale`: the settings are at another one than those it may follow.
 */
export async function writeDeclaredSettings(
  db: Queryable,
  changes: SettingChanges,
  actor: Actor,
  allowed?: VersionSet,
): Promise<number | 'stale' | 'tooMany'> {
  const { provider, kind } = changes
  const row = await writers[kind](
    db,
    { ...changes, most: settingsMax[kind], ...(await guardOf(db, provider, kind, allowed)) },
    actor,
  )
  return row?.fits ? (row.version ?? 'stale') : 'tooMany'
}
