import { type Entity, familyTreeOf, type Model } from '@lintel/metadata';
import { assertReadable, type Visibility, visibilityOf } from '@lintel/query';
import type { CallerAccess } from '@lintel/reading';
import type { EntityChange } from './entity-change.ts';
import type { SentInstances } from './sent-instances.ts';

/** A change as it is sent to a caller. */
export interface VisibleChange extends Omit<EntityChange, 'kind'> {
  /**
   * `removed`: a change of the instance was sent before, and the caller cannot see it any more. The caller does not
   * learn whether it was deleted or is hidden now.
   */
  readonly kind: EntityChange['kind'] | 'removed';
}

/** The receiver of changes. Its rights and the visible instances are those at the time of sending. */
export interface Receiver {
  /** The current access of the caller. */
  readonly access: CallerAccess;
  /** Instances with earlier messages; used only for callers with row-level rules. */
  readonly sent: SentInstances;
}

/** The instances that a caller sees now among the given ones; read by the read pipeline: {@link createVisibleRows}. */
export type VisibleRows = (
  entity: Entity,
  ids: readonly string[],
  access: CallerAccess,
  signal?: AbortSignal,
) => Promise<ReadonlySet<string>>;

/** Whether a statement is necessary to decide which changes of an entity the caller may receive. */
export function needsRowLookup(entity: Entity, { read }: CallerAccess, model: Model): boolean {
  const visibility = visibilityOf(model, read);
  return visibility.rowsOf(entity) !== undefined || visibility.predicatesOf(entity).length > 0;
}

/**
 * The changes of an entity and its descendants that a caller may receive. They contain only data that the caller can
 * read:
 *
 * - names of attributes that the caller may not view are omitted; an update of only such attributes is omitted;
 * - with row-level rules, creations and updates are sent for the instances that the caller can read now. Another
 *   instance is sent as `removed` if a change of it was sent before, and not at all otherwise. Deletions are handled
 *   the same way: whether the caller could see a deleted instance cannot be determined any more;
 * - without row-level rules every instance is visible, and nothing has to be looked up.
 *
 * @param changes in the order in which they happened; those of other entities are ignored
 * @throws PlatformError ACCESS_READ_DENIED if the caller may not, or no longer, read the entity
 */
export async function visibleChanges(
  changes: readonly EntityChange[],
  entity: Entity,
  { access, sent }: Receiver,
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
  if (!needsRowLookup(entity, access, model))
    return concerned.flatMap((change): VisibleChange[] => {
      const attributes = namesOf(change);
      return change.kind === 'updated' && attributes.length === 0 ? [] : [{ ...change, attributes }];
    });
  const ids = new Set(concerned.filter(({ kind }) => kind !== 'deleted').map(({ id }) => id));
  const visible = ids.size === 0 ? ids : await visibleRows(entity, [...ids], access);
  return concerned.flatMap((change): VisibleChange[] => {
    if (change.kind === 'deleted' || !visible.has(change.id))
      return sent.remove(change.id) ? [{ ...change, kind: 'removed', attributes: [] }] : [];
    const attributes = namesOf(change);
    if (change.kind === 'updated' && attributes.length === 0) return [];
    sent.add(change.id);
    return [{ ...change, attributes }];
  });
}

/**
 * Whether a caller may know that the attribute has changed: it can be read through the requested entity or,
 * if only the concrete one has it, through that. An embedded attribute is one name for all its values, so all of
 * them must be visible. Dynamic attributes have no rights of their own
 * (contract/dynamic-attributes.md#dynamic-attributes).
 */
function mayName(name: string, requested: Entity, concrete: Entity, model: Model, visibility: Visibility): boolean {
  if (name.startsWith('+')) return true;
  const owner = requested.attributes.has(name) ? requested : concrete;
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
