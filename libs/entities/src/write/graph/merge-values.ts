import { isLocal, type SystemAttributes } from '@lintel/metadata';
import { canonicalScalar, isDecimalType, readExactJson } from '@lintel/query';
import type { ColumnSlot, Layout } from '../model/layout.ts';
import type { SentValue } from '../parse/instance-input.ts';
import { mergedJson } from '../values/merged-json.ts';
import { isSameValue } from '../values/same-value.ts';
import { copyOf, type MutableValues, SlotValues } from '../values/slot-values.ts';
import { type Key, keyText, type Reference, type Value, type Values } from '../values/value.ts';

const CREATE_ONLY_BY_SERVER: readonly (keyof SystemAttributes)[] = ['createdDate', 'createdBy'];
const ALWAYS_BY_SERVER: readonly (keyof SystemAttributes)[] = [
  'version',
  'lastModifiedDate',
  'lastModifiedBy',
  'deletedDate',
  'deletedBy',
];

/**
 * Whether a client may set the attribute. Only the server sets the audit attributes of deletion and modification; the
 * creation attributes may be corrected by an update if the caller has the right (contract/writing.md#audit).
 */
function isClientsToSet(layout: Layout, path: string, isNew: boolean): boolean {
  const { system } = layout.entity;
  const isPath = (name: keyof SystemAttributes): boolean => system[name] === path;
  return !ALWAYS_BY_SERVER.some(isPath) && !(isNew && CREATE_ONLY_BY_SERVER.some(isPath));
}

/** The values of a new instance before the client's: defaults, and null for the rest. */
export function initialValues(layout: Layout, key: Key): Values {
  const defaults = DEFAULTS.get(layout) ?? defaultsOf(layout);
  DEFAULTS.set(layout, defaults);
  const values = defaults.copy();
  for (let at = 0; at < layout.key.length; at += 1) values.set(layout.key[at]?.path ?? '', key[at] ?? null);
  return values;
}

/** Values of new instances without their keys, by layout. */
const DEFAULTS = new WeakMap<Layout, SlotValues>();

const defaultsOf = ({ slots, elements, links, paths }: Layout): SlotValues =>
  new SlotValues(paths, [...[...slots.values()].map(defaultOf), ...elements.map(() => []), ...links.map(() => [])]);

function defaultOf({ attribute, types: [type] }: ColumnSlot): Value {
  const given = isLocal(attribute) ? attribute.defaultValue : undefined;
  if (given === undefined || type === undefined) return null;
  return canonicalScalar(type, readExactJson(JSON.stringify(given)))?.value ?? null;
}

/**
 * The instance with the sent values merged in; values that were not sent are unchanged. Collections that are stored at
 * the other end are not included.
 *
 * @param onMissing throws the error for a reference without an id
 */
export function mergeValues(
  layout: Layout,
  base: Values,
  sent: ReadonlyMap<string, SentValue>,
  isNew: boolean,
  onMissing: (path: string) => never,
): MutableValues {
  const values = copyOf(base);
  for (const [path, { value, jsonPatch, removed }] of sent) {
    if (value === 'missing') return onMissing(path);
    if (layout.inverses.some(({ name }) => name === path) || !isClientsToSet(layout, path, isNew)) continue;
    if (jsonPatch !== undefined && !isNew) values.set(path, mergedJson(path, base.get(path), jsonPatch));
    else values.set(path, removed === undefined ? value : changedLinks(base.get(path), value, removed));
  }
  return values;
}

/** The links of which some leave and some come. */
function changedLinks(base: Value | undefined, coming: Value, removed: ReadonlyMap<string, Key>): Value {
  const links = new Map(((base ?? []) as readonly Reference[]).map((link) => [keyText(link.key), link]));
  for (const key of removed.keys()) links.delete(key);
  for (const link of coming as readonly Reference[]) links.set(keyText(link.key), link);
  return [...links.values()];
}

/** Each step of a save needs the comparison again; values do not change after it. */
const COMPARED = Symbol('compared');

/** Stored in the values object itself: a separate map would cost more than it saves. */
interface ComparedValues extends Values {
  [COMPARED]?: { readonly before: Values | undefined; readonly paths: readonly string[] };
}

/** Paths whose values differ. */
export function changedPaths(layout: Layout, before: Values | undefined, after: ComparedValues): readonly string[] {
  const known = after[COMPARED];
  if (known !== undefined && known.before === before) return known.paths;
  const paths = compare(layout, before, after);
  after[COMPARED] = { before, paths };
  return paths;
}

function compare(layout: Layout, before: Values | undefined, after: Values): readonly string[] {
  const paths: string[] = [];
  // A value that was not sent is identical (`===`) to the loaded one.
  const visit = (path: string, old: Value | undefined, value: Value): void => {
    if (old !== value && isChanged(layout, path, old, value)) paths.push(path);
  };
  if (after instanceof SlotValues) after.forEachOther(before, visit);
  // Not `for … of`: that creates an array for each of the many values.
  else
    after.forEach((value, path) => {
      visit(path, before?.get(path), value);
    });
  return paths;
}

function isChanged(layout: Layout, path: string, before: Value | undefined, after: Value): boolean {
  // Of a new instance most values are null.
  if (before === undefined && after === null) return false;
  if (layout.links.some((attribute) => attribute.name === path)) return !isSameSet(before, after);
  const slot = layout.slots.get(path);
  const type = slot?.types[0];
  const isDecimal = slot?.attribute.kind !== 'reference' && type !== undefined && isDecimalType(type);
  return !isSameValue(before ?? null, after, isDecimal);
}

/** Links have no order. */
function isSameSet(left: Value | undefined, right: Value | undefined): boolean {
  const texts = (value: Value | undefined) =>
    ((value ?? []) as readonly Reference[]).map(({ key }) => JSON.stringify(key)).sort();
  return JSON.stringify(texts(left)) === JSON.stringify(texts(right));
}
