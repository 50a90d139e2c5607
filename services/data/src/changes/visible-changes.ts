import { type Entity, familyTreeOf, type Model } from '@lintel/metadata';
import { assertReadable, type Visibility, visibilityOf } from '@lintel/query';
import type { CallerAccess } from '../entities/read-dependencies.ts';
import type { EntityChange } from './entity-change.ts';
import type { ToldInstances } from './told-instances.ts';

/** A change as a caller is told it. */
export interface VisibleChange extends Omit<EntityChange, 'kind'> {
  /**
   * `removed`: the caller was told of the instance before and cannot see it any more; whether it was deleted or is
   * hidden now is not said.
   */
  readonly kind: EntityChange['kind'] | 'removed';
}

/** Who is told: a right that ends and an instance that goes out of sight are both of this moment. */
export interface Receiver {
  /** What the caller may see now. */
  readonly access: CallerAccess;
  /** What was told before; of use for callers with row-level rules only. */
  readonly told: ToldInstances;
}

/** Which of some instances a caller sees now, through the read line: {@link createVisibleRows}. */
export type VisibleRows = (
  entity: Entity,
  ids: readonly string[],
  access: CallerAccess,
  signal?: AbortSignal,
) => Promise<ReadonlySet<string>>;

/** Whether it takes a statement to say what the caller may be told of changes of an entity. */
export function asksForRows(entity: Entity, { read }: CallerAccess, model: Model): boolean {
  const visibility = visibilityOf(model, read);
  return visibility.rowsOf(entity) !== undefined || visibility.predicatesOf(entity).length > 0;
}

/**
 * What a caller may be told of changes of an entity and its descendants. Nothing is told that the caller could not
 * have read:
 *
 * - names of attributes that the caller may not view are left out, and an update of none but such ones is not told;
 * - where row-level rules concern the caller, creations and updates are told of the instances that the read line
 *   shows now. One that it does not show is told as `removed` if the caller was told of it before, and not at all
 *   otherwise: so it is with deletions, since nobody can say whether the caller could see what is gone;
 * - without row-level rules every instance is visible, deleted ones were, and nothing has to be looked up.
 *
 * @param changes in the order in which they happened; those of other entities are passed over
 * @throws PlatformError ACCESS_READ_DENIED where the caller may not, or no longer, read the entity
 */
export async function visibleChanges(
  changes: readonly EntityChange[],
  entity: Entity,
  { access, told }: Receiver,
  model: Model,
  visibleRows: VisibleRows,
): Promise<readonly VisibleChange[]> {
  assertReadable(entity, access.read);
  const family = new Map(familyTreeOf(model, entity).map((member) => [member.name, member]));
  const visibility = visibilityOf(model, access.read);
  const namesOf = (change: EntityChange): readonly string[] => {
    const concrete = family.get(change.entity);
    if (concrete === undefined) return [];
    return change.attributes.filter((name) => mayName(name, entity, concrete, model, visibility));
  };
  const concerned = changes.filter((change) => family.has(change.entity));
  if (!asksForRows(entity, access, model))
    return concerned.flatMap((change): VisibleChange[] => {
      const attributes = namesOf(change);
      return change.kind === 'updated' && attributes.length === 0 ? [] : [{ ...change, attributes }];
    });
  const asked = new Set(concerned.filter(({ kind }) => kind !== 'deleted').map(({ id }) => id));
  const visible = asked.size === 0 ? asked : await visibleRows(entity, [...asked], access);
  return concerned.flatMap((change): VisibleChange[] => {
    if (change.kind === 'deleted' || !visible.has(change.id))
      return told.take(change.id) ? [{ ...change, kind: 'removed', attributes: [] }] : [];
    const attributes = namesOf(change);
    if (change.kind === 'updated' && attributes.length === 0) return [];
    told.add(change.id);
    return [{ ...change, attributes }];
  });
}

/**
 * Whether a caller may know that the attribute has changed: it could be read through the entity that was asked for
 * or, where only the concrete one has it, through that. An embedded attribute is one name for all its values, so all
 * of them must be visible. Dynamic attributes have no rights of their own (contract-security-core.md §6.11).
 */
function mayName(name: string, asked: Entity, concrete: Entity, model: Model, visibility: Visibility): boolean {
  if (name.startsWith('+')) return true;
  const owner = asked.attributes.has(name) ? asked : concrete;
  const attribute = owner.attributes.get(name);
  if (attribute === undefined || attribute.secret || !visibility.canRead(owner)) return false;
  if (!visibility.mayView(owner, attribute)) return false;
  if (attribute.kind !== 'embedded') return true;
  const embeddable = model.entities.get(attribute.target);
  return (
    embeddable !== undefined &&
    [...embeddable.attributes.values()].every((part) => part.secret || visibility.mayView(embeddable, part))
  );
}
