import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { lineageOf } from '@lintel/metadata';
import { readRolesOf, type StatementRunner } from '@lintel/persistence';
import {
  type ApplicationRoles,
  type Delegation,
  type RoleRegistry,
  roleReader,
  SYSTEM_ENTITIES,
} from '@lintel/security';
import type { RowState, RowWrite, WriteRights } from '../scope/write-scope.ts';

/** The ceiling of delegation for the rows of users, assignments and stored roles. */
export interface DelegatedRows {
  /** The test for one caller, in one transaction. */
  assertFor(principal: Principal, transaction: StatementRunner): NonNullable<WriteRights['delegation']>;
}

interface Assignment {
  readonly username: string;
  readonly code: string;
  readonly isRowLevel: boolean;
}

interface Check {
  readonly principal: Principal;
  readonly transaction: StatementRunner;
  readonly state: RowState;
  readonly ids: readonly string[];
  readonly roles: RoleRegistry;
}

/** The codes of the roles that rows of the entity belong to. */
const CODES: Readonly<Record<string, string>> = {
  sec_ResourceRole: 'SELECT code FROM sec.resource_role WHERE id = ANY($1::uuid[])',
  sec_ResourcePolicy:
    'SELECT code FROM sec.resource_role WHERE id IN (SELECT role_id FROM sec.resource_policy WHERE id = ANY($1::uuid[]))',
  sec_RowLevelRole: 'SELECT code FROM sec.row_level_role WHERE id = ANY($1::uuid[])',
  sec_RowLevelPolicy:
    'SELECT code FROM sec.row_level_role WHERE id IN (SELECT role_id FROM sec.row_level_policy WHERE id = ANY($1::uuid[]))',
};

/** Attributes of the own user that no row rule should depend on, and those that every change sets. */
const PERSONAL = `'{password,first_name,last_name,email,locale,time_zone_id,version,last_modified_date,last_modified_by}'::text[]`;

const ANONYMOUS = 'anonymous';

/** Its messages show what the owner sees. */
const WEBHOOK = 'sys_Webhook';
const BOUND = [...SYSTEM_ENTITIES.map(({ name }) => name), WEBHOOK];

/**
 * Tests writes of identities and rights in their transaction, before and after the change, by statements on their
 * tables. So the test is the same for every road of the entity API and for application code with the rights of a caller.
 */
export function createDelegatedRows(application: ApplicationRoles, delegation: Delegation): DelegatedRows {
  const { model } = application;
  const readRoles = roleReader(application);
  /** The roles as the transaction sees them. */
  const rolesIn = async (transaction: StatementRunner): Promise<RoleRegistry> => {
    const text = 'SELECT version, body::text AS body FROM sec.role_snapshot';
    const [row] = await transaction.query<{ readonly version: string; readonly body: string }>({ text, values: [] });
    if (row === undefined) throw new Error('The view sec.role_snapshot has one row');
    return readRoles({ version: row.version, body: JSON.parse(row.body) }, () => {});
  };
  const boundAs = new Map(
    [...model.entities.values()].flatMap((entity) => {
      const names = lineageOf(model, entity).map(({ name }) => name);
      const bound = BOUND.find((name) => names.includes(name));
      return bound === undefined ? [] : [[entity.name, bound] as const];
    }),
  );
  return {
    assertFor(principal, transaction) {
      let ownBefore: string | undefined;
      return {
        isBound: ({ name }) => boundAs.has(name),
        async assertRows(state, rows) {
          const tested = rows.filter(({ action }) => (state === 'stored' ? action !== 'create' : action !== 'delete'));
          if (tested.length === 0) return;
          const roles = await rolesIn(transaction);
          for (const [bound, some] of Map.groupBy(tested, ({ entity }) => boundAs.get(entity.name))) {
            if (bound === undefined) continue;
            const check = { principal, transaction, state, ids: some.map(idOf), roles };
            if (bound === 'sec_RoleAssignment') await assertAssignments(check, delegation);
            else if (bound === WEBHOOK) await assertWebhooks(check, delegation);
            else if (bound === 'sec_User') ownBefore = await assertUsers(check, delegation, ownBefore);
            else await assertRoles(check, bound, delegation);
          }
        },
      };
    },
  };
}

const idOf = ({ key }: RowWrite): string => String(key[0]);

/** A key of the user may have fewer roles than the user. */
const isOwn = ({ kind, userId, clientId }: Principal, id: string): boolean =>
  kind === 'user' && userId === id && !clientId.startsWith('api-key:');

