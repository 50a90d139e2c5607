import { type Entity, entityOf, type Model, type ReferenceAttribute } from '@lintel/metadata';
import { hasCompositeKey, keyPartsOf } from '@lintel/query';
import type { Layout } from '../model/layout.ts';
import { isReference, type Key, type Reference, type Value, type Values } from './value.ts';

/** The id in its JSON form: the single value, or an object of the parts. 64-bit integers stay texts. */
export function idOf(model: Model, entity: Entity, key: Key): unknown {
  if (!hasCompositeKey(entity)) return key[0];
  return Object.fromEntries(keyPartsOf(model, entity).map((part, at) => [part.name, key[at]]));
}

/** The position of a value in the JSON form, and the entity that it refers to. */
interface JsonPath {
  /** Members from the root to the value. */
  readonly names: readonly string[];
  /** Name of the attribute itself. */
  readonly attribute: string;
  readonly target: Entity | undefined;
}

/** Every save needs the same paths. */
const PATHS = new WeakMap<Layout, Map<string, JsonPath>>();

function jsonPathsOf(layout: Layout): Map<string, JsonPath> {
  const known = PATHS.get(layout) ?? new Map<string, JsonPath>();
  PATHS.set(layout, known);
  return known;
}

function jsonPathOf(model: Model, layout: Layout, paths: Map<string, JsonPath>, path: string): JsonPath {
  const known = paths.get(path);
  if (known !== undefined) return known;
  const names = path.split('.');
  const jsonPath = { names, attribute: names[0] ?? '', target: targetOf(model, layout, path) };
  // Only paths of the layout are cached: others come from clients and are unlimited in number.
  if (layout.entity.attributes.has(jsonPath.attribute)) paths.set(path, jsonPath);
  return jsonPath;
}

/**
 * An instance in the JSON form of the entity API, as listeners, rules and application code see it:
 * embedded attributes nested, references as `{ id }`.
 *
 * @param only names of the attributes that are wanted; all without it
 */
export function toJsonForm(
  model: Model,
  layout: Layout,
  values: Values,
  only?: ReadonlySet<string>,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  const paths = jsonPathsOf(layout);
  values.forEach((value, path) => {
    const jsonPath = jsonPathOf(model, layout, paths, path);
    if (only !== undefined && !only.has(jsonPath.attribute)) return;
    const form = formOf(model, jsonPath.target, value);
    if (jsonPath.names.length === 1) result[path] = form;
    else putInside(result, jsonPath.names, form);
  });
  return result;
}

/** One value in the JSON form. */
export const valueInJson = (model: Model, layout: Layout, path: string, value: Value): unknown =>
  formOf(model, jsonPathOf(model, layout, jsonPathsOf(layout), path).target, value);

function putInside(result: Record<string, unknown>, names: readonly string[], form: unknown): void {
  let parent = result;
  for (const name of names.slice(0, -1)) {
    const inner = parent[name];
    const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
    parent[name] = next;
    parent = next;
  }
  parent[names.at(-1) ?? ''] = form;
}

function formOf(model: Model, target: Entity | undefined, value: Value): unknown {
  // A scalar.
  if (typeof value !== 'object' || value === null) return value;
  const reference = ({ key }: Reference) => (target === undefined ? undefined : { id: idOf(model, target, key) });
  if (isReference(value)) return reference(value);
  if (!Array.isArray(value)) return value;
  return (value as readonly unknown[]).map((item) =>
    isReference(item as Value) ? reference(item as Reference) : item,
  );
}

function targetOf(model: Model, layout: Layout, path: string): Entity | undefined {
  const attribute =
    layout.slots.get(path)?.attribute ?? [...layout.links, ...layout.inverses].find(({ name }) => name === path);
  return attribute?.kind === 'reference' ? entityOf(model, (attribute as ReferenceAttribute).target) : undefined;
}
