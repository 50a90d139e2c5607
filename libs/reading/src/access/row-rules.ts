import { StartError } from '@lintel/errors';
import { type Entity, lineageOf, type Model } from '@lintel/metadata';
import type { Condition, EntityReadAccess, RowPredicate } from '@lintel/query';
import {
  type EntityAction,
  parseCheckedCondition,
  pathProblem,
  type RoleRegistry,
  type RowLevelRole,
  type RowPolicy,
} from '@lintel/security';

/** A policy on the rows of one entity, ready to be compiled or tested. */
export type RowRule = {
  /** Unique: the rules of the same role have other ids in another version of the registry. */
  readonly id: string;
  readonly entity: string;
  readonly actions: ReadonlySet<EntityAction>;
} & (
  | { readonly kind: 'condition'; readonly condition: Condition }
  | { readonly kind: 'predicate'; readonly predicate: RowPredicate }
);

/** Rules by the code of their role. */
export type RowRules = ReadonlyMap<string, readonly RowRule[]>;

const ACTIONS: ReadonlySet<EntityAction> = new Set(['create', 'read', 'update', 'delete']);
const READ_ALONE: readonly EntityAction[] = ['read'];

const BY_REGISTRY = new WeakMap<RoleRegistry, RowRules>();

/**
 * The row-level policies of a registry of roles, which are parsed once for each registry.
 *
 * @throws StartError naming the role and the policy that cannot be read or does not fit the model
 */
export function rowRulesOf(model: Model, registry: RoleRegistry): RowRules {
  const known =
    BY_REGISTRY.get(registry) ??
    new Map([...registry.rowRoles].map(([code, role]) => [code, readRules(model, role, registry.version)]));
  BY_REGISTRY.set(registry, known);
  return known;
}

const readRules = (model: Model, role: RowLevelRole, version: string): readonly RowRule[] =>
  role.policies.map((policy, at) => {
    const where = `Row-level role ${role.code}, policy on ${policy.entity}`;
    const entity = model.entities.get(policy.entity);
    if (entity?.kind !== 'entity') throw new StartError(`${where}: there is no such stored entity`);
    try {
      return readRule(model, entity, policy, JSON.stringify([role.code, at, version]));
    } catch (cause) {
      throw new StartError(`${where}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  });

function readRule(model: Model, entity: Entity, policy: RowPolicy, id: string): RowRule {
  // Application code without type checks may give any kind; an ignored rule would hide no rows.
  if (policy.kind !== 'query' && (policy.kind as string) !== 'predicate')
    throw new Error('the kind of a row-level policy is query or predicate');
  const named = policy.kind === 'query' ? (policy.actions ?? READ_ALONE) : policy.actions;
  if (named.length === 0 || named.some((action) => !ACTIONS.has(action)))
    throw new Error('the actions of a row-level policy are create, read, update and delete');
  const rule = { id, entity: entity.name, actions: new Set(named) };
  if (policy.kind === 'query') {
    const condition = parseCheckedCondition(model, entity, policy.where, policy.join);
    return { ...rule, kind: 'condition', condition };
  }
  for (const path of policy.dependsOn) {
    const problem = pathProblem(model, entity, path);
    if (problem !== undefined) throw new Error(problem);
  }
  return { ...rule, kind: 'predicate', predicate: { dependsOn: policy.dependsOn, test: policy.test } };
}

/** The rules about instances of an entity: its own and those of its ancestors (contract/row-policies.md#policies). */
export function rulesAbout(model: Model, name: string, rules: readonly RowRule[]): readonly RowRule[] {
  const entity = model.entities.get(name);
  const lineage = entity === undefined ? [name] : lineageOf(model, entity).map((ancestor) => ancestor.name);
  return rules.filter((rule) => lineage.includes(rule.entity));
}

/** The limits on rows that all of the rules set together. */
export function limitsOf(rules: readonly RowRule[]): Pick<EntityReadAccess, 'rows' | 'predicates'> {
  const conditions = rules.flatMap((rule) => (rule.kind === 'condition' ? [rule.condition] : []));
  return {
    rows: conditions.length <= 1 ? conditions[0] : ({ kind: 'and', conditions } as const),
    predicates: rules.flatMap((rule) => (rule.kind === 'predicate' ? [rule.predicate] : [])),
  };
}
