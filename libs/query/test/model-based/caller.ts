import {
  type Attribute,
  type Entity,
  entityOf,
  familyTreeOf,
  lineageOf,
  type Model,
  type Ownership,
  visibleOwnershipsOf,
} from '@lintel/metadata';
import type { Condition, ReadAccess, RowPredicate } from '@lintel/query';

/** What a caller may see, in the plainest form. */
export interface Caller {
  /** Names of entities that may not be read. */
  readonly unreadable: ReadonlySet<string>;
  /** `<entity>.<attribute>` that may not be viewed. */
  readonly hidden: ReadonlySet<string>;
  /** Row-level query policies by entity name; they hold for its descendants, too. */
  readonly policies: ReadonlyMap<string, Condition>;
  /** Row-level predicate policies by entity name; they hold for its descendants, too. */
  readonly predicates: ReadonlyMap<string, RowPredicate>;
  /** Values of the policies' parameters. */
  readonly session: Readonly<Record<string, unknown>>;
}

/** Who sees everything: for what policies themselves refer to. */
export const TRUSTED: Caller = {
  unreadable: new Set(),
  hidden: new Set(),
  policies: new Map(),
  predicates: new Map(),
  session: {},
};

/** The same for the compiler. */
export function readAccessOf(model: Model, caller: Caller): ReadAccess {
  const lineage = (name: string): readonly string[] =>
    lineageOf(model, entityOf(model, name)).map((ancestor) => ancestor.name);
  return {
    fingerprint: 'not used here',
    entity: (name) => {
      return {
        canRead: !caller.unreadable.has(name),
        mayView: (attribute) => !caller.hidden.has(`${name}.${attribute}`),
        rows: rowsOf(model, caller, entityOf(model, name)),
        predicates: lineage(name).flatMap((ancestor) => caller.predicates.get(ancestor) ?? []),
      };
    },
  };
}

/** The policies about the entity and its ancestors, and those about the owners of their compositions. */
function rowsOf(model: Model, caller: Caller, entity: Entity): Condition | undefined {
  const conditions = [
    ...lineageOf(model, entity).flatMap(({ name }) => caller.policies.get(name) ?? []),
    ...limitingOwners(model, caller, entity).map(
      (owners): Condition => ({
        kind: 'owned',
        by: owners.map(({ owner, attribute }) => {
          const rows = familyTreeOf(model, owner).flatMap((member): readonly Condition[] => {
            const condition = rowsOf(model, caller, member);
            if (condition === undefined) return [];
            return [member === owner ? condition : { kind: 'descendant', entity: member.name, condition }];
          });
          return {
            owner: owner.name,
            attribute: attribute.name,
            rows: rows.length === 0 ? undefined : { kind: 'and', conditions: rows },
          };
        }),
      }),
    ),
  ];
  return conditions.length === 0 ? undefined : { kind: 'and', conditions };
}

/** For the entity and each ancestor the owners of its instances, if policies may hide some: one must be visible. */
export const limitingOwners = (model: Model, caller: Caller, entity: Entity): readonly (readonly Ownership[])[] =>
  lineageOf(model, entity)
    .map((ancestor) => visibleOwnershipsOf(model, ancestor))
    .filter((owners) => owners.some(({ owner }) => isLimited(model, caller, owner)));

/** Predicates of owners have tests of their own: here, no entity has both. */
export const isOwner = (model: Model, entity: Entity): boolean =>
  [...model.entities.values()].some((child) =>
    visibleOwnershipsOf(model, child).some(
      ({ owner }) => lineageOf(model, entity).includes(owner) || familyTreeOf(model, entity).includes(owner),
    ),
  );

export const isKey = (entity: Entity, attribute: Attribute): boolean => entity.key?.attribute === attribute.name;

/**
 * Whether the attribute is shown of instances that are seen as `entity`: the key always; others when neither
 * the entity nor a descendant hides them, and what they lead to may be read (contract/roles.md#attributes-read).
 */
export function mayView(model: Model, caller: Caller, entity: Entity, attribute: Attribute): boolean {
  if (isKey(entity, attribute)) return true;
  if (familyTreeOf(model, entity).some(({ name }) => caller.hidden.has(`${name}.${attribute.name}`))) return false;
  return attribute.kind !== 'reference' && attribute.kind !== 'embedded'
    ? true
    : !caller.unreadable.has(attribute.target);
}

/** Whether some of the entity's rows may be hidden. */
export const isLimited = (model: Model, caller: Caller, entity: Entity): boolean =>
  hasPredicates(model, caller, entity) ||
  [...lineageOf(model, entity), ...familyTreeOf(model, entity)].some(({ name }) => caller.policies.has(name)) ||
  familyTreeOf(model, entity).some((member) => limitingOwners(model, caller, member).length > 0);

/** Whether some of the entity's rows are chosen by a predicate. */
export const hasPredicates = (model: Model, caller: Caller, entity: Entity): boolean =>
  [...lineageOf(model, entity), ...familyTreeOf(model, entity)].some(({ name }) => caller.predicates.has(name));
