import { type Entity, familyTreeOf, isToOne, type Model, type Ownership, visibleOwnershipsOf } from '@lintel/metadata';
import type { Condition, EntityReadAccess, OwnedBy, RowPredicate } from '@lintel/query';

type Limits = Pick<EntityReadAccess, 'rows' | 'predicates'>;
type LimitsOf = (entity: string) => Limits;

/** Hides children whose owner cannot be tested, except where a visible owner shows them. */
const NOTHING: Condition = Object.freeze({ kind: 'constant', value: false });

/**
 * Adds the limits of its owners to those of an entity whose children are visible where their owner is
 * (contract/row-policies.md#children).
 *
 * @param limitsOf the limits of an owner, with those of its own owners
 */
export function withOwnerLimits(model: Model, name: string, own: Limits, limitsOf: LimitsOf): Limits {
  const entity = model.entities.get(name);
  const owners = entity === undefined ? [] : visibleOwnershipsOf(model, entity);
  const predicates = owners.flatMap(({ owner }) =>
    familyTreeOf(model, owner).flatMap((one) => limitsOf(one.name).predicates),
  );
  const by = owners.map(
    ({ owner, attribute }): OwnedBy => ({
      owner: owner.name,
      attribute: attribute.name,
      rows: familyRows(model, owner, limitsOf),
    }),
  );
  if (entity === undefined || (predicates.length === 0 && by.every(({ rows }) => rows === undefined))) return own;
  const [only] = owners;
  const inherited =
    owners.length === 1 && only !== undefined ? ownerPredicates(model, entity, only, limitsOf) : undefined;
  const rows = and(own.rows, { kind: 'owned', by });
  if (predicates.length === 0) return { rows, predicates: own.predicates };
  return inherited === undefined
    ? {
        rows: and(own.rows, { kind: 'owned', by: by.map((one) => ({ ...one, rows: NOTHING })) }),
        predicates: own.predicates,
      }
    : { rows, predicates: [...own.predicates, ...inherited] };
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
