import { type Attribute, type Entity, entityOf, isToMany, type Model } from '@lintel/metadata';
import { type ExactJson, type ExactObject, isExactObject } from '@lintel/query';
import type { ChildChange, InstanceChange, State } from './compare-states.ts';
import { sentValue } from './former-body.ts';

/**
 * The members of an update that takes a change back, or of a creation that takes a deletion back: the former values of
 * what it has written, and no others. Children of a collection that it has not written keep their places.
 *
 * @param now the present state; undefined for an instance that is created again
 */
export function undoMembers(
  model: Model,
  entity: Entity,
  { attributes, children = [] }: InstanceChange,
  now: State | undefined,
): ExactObject {
  const members: Record<string, ExactJson> = { _entityName: entity.name };
  for (const { attribute: name, old } of attributes) {
    const attribute = entity.attributes.get(name) as Attribute;
    members[name] = old === undefined ? emptyValue(attribute) : sentValue(model, attribute, old);
  }
  for (const [name, changed] of Map.groupBy(children, (child) => child.attribute)) {
    const attribute = entity.attributes.get(name) as Attribute;
    const present = childrenIn(now, name);
    const ids = new Set(changed.map(idOf));
    const kept = present.filter((child) => !ids.has(idOf(child))).map((child) => ({ id: child['id'] ?? null }));
    const former = changed
      .filter(({ operation }) => operation !== 'created')
      .map((child) => childMembers(model, child, present));
    members[name] = attribute.kind === 'reference' && isToMany(attribute) ? [...kept, ...former] : (former[0] ?? null);
  }
  return members;
}

function childMembers(model: Model, child: ChildChange, present: readonly State[]): ExactObject {
  const now = present.find((state) => idOf(state) === idOf(child));
  return { ...undoMembers(model, entityOf(model, child.entity), child, now), id: child.id };
}

const emptyValue = (attribute: Attribute): ExactJson =>
  attribute.kind === 'elements' || (attribute.kind === 'reference' && isToMany(attribute)) ? [] : null;

const idOf = ({ id }: { readonly id?: ExactJson }): string => JSON.stringify(id);

function childrenIn(state: State | undefined, name: string): readonly State[] {
  const value = state?.[name];
  return (Array.isArray(value) ? (value as readonly ExactJson[]) : [value ?? null]).filter(isExactObject);
}

/** Where something of a change has changed since: names of attributes and children; empty without conflicts. */
export function conflictsOf(change: InstanceChange, since: InstanceChange | undefined, path = ''): readonly string[] {
  if (since === undefined) return [];
  if (change.operation !== 'updated' || since.operation !== 'updated') return [path === '' ? since.operation : path];
  const written = new Set(change.attributes.map(({ attribute }) => attribute));
  const attributes = since.attributes.filter(({ attribute }) => written.has(attribute));
  const children = (change.children ?? []).flatMap((child) => {
    const other = since.children?.find((one) => one.attribute === child.attribute && idOf(one) === idOf(child));
    return conflictsOf(child, other, `${path}${child.attribute}[${String(child.id)}].`);
  });
  return [...attributes.map(({ attribute }) => `${path}${attribute}`), ...children];
}

/** Whether the caller sees the same instances changed, in the same way, as there are. */
export function isWhole(seen: InstanceChange, full: InstanceChange): boolean {
  const children = seen.children ?? [];
  return (
    seen.operation === full.operation &&
    (full.children ?? []).every((child) => {
      const own = children.find((one) => one.attribute === child.attribute && idOf(one) === idOf(child));
      return own !== undefined && isWhole(own, child);
    })
  );
}
