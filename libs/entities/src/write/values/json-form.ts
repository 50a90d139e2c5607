import type { Model } from '@lintel/metadata';
import { idOf } from '@lintel/query';
import type { JsonPath } from '../model/json-path.ts';
import type { StoredEntity } from '../model/stored-entity.ts';
import { SlotValues } from './slot-values.ts';
import { isReference, type Reference, type Value, type Values } from './value.ts';

/**
 * An instance in the JSON form of the entity API, as listeners, rules and application code see it:
 * embedded attributes nested, references as `{ id }`.
 *
 * @param only names of the attributes to include; all without it
 */
export function toJsonForm(
  model: Model,
  layout: StoredEntity,
  values: Values,
  only?: ReadonlySet<string>,
): Record<string, unknown> {
  if (only === undefined && values instanceof SlotValues && values.isOf(layout.paths))
    return formOfSlots(model, layout, values);
  const result: Record<string, unknown> = {};
  values.forEach((value, path) => {
    const jsonPath = layout.jsonPathOf(path);
    if (only !== undefined && !only.has(jsonPath.attribute)) return;
    const form = formOf(model, jsonPath, value);
    if (jsonPath.names.length === 1) result[path] = form;
    else putInside(result, jsonPath.names, form);
  });
  return result;
}

function formOfSlots(model: Model, { jsonForm }: StoredEntity, values: SlotValues): Record<string, unknown> {
  const result: Record<string, unknown> = { ...jsonForm.empty };
  values.forEachSlot((value, at) => {
    const jsonPath = jsonForm.paths[at] as JsonPath;
    if (jsonPath.names.length > 1) putInside(result, jsonPath.names, formOf(model, jsonPath, value));
    else if (value !== null) result[jsonPath.attribute] = formOf(model, jsonPath, value);
  });
  return result;
}

/** One value in the JSON form. */
export const valueInJson = (model: Model, layout: StoredEntity, path: string, value: Value): unknown =>
  formOf(model, layout.jsonPathOf(path), value);

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

function formOf(model: Model, { target, isJson }: JsonPath, value: Value): unknown {
  if (isJson && typeof value === 'string') return JSON.parse(value);
  // A scalar.
  if (typeof value !== 'object' || value === null) return value;
  const reference = ({ key }: Reference) => (target === undefined ? undefined : { id: idOf(model, target, key) });
  if (isReference(value)) return reference(value);
  if (!Array.isArray(value)) return value;
  return (value as readonly unknown[]).map((item) =>
    isReference(item as Value) ? reference(item as Reference) : item,
  );
}