/** @returns what row rules may depend on in the caller's own row, in the state before the change */
async function assertUsers(
  { principal, transaction, state, ids, roles }: Check,
  delegation: Delegation,
  ownBefore: string | undefined,
): Promise<string | undefined> {
  const users = await transaction.query<{ readonly id: string; readonly username: string; readonly values: string }>({
    text: `SELECT id::text AS id, username::text AS username, (to_jsonb(u) - ${PERSONAL})::text AS values
FROM sec."user" AS u WHERE id = ANY($1::uuid[])`,
    values: [ids],
  });
  const others = users.filter(({ id }) => !isOwn(principal, id)).map(({ username }) => username);
  if (others.length > 0) await assertCovered({ principal, transaction, roles }, others, delegation);
  const own = users.find(({ id }) => isOwn(principal, id))?.values;
  if (own !== undefined && state === 'new' && own !== ownBefore && principal.rowLevelRoles.length > 0)
    throw new PlatformError(
      'ACCESS_DENIED',
      `A caller with row-level roles (${principal.rowLevelRoles.join(', ')}) may change only the own password, names, e-mail, locale and time zone`,
    );
  return state === 'stored' ? own : ownBefore;
}

async function assertAssignments(
  { principal, transaction, state, ids, roles }: Check,
  delegation: Delegation,
): Promise<void> {
  const assignments = await transaction.query<Assignment & { readonly id: string }>({
    text: `SELECT username::text AS username, role_code AS code, role_type <> 'resource' AS "isRowLevel"
FROM sec.role_assignment WHERE id = ANY($1::uuid[])`,
    values: [ids],
  });
  const names = [...new Set(assignments.map(({ username }) => username))];
  if (principal.rowLevelRoles.length > 0) {
    // A concurrent change of the same user must not take a row-level role away in the meantime.
    const text = 'SELECT FROM sec."user" WHERE username = ANY($1::varchar[]) ORDER BY username FOR NO KEY UPDATE';
    await transaction.query({ text, values: [names] });
  }
  const removed = state === 'stored' ? assignments.filter(({ isRowLevel }) => isRowLevel) : [];
  await assertCovered({ principal, transaction, roles }, names, delegation, removed);
  // A row-level role that is added hides rows which the user had until now.
  if (state === 'new' && principal.rowLevelRoles.length > 0)
    await assertCovered({ principal, transaction, roles }, names, delegation, assignments);
}

async function assertWebhooks({ principal, transaction, ids, roles }: Check, delegation: Delegation): Promise<void> {
  const owners = await transaction.query<{ readonly id: string; readonly username: string }>({
    text: `SELECT u.id::text AS id, u.username::text AS username FROM sec."user" AS u
WHERE u.username IN (SELECT owner FROM sys.webhook WHERE id = ANY($1::uuid[]))`,
    values: [ids],
  });
  const others = owners.filter(({ id }) => !isOwn(principal, id)).map(({ username }) => username);
  if (others.length > 0) await assertCovered({ principal, transaction, roles }, others, delegation);
}

/** Asserts that the caller has the rights of users, as they are without some of their assignments. */
async function assertCovered(
  { principal, transaction, roles }: Pick<Check, 'principal' | 'transaction' | 'roles'>,
  usernames: readonly string[],
  delegation: Delegation,
  without: readonly Assignment[] = [],
): Promise<void> {
  // Many users of a batch have equal roles.
  const covered = new Set<string>();
  for (const [username, held] of await readRolesOf(transaction, usernames)) {
    const kept = (codes: readonly string[], ofRows: boolean): readonly string[] =>
      codes.filter(
        (code) =>
          !without.some((each) => each.username === username && each.code === code && each.isRowLevel === ofRows),
      );
    const [resourceRoles, rowLevelRoles] = [kept(held.resourceRoles, false), kept(held.rowLevelRoles, true)];
    const rights = { ...held, resourceRoles, rowLevelRoles, isAnonymous: username === ANONYMOUS };
    const key = JSON.stringify(rights);
    if (!covered.has(key)) delegation.assertCovers(principal, rights, roles);
    covered.add(key);
  }
}

async function assertRoles(
  { principal, transaction, ids, roles }: Check,
  entity: string,
  delegation: Delegation,
): Promise<void> {
  const found = await transaction.query<{ readonly code: string }>({ text: CODES[entity] ?? '', values: [ids] });
  const codes = found.map(({ code }) => code);
  if (entity === 'sec_RowLevelRole' || entity === 'sec_RowLevelPolicy')
    delegation.assertCoversRowRoles(principal, codes, roles);
  else delegation.assertCoversRoles(principal, codes, roles);
}
