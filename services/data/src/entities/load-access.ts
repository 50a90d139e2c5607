import type { Principal } from '@lintel/contracts';
import { StartError } from '@lintel/errors';
import { type Entity, entityOf, lineageOf, type Model } from '@lintel/metadata';
import {
  type Condition,
  checkCondition,
  type EntityReadAccess,
  parsePolicyCondition,
  type ReadAccess,
  type RowPredicate,
} from '@lintel/query';
import { type Access, type AccessOf, type RoleBook, type RowLevelRole, sessionValue } from '@lintel/security';
import type { CallerAccess } from './read-dependencies.ts';

/** A rule on the rows of one entity, ready to be compiled or tested. */
type RowRule =
  | { readonly kind: 'condition'; readonly entity: string; readonly condition: Condition }
  | { readonly kind: 'predicate'; readonly entity: string; readonly predicate: RowPredicate };

type RowRules = ReadonlyMap<string, readonly RowRule[]>;

/** Sets of roles are few; more than this many means that somebody makes them up. */
const MAX_REMEMBERED = 1_000;

/** The row-level rules of one book of roles, and the decisions made from them. */
interface Decisions {
  readonly book: RoleBook;
  readonly rules: RowRules;
  readonly known: Map<string, ReadAccess>;
  /** Of callers without row-level roles, who need no search by the names of roles. */
  readonly unlimited: WeakMap<Access, ReadAccess>;
}

const openBook = (model: Model, book: RoleBook): Decisions => ({
  book,
  rules: new Map([...book.rowRoles].map(([code, role]) => [code, readRules(model, role)])),
  known: new Map(),
  unlimited: new WeakMap(),
});

/**
 * Reads all row-level policies and answers the function that decides a caller's read access from them
 * and from the resource roles. The decision for one set of roles is made once, until the roles change.
 *
 * @throws StartError naming the role and the policy that cannot be read or does not fit the model
 */
export function createAccessSource(
  model: Model,
  currentRoles: () => RoleBook,
  accessOf: AccessOf,
): (principal: Principal) => CallerAccess {
  let decisions = openBook(model, currentRoles());
  const readAccess = (principal: Principal): ReadAccess => {
    const book = currentRoles();
    if (decisions.book !== book) decisions = openBook(model, book);
    const access = accessOf(principal);
    if (principal.rowLevelRoles.length > 0) return decide(principal, access, decisions);
    const read = decisions.unlimited.get(access) ?? decide(principal, access, decisions);
    decisions.unlimited.set(access, read);
    return read;
  };
  const decide = (principal: Principal, access: Access, { book, rules, known }: Decisions): ReadAccess => {
    const roles = [...new Set(principal.rowLevelRoles)].filter((code) => rules.has(code)).sort();
    // The same codes stand for other rules in another book.
    const fingerprint = JSON.stringify([access.fingerprint, roles, roles.length === 0 ? '' : book.version]);
    const found = known.get(fingerprint);
    if (found !== undefined) return found;
    const read = combine(
      model,
      access,
      roles.flatMap((code) => rules.get(code) ?? []),
      fingerprint,
    );
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(fingerprint, read);
    return read;
  };
  return (principal) => ({
    read: readAccess(principal),
    sessionValue: (name) => sessionValue(principal, name),
    locale: principal.locale ?? '',
  });
}

/** The role's policies that concern reading. */
function readRules(model: Model, role: RowLevelRole): readonly RowRule[] {
  return role.policies.flatMap((policy): RowRule[] => {
    const where = `Row-level role ${role.code}, policy on ${policy.entity}`;
    const entity = model.entities.get(policy.entity);
    if (entity?.kind !== 'entity') throw new StartError(`${where}: there is no such stored entity`);
    try {
      if (policy.kind === 'query') {
        const condition = parsePolicyCondition(policy.where, undefined, policy.join);
        checkCondition(model, entity, condition);
        return [{ kind: 'condition', entity: policy.entity, condition }];
      }
      if (!policy.actions.includes('read')) return [];
      checkPaths(model, entity, policy.dependsOn);
      return [
        { kind: 'predicate', entity: policy.entity, predicate: { dependsOn: policy.dependsOn, test: policy.test } },
      ];
    } catch (cause) {
      throw new StartError(`${where}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  });
}

function checkPaths(model: Model, entity: Entity, paths: readonly string[]): void {
  for (const path of paths) {
    let owner = entity;
    for (const [at, name] of path.split('.').entries()) {
      const attribute = owner.attributes.get(name);
      if (attribute === undefined) throw new Error(`${owner.name} has no attribute ${name} (${path})`);
      const isLast = at === path.split('.').length - 1;
      if (isLast) break;
      if (attribute.kind !== 'reference' && attribute.kind !== 'embedded')
        throw new Error(`${owner.name}.${name} leads nowhere (${path})`);
      owner = entityOf(model, attribute.target);
    }
  }
}

/** All policies of all roles hold together; those of an ancestor hold for its descendants (§5.1). */
function combine(model: Model, access: Access, rules: readonly RowRule[], fingerprint: string): ReadAccess {
  const entities = new Map<string, EntityReadAccess>();
  const decide = (name: string): EntityReadAccess => {
    const entity = model.entities.get(name);
    const lineage = entity === undefined ? [name] : lineageOf(model, entity).map((ancestor) => ancestor.name);
    const own = rules.filter((rule) => lineage.includes(rule.entity));
    const conditions = own.flatMap((rule) => (rule.kind === 'condition' ? [rule.condition] : []));
    return Object.freeze({
      canRead: access.allows(name, 'read'),
      mayView: (attribute: string) => access.mayView(name, attribute),
      rows: conditions.length <= 1 ? conditions[0] : ({ kind: 'and', conditions } as const),
      predicates: own.flatMap((rule) => (rule.kind === 'predicate' ? [rule.predicate] : [])),
    });
  };
  return Object.freeze({
    fingerprint,
    entity: (name: string) => {
      const found = entities.get(name) ?? decide(name);
      entities.set(name, found);
      return found;
    },
  });
}
