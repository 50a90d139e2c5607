import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { Entity, Model } from '@lintel/metadata';
import { formatEntityId, idOf } from '@lintel/query';
import { type CallerAccess, limitsOf, type RowRule, rowRulesOf, rulesAbout } from '@lintel/reading';
import { type RoleRegistry, sessionValue, unknownRowRoles } from '@lintel/security';
import type { RowState, RowWrite, WriteRights } from '../scope/write-scope.ts';
import { type Key, keyText } from '../values/value.ts';

/**
 * Returns the key texts of the instances that are visible with the access, in their current state in the transaction.
 */
export type ReadLimited = (entity: Entity, keys: readonly Key[], access: CallerAccess) => Promise<ReadonlySet<string>>;

/** The row-level policies on creating, updating and deleting. */
export interface RowPolicies {
  /**
   * The test for one caller; undefined if no policy of the caller applies to writes. A caller with an unknown row-level
   * role may write nothing: the restrictions of the role cannot be determined.
   */
  assertFor(principal: Principal, read: ReadLimited): WriteRights['assertRows'];
}

/** Rows of one entity that are tested with the same rules. */
interface Group {
  readonly entity: Entity;
  readonly rules: readonly RowRule[];
  readonly rows: RowWrite[];
}

/**
 * Tests policies on the rows of a write, inside its transaction, by the pipeline of reading: one statement for each
 * entity and set of policies. If one is violated, the transaction is rolled back.
 *
 * As in PostgreSQL, a policy of the kind query applies to the stored row of an update and a deletion (`USING`) and to
 * the new row of a creation and an update (`WITH CHECK`). A predicate on updating is tested on the new row alone
 * (contract/row-policies.md#writing).
 *
 * @param readPoliciesBindWrites whether new rows must also satisfy the policies for reading (contract/decisions.md#73)
 */
export function createRowPolicies(
  model: Model,
  currentRoles: () => RoleRegistry,
  readPoliciesBindWrites: boolean,
): RowPolicies {
  const appliesTo = policyFilter(readPoliciesBindWrites);
  return {
    assertFor(principal, read) {
      const roles = currentRoles();
      if (unknownRowRoles(principal.rowLevelRoles, roles).length > 0)
        return async (state, rows) => {
          const first = rows.find(({ action }) => isTested(state, action));
          if (first !== undefined) throw denied(model, first);
        };
      const rules = rowRulesOf(model, roles);
      const own = [...new Set(principal.rowLevelRoles)].flatMap((code) => rules.get(code) ?? []);
      if (!own.some(({ actions }) => readPoliciesBindWrites || isWriting(actions))) return undefined;
      return async (state, rows) => {
        for (const { entity, rules: applicable, rows: all } of groupsOf(model, own, appliesTo, state, rows)) {
          const access = limitedTo(entity, applicable, (name) => sessionValue(principal, name));
          const shown = await read(
            entity,
            all.map(({ key }) => key),
            access,
          );
          const refused = all.find(({ key }) => !shown.has(keyText(key)));
          if (refused !== undefined) throw denied(model, refused);
        }
      };
    },
  };
}

const isWriting = (actions: RowRule['actions']): boolean =>
  actions.has('create') || actions.has('update') || actions.has('delete');

/** Whether a write has the row in this state. */
const isTested = (state: RowState, action: RowWrite['action']): boolean =>
  state === 'stored' ? action !== 'create' : action !== 'delete';

type AppliesTo = (rule: RowRule, state: RowState, action: RowWrite['action']) => boolean;

/** Whether a rule is tested on a row of a write. Rows that the caller cannot see were refused before. */
const policyFilter =
  (readPoliciesBindWrites: boolean): AppliesTo =>
  ({ actions, kind }, state, action) => {
    if (!isTested(state, action)) return false;
    if (state === 'new') return actions.has(action) || (readPoliciesBindWrites && actions.has('read'));
    return actions.has(action) && (action === 'delete' || kind === 'condition');
  };

function groupsOf(
  model: Model,
  own: readonly RowRule[],
  appliesTo: AppliesTo,
  state: RowState,
  rows: readonly RowWrite[],
): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const [action, same] of Map.groupBy(rows, (row) => row.action)) {
    const applicable = own.filter((rule) => appliesTo(rule, state, action));
    if (applicable.length === 0) continue;
    for (const [entity, all] of Map.groupBy(same, (row) => row.entity)) {
      const rules = rulesAbout(model, entity.name, applicable);
      if (rules.length === 0) continue;
      const id = fingerprintOf(entity, rules);
      const group = groups.get(id) ?? { entity, rules, rows: [] };
      groups.set(id, group);
      for (const row of all) group.rows.push(row);
    }
  }
  return groups.values();
}

/** 403 of the data layer (contract/writing.md#rights); it names only what the request named. */
function denied(model: Model, { entity, key, action }: RowWrite): PlatformError {
  const resource = `${entity.name}-${formatEntityId(model, entity, idOf(model, entity, key))}`;
  return new PlatformError('ACCESS_DENIED', `resource: ${resource}, type: entity, action: ${action}`);
}

const fingerprintOf = (entity: Entity, rules: readonly RowRule[]): string =>
  `writes ${entity.name} ${rules.map(({ id }) => id).join(' ')}`;

/** Everything is visible but instances of the entity that break a rule. */
function limitedTo(
  entity: Entity,
  rules: readonly RowRule[],
  sessionValue: CallerAccess['sessionValue'],
): CallerAccess {
  const all = { canRead: true, mayView: () => true, rows: undefined, predicates: [] };
  const limited = { ...all, ...limitsOf(rules) };
  return {
    read: {
      fingerprint: fingerprintOf(entity, rules),
      entity: (name) => (name === entity.name ? limited : all),
    },
    sessionValue,
    locale: '',
  };
}
