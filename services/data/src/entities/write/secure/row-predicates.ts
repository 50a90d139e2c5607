import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { type Entity, lineageOf, type Model } from '@lintel/metadata';
import { formatEntityId, type RowPredicate } from '@lintel/query';
import { type RoleBook, sessionValue } from '@lintel/security';
import type { CallerAccess } from '../../read-dependencies.ts';
import type { RowAction, WriteRights } from '../execute/write-scope.ts';
import { idOf } from '../values/json-form.ts';
import type { Key } from '../values/value.ts';

/** Reads an instance as it is in the transaction now; undefined where the access hides it. */
export type ReadLimited = (entity: Entity, key: Key, access: CallerAccess) => Promise<unknown>;

/** The row-level predicates on creating, updating and deleting. */
export interface RowPredicates {
  /** The test for one caller; undefined where no role of the caller has such a predicate. */
  assertFor(principal: Principal, read: ReadLimited): WriteRights['assertRow'];
}

interface Rule {
  readonly role: string;
  /** Of the book of roles: the same code is another rule in another one. */
  readonly version: string;
  readonly entity: string;
  readonly actions: ReadonlySet<string>;
  readonly predicate: RowPredicate;
}

/**
 * Tests predicates on the written instance, inside the transaction: the read line loads what they depend
 * on, and where one does not hold everything is rolled back (contract-security-core.md §5.3).
 */
export function createRowPredicates(model: Model, currentRoles: () => RoleBook): RowPredicates {
  const byBook = new WeakMap<RoleBook, readonly Rule[]>();
  const rulesOf = (book: RoleBook): readonly Rule[] => {
    const known = byBook.get(book) ?? readRules(book);
    byBook.set(book, known);
    return known;
  };
  return {
    assertFor(principal, read) {
      const own = rulesOf(currentRoles()).filter((rule) => principal.rowLevelRoles.includes(rule.role));
      if (!own.some(({ actions }) => isWritten(actions))) return undefined;
      return async (action, entity, key) => {
        const names = lineageOf(model, entity).map(({ name }) => name);
        const asked = own.filter((rule) => rule.actions.has(action) && names.includes(rule.entity));
        if (asked.length === 0) return;
        if (
          (await read(
            entity,
            key,
            limitedTo(entity, action, asked, (name) => sessionValue(principal, name)),
          )) !== undefined
        )
          return;
        const resource = `${entity.name}-${formatEntityId(model, entity, idOf(model, entity, key))}`;
        throw new PlatformError('ACCESS_DENIED', `resource: ${resource}, type: entity, action: ${action}`);
      };
    },
  };
}

const readRules = ({ rowRoles, version }: RoleBook): readonly Rule[] =>
  [...rowRoles.values()].flatMap((role) =>
    role.policies.flatMap((policy) =>
      policy.kind === 'predicate'
        ? [
            {
              role: role.code,
              version,
              entity: policy.entity,
              actions: new Set<string>(policy.actions),
              predicate: { dependsOn: policy.dependsOn, test: policy.test },
            },
          ]
        : [],
    ),
  );

const isWritten = (actions: ReadonlySet<string>): boolean =>
  actions.has('create') || actions.has('update') || actions.has('delete');

/** Everything is visible but instances of the entity that break a predicate. */
const limitedTo = (
  entity: Entity,
  action: RowAction,
  rules: readonly Rule[],
  sessionValue: CallerAccess['sessionValue'],
): CallerAccess => ({
  read: {
    fingerprint: `predicates ${action} ${entity.name} ${rules.map(({ role, version }) => `${role}@${version}`).join(' ')}`,
    entity: (name) => ({
      canRead: true,
      mayView: () => true,
      rows: undefined,
      predicates: name === entity.name ? rules.map(({ predicate }) => predicate) : [],
    }),
  },
  sessionValue,
  locale: '',
});
