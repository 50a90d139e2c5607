import {
  type Entity,
  familyTreeOf,
  isToOne,
  lineageOf,
  type Model,
  type Ownership,
  visibleOwnershipsOf,
} from '@lintel/metadata';
import type { Condition, EntityReadAccess, OwnedBy, RowPredicate } from '@lintel/query';

type Limits = Pick<EntityReadAccess, 'rows' | 'predicates'>;
type LimitsOf = (entity: string) => Limits;

/** Hides children whose owner cannot be tested, except where a visible owner shows them. */
const NOTHING: Condition = Object.freeze({ kind: 'constant', value: false });

/**
 * Adds the limits of its owners to those of an entity whose children are visible where their owner is
 * (contract/row-policies.md#children). Those of ancestors hold for descendants, too: an instance is hidden or not as
 * whatever entity it is read.
 *
 * @param limitsOf the limits of an owner, with those of its own owners
 */
export function withOwnerLimits(model: Model, name: string, own: Limits, limitsOf: LimitsOf): Limits {
  const entity = model.entities.get(name);
  if (entity === undefined) return own;
  let limits = own;
  let known = 0;
  for (const ancestor of lineageOf(model, entity).toReversed()) {
    const owners = visibleOwnershipsOf(model, ancestor);
    if (owners.length > known) limits = ownedBy(model, entity, owners, limits, limitsOf);
    known = owners.length;
  }
  return limits;
}

/** Adds that one of the owners is visible. */
function ownedBy(model: Model, child: Entity, owners: readonly Ownership[], own: Limits, limitsOf: LimitsOf): Limits {
  const hasPredicates = owners.some(({ owner }) =>
    familyTreeOf(model, owner).some((one) => limitsOf(one.name).predicates.length > 0),
  );
  const by = owners.map(
    ({ owner, attribute }): OwnedBy => ({
      owner: owner.name,
      attribute: attribute.name,
      rows: familyRows(model, owner, limitsOf),
    }),
  );
  if (!hasPredicates && by.every(({ rows }) => rows === undefined)) return own;
  const [only] = owners;
  const inherited =
    owners.length === 1 && only !== undefined ? ownerPredicates(model, child, only, limitsOf) : undefined;
  if (hasPredicates && inherited === undefined) {
    const hidden = by.map((one) => ({ ...one, rows: NOTHING }));
    return { rows: and(own.rows, { kind: 'owned', by: hidden }), predicates: own.predicates };
  }
  return { rows: and(own.rows, { kind: 'owned', by }), predicates: [...own.predicates, ...(inherited ?? [])] };
}

const and = (own: Condition | undefined, other: Condition): Condition =>
  own === undefined ? other : { kind: 'and', conditions: [own, other] };

/** The row conditions of an entity and its descendants; undefined if there are none. */
function familyRows(model: Model, owner: Entity, limitsOf: LimitsOf): Condition | undefined {
  const conditions = familyTreeOf(model, owner).flatMap(({ name }): readonly Condition[] => {
    const { rows } = limitsOf(name);
    if (rows === undefined) return [];
    return [name === owner.name ? rows : { kind: 'descendant', entity: name, condition: rows }];
  });
  return conditions.length <= 1 ? conditions[0] : { kind: 'and', conditions };
}

/**
 * The predicates of the owner, tested on the owner of an instance; undefined if they cannot be tested: the child does
 * not refer to its owner, or only the instances of a descendant have them.
 */
function ownerPredicates(
  model: Model,
  child: Entity,
  { owner, attribute }: Ownership,
  limitsOf: LimitsOf,
): readonly RowPredicate[] | undefined {
  const { predicates } = limitsOf(owner.name);
  const others = familyTreeOf(model, owner).flatMap(({ name }) => limitsOf(name).predicates);
  const reference = child.attributes.get(attribute.inverse ?? '');
  const key = owner.key?.attribute;
  if (reference === undefined || !isToOne(reference) || key === undefined) return undefined;
  if (others.some((predicate) => !predicates.includes(predicate))) return undefined;
  return predicates.map(({ dependsOn, test }) => ({
    dependsOn: [key, ...dependsOn].map((path) => `${reference.name}.${path}`),
    test: (instance, session) => {
      const of = instance[reference.name];
      return typeof of === 'object' && of !== null && test(of as Readonly<Record<string, unknown>>, session);
    },
  }));
}
