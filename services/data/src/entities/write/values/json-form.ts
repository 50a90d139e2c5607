import { type Entity, entityOf, type Model, type ReferenceAttribute } from '@lintel/metadata';
import { hasCompositeKey, keyPartsOf } from '@lintel/query';
import type { Layout } from '../layout/layout.ts';
import { isReference, type Key, type Reference, type Value, type Values } from './value.ts';

/** The id in its JSON form: the single value, or an object of the parts. 64-bit integers stay texts. */
export function idOf(model: Model, entity: Entity, key: Key): unknown {
  if (!hasCompositeKey(entity)) return key[0];
  return Object.fromEntries(keyPartsOf(model, entity).map((part, at) => [part.name, key[at]]));
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
  for (const [path, value] of values) {
    const names = path.split('.');
    const attribute = names[0] ?? '';
    if (only !== undefined && !only.has(attribute)) continue;
    let place = result;
    for (const name of names.slice(0, -1)) {
      const inner = place[name];
      const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
      place[name] = next;
      place = next;
    }
    place[names.at(-1) ?? ''] = jsonValue(model, layout, path, value);
  }
  return result;
}

function jsonValue(model: Model, layout: Layout, path: string, value: Value): unknown {
  const target = targetOf(model, layout, path);
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
