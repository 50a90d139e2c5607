import { type Attribute, type Entity, entityOf, isToMany, type Model } from '@lintel/metadata';
import type { ExactJson, ExactObject } from '@lintel/query';
import type { InstanceChange } from '../compare-states.ts';
import { sentValue } from '../former-body.ts';

/**
 * The members of an update that takes a change back, or of a creation that takes a deletion back: the former values of
 * what it has written, and no others. Arrays of children have only those that it has updated or deleted.
 *
 * @param created takes the ids of the children that it has created, by the array that lacks them
 */
export function undoMembers(
  model: Model,
  entity: Entity,
  { attributes, children = [] }: InstanceChange,
  created: WeakMap<object, readonly ExactJson[]>,
): ExactObject {
  const members: Record<string, ExactJson> = { _entityName: entity.name };
  for (const { attribute: name, old } of attributes) {
    const attribute = entity.attributes.get(name);
    members[name] = old === undefined ? emptyValue(attribute) : sentValue(model, attribute, old);
  }
  for (const [name, changed] of Map.groupBy(children, (child) => child.attribute)) {
    const attribute = entity.attributes.get(name) as Attribute;
    const { added = [], former = [] } = Object.groupBy(changed, ({ operation }) =>
      operation === 'created' ? 'added' : 'former',
    );
    const written = former.map((child) => ({
      ...undoMembers(model, entityOf(model, child.entity), child, created),
      id: child.id,
    }));
    const isMany = attribute.kind === 'reference' && isToMany(attribute);
    if (isMany)
      created.set(
        written,
        added.map(({ id }) => id),
      );
    members[name] = isMany ? written : (written[0] ?? null);
  }
  return members;
}

const emptyValue = (attribute: Attribute | undefined): ExactJson =>
  attribute?.kind === 'elements' || (attribute?.kind === 'reference' && isToMany(attribute)) ? [] : null;

const idOf = ({ id }: { readonly id?: ExactJson }): string => JSON.stringify(id);

/** Where something of a change has changed since: names of attributes and children; empty without conflicts. */
export function conflictsOf(change: InstanceChange, since: InstanceChange | undefined, path = ''): readonly string[] {
  if (since === undefined) return [];
  if (change.operation !== 'updated' || since.operation !== 'updated')
    return [path === '' ? since.operation : path.slice(0, -1)];
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
