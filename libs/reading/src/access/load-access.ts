import type { Principal } from '@lintel/contracts';
import { indexOwnerships, type Model } from '@lintel/metadata';
import type { Condition, EntityReadAccess, ReadAccess } from '@lintel/query';
import {
  type Access,
  type AccessOf,
  type RoleRegistry,
  reportOnce,
  sessionValue,
  unknownRowRoles,
} from '@lintel/security';
import type { CallerAccess } from '../read-dependencies.ts';
import { withOwnerLimits } from './owner-limits.ts';
import { limitsOf, type RowRule, type RowRules, rowRulesOf, rulesAbout } from './row-rules.ts';
import { withoutPersonal } from './without-personal.ts';

/** There are few distinct sets of roles; more than this number indicates forged ones. */
const MAX_REMEMBERED = 1_000;

/** The row-level rules of one set of definitions of roles, and the decisions derived from them. */
interface Decisions {
  readonly registry: RoleRegistry;
  readonly rules: RowRules;
  readonly known: Map<string, ReadAccess>;
  /** Of callers without row-level roles, who need no search by the names of roles. */
  readonly unlimited: WeakMap<Access, ReadAccess>;
}

const decisionsOf = (model: Model, registry: RoleRegistry): Decisions => ({
  registry,
  rules: rowRulesOf(model, registry),
  known: new Map(),
  unlimited: new WeakMap(),
});

/**
 * Reads all row-level policies and returns the function that decides a caller's read access from them and from the
 * resource roles. The decision for one set of roles is made once, until the roles change.
 *
 * A row-level role only removes rows. The effect of an unknown one cannot be determined, so its holder sees no row of
 * any entity.
 *
 * @param onUnknownRole called once for each code of an unknown row-level role that a caller has
 * @throws StartError naming the role and the policy that cannot be read or does not fit the model
 */
export function createAccessSource(
  model: Model,
  currentRoles: () => RoleRegistry,
  accessOf: AccessOf,
  onUnknownRole: (code: string) => void = () => {},
): (principal: Principal) => CallerAccess {
  indexOwnerships(model);
  let decisions = decisionsOf(model, currentRoles());
  const report = reportOnce(onUnknownRole);
  const readAccess = (principal: Principal): ReadAccess => {
    const registry = currentRoles();
    if (decisions.registry !== registry) decisions = decisionsOf(model, registry);
    const access = accessOf(principal);
    if (principal.rowLevelRoles.length > 0) return decide(principal, access, decisions);
    const read = decisions.unlimited.get(access) ?? decide(principal, access, decisions);
    decisions.unlimited.set(access, read);
    return read;
  };
  const decide = (principal: Principal, access: Access, { registry, rules, known }: Decisions): ReadAccess => {
    const roles = [...new Set(principal.rowLevelRoles)].sort();
    // The same codes mean different rules in another set of definitions.
    const fingerprint = JSON.stringify([access.fingerprint, roles, roles.length === 0 ? '' : registry.version]);
    const found = known.get(fingerprint);
    if (found !== undefined) return found;
    const unknown = unknownRowRoles(principal.rowLevelRoles, registry);
    for (const code of unknown) report(code);
    const own = unknown.length > 0 ? 'none' : roles.flatMap((code) => readingRules(rules, code));
    const read = combine(model, access, own, fingerprint);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(fingerprint, read);
    return read;
  };
  const maskedReads = new WeakMap<ReadAccess, ReadAccess>();
  const masked = (principal: Principal, read: ReadAccess): ReadAccess => {
    const known = maskedReads.get(read) ?? withoutPersonal(model, read, accessOf(principal));
    maskedReads.set(read, known);
    return known;
  };
  return (principal) => {
    const read = readAccess(principal);
    return {
      read,
      masked: () => masked(principal, read),
      sessionValue: (name) => sessionValue(principal, name),
      locale: principal.locale ?? '',
    };
  };
}

const readingRules = (rules: RowRules, code: string): readonly RowRule[] =>
  (rules.get(code) ?? []).filter(({ actions }) => actions.has('read'));

const NO_ROWS: Condition = Object.freeze({ kind: 'constant', value: false });

/**
 * All policies of all roles apply together; those of an ancestor also apply to its descendants
 * (contract/row-policies.md#policies).
 *
 * @param rules `none` if no row of any entity is visible
 */
function combine(model: Model, access: Access, rules: readonly RowRule[] | 'none', fingerprint: string): ReadAccess {
  const entities = new Map<string, EntityReadAccess>();
  const decide = (name: string): EntityReadAccess => {
    const own = rules === 'none' ? [] : rulesAbout(model, name, rules);
    const limits = limitsOf(own);
    const isFree = rules === 'none' || rules.length === 0;
    const { rows, predicates } = isFree ? limits : withOwnerLimits(model, name, limits, entity);
    return Object.freeze({
      canRead: access.allows(name, 'read'),
      mayView: (attribute: string) => access.mayView(name, attribute),
      rows: rules === 'none' ? NO_ROWS : rows,
      predicates,
    });
  };
  const entity = (name: string): EntityReadAccess => {
    const found = entities.get(name) ?? decide(name);
    entities.set(name, found);
    return found;
  };
  const { afterLogin } = access;
  return Object.freeze({
    fingerprint,
    ...(afterLogin === undefined
      ? {}
      : { afterLogin: { acr: afterLogin.acr, access: combine(model, afterLogin.access, rules, fingerprint) } }),
    entity,
  });
}
