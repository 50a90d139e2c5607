import { type Attribute, type Entity, entityOf, familyTreeOf, type Model } from '@lintel/metadata';
import type { ReadAccess, RowPredicate } from '../access.ts';
import type { BoundCondition } from '../resolve/bound-condition.ts';
import { resolveCondition } from '../resolve/resolve-condition.ts';

declare const decided: unique symbol;

/**
 * What a statement may return. The stage `secure` checks every attribute with it, the planner the rows of every table.
 * Only this file creates one.
 */
export interface Visibility {
  readonly [decided]: true;
  /** Whether nothing is hidden. */
  readonly isTrusted: boolean;
  /** Whether instances of the entity may be read. */
  canRead(entity: Entity): boolean;
  /** Whether the attribute may be shown, and, where it leads to another entity, that entity read. */
  mayView(entity: Entity, attribute: Attribute): boolean;
  /** Condition of the entity's visible rows; undefined if all are visible. */
  rowsOf(entity: Entity): BoundCondition | undefined;
  /** Predicates of the entity's visible rows, by the entity whose instances they are about. */
  predicatesOf(entity: Entity): readonly EntityPredicates[];
}

/** Predicates about the instances of an entity: of the requested one, or of a descendant. */
export interface EntityPredicates {
  readonly entity: Entity;
  readonly predicates: readonly RowPredicate[];
}

const brandDecided = (visibility: Omit<Visibility, typeof decided>): Visibility =>
  Object.freeze(visibility) as Visibility;

/** Hides nothing. Only `plan/trusted.ts` may import it (rule trusted-in-one-module), which says for what. */
export const TRUSTED: Visibility = brandDecided({
  isTrusted: true,
  canRead: () => true,
  mayView: () => true,
  rowsOf: () => undefined,
  predicatesOf: () => [],
});

const isKey = (entity: Entity, attribute: Attribute): boolean => entity.key?.attribute === attribute.name;

/**
 * The caller's visibility.
 *
 * Where an entity has descendants, an instance may be of any of them. So an attribute is visible only if
 * it is for the entity and for every descendant, and the rows of a descendant keep its conditions too.
 */
export function visibilityOf(model: Model, access: ReadAccess): Visibility {
  const rows = new Map<string, BoundCondition | undefined>();
  const familyOf = (entity: Entity): readonly Entity[] => familyTreeOf(model, entity);
  const viewable = (entity: Entity, attribute: Attribute): boolean =>
    isKey(entity, attribute) || familyOf(entity).every((member) => access.entity(member.name).mayView(attribute.name));
  const canRead = (entity: Entity): boolean => access.entity(entity.name).canRead;
  return brandDecided({
    isTrusted: false,
    canRead,
    mayView: (entity: Entity, attribute: Attribute) =>
      viewable(entity, attribute) &&
      ((attribute.kind !== 'reference' && attribute.kind !== 'embedded') ||
        isKey(entity, attribute) ||
        canRead(entityOf(model, attribute.target))),
    rowsOf: (entity: Entity) => {
      if (!rows.has(entity.name)) rows.set(entity.name, rowsOf(model, access, familyOf(entity)));
      return rows.get(entity.name);
    },
    predicatesOf: (entity: Entity) => predicatesOf(access, familyOf(entity)),
  });
}

/** Each predicate once: those of an ancestor hold for its descendants and are theirs, too. */
function predicatesOf(access: ReadAccess, family: readonly Entity[]): readonly EntityPredicates[] {
  const seen = new Set<RowPredicate>();
  return family.flatMap((entity): readonly EntityPredicates[] => {
    const predicates = access.entity(entity.name).predicates.filter((predicate) => !seen.has(predicate));
    for (const predicate of predicates) seen.add(predicate);
    return predicates.length === 0 ? [] : [{ entity, predicates }];
  });
}

function rowsOf(model: Model, access: ReadAccess, family: readonly Entity[]): BoundCondition | undefined {
  const conditions = family.flatMap((entity, at): BoundCondition[] => {
    const { rows } = access.entity(entity.name);
    if (rows === undefined) return [];
    const condition = resolveCondition(model, entity, rows);
    return [at === 0 ? condition : { kind: 'descendant', entity, condition }];
  });
  if (conditions.length === 0) return undefined;
  return conditions.length === 1 ? conditions[0] : { kind: 'and', conditions };
}
