import type { RoleRegistry } from '@lintel/security';
import { applicationRoles, roleReader } from '@lintel/security';
import { type DataFixture, startData, startDataOn, type TestUser } from '../../data-fixture.ts';
import { application, ROLE_CODES, ROW_CODES } from './application.ts';
import type { Random } from './random.ts';
import { GHOST, NAMES, PASSWORD } from './requests.ts';
import { codesOf, readState, type State } from './state.ts';

/** The running service, with what its requests ask of auth. */
export interface World {
  readonly data: DataFixture;
  /** Users whose sessions, keys, factors, consents or passwords a request has changed, or as whom it sees. */
  readonly actedOn: Set<string>;
  /** Fills the tables at random, and returns their state. */
  reset(random: Random): Promise<State>;
  read(): Promise<State>;
  /** The next requests of `caller`, or of `probe`, are of this user, with the roles of the state. */
  logIn(session: 'caller' | 'probe', userId: string | undefined, username: string, state: State): void;
  /** The roles of the running service are those of the state; the tables stay. */
  restore(state: State): void;
  /** The same database without the ceiling. */
  unlimited(): Promise<World>;
  close(): Promise<void>;
}

const TABLES = ['"user"', 'role_assignment', 'resource_role', 'resource_policy', 'row_level_role', 'row_level_policy'];
const EMPTY = `TRUNCATE t.employee, ${TABLES.map((table) => `sec.${table}`).join(', ')} CASCADE`;
const HAUNT = `INSERT INTO sec.role_assignment (id, version, username, role_code, role_type)
  VALUES ('0198a000-0000-7000-8000-0000000000aa', 1, '${GHOST}', 'system-full-access', 'resource')`;

export async function startWorld(on?: DataFixture): Promise<World> {
  const users: Record<string, TestUser> = { root: { resourceRoles: ['system-full-access'] } };
  const actedOn = new Set<string>();
  const readRoles = roleReader(application);
  let registry: RoleRegistry = applicationRoles(application);
  const note = (request: unknown): void => {
    const { username } = (request ?? {}) as { readonly username?: unknown };
    if (typeof username === 'string') actedOn.add(username);
  };
  const more = {
    currentRoles: () => registry,
    authAdministration: {
      async call(operation: string, request: unknown) {
        if (operation.endsWith('/owner')) return { username: /of-([\w-]+)/.exec(JSON.stringify(request))?.[1] ?? null };
        // A list shows; the rights of a key are those that the caller has.
        if (!operation.endsWith('/list') && operation !== 'api-keys/create') note(request);
        return {};
      },
    },
    userSessions: {
      list: async () => [],
      history: async () => [],
      async end(request: unknown) {
        note(request);
        return 1;
      },
    },
    secondFactors: {
      list: async () => ({ factors: [], recoveryCodes: 0 }),
      offer: async () => ({ key: 'KEY', uri: 'otpauth://totp/x', offer: 'offer' }),
      confirm: async () => ({ outcome: 'expired' as const }),
      renewRecoveryCodes: async () => null,
      async remove(request: { readonly username: string }) {
        note(request);
        return 1;
      },
    },
  };
  const start = () =>
    on === undefined
      ? startData(application, users, {}, undefined, more)
      : startDataOn(
          { url: on.databaseUrl, query: on.query },
          application,
          users,
          { 'svc.security.delegation': 'unlimited' },
          undefined,
          more,
        );
  const data = (await start()) as DataFixture;
  // By the pool of the service: the test kit connects for each statement.
  const query = (text: string) => data.database.query<Record<string, unknown>>({ text, values: [] });
  const create = async (entity: string, instances: readonly object[]): Promise<void> => {
    const response = await data.send('root', 'POST', `/entities/${entity}`, instances);
    if (response.status !== 201) throw new Error(response.text);
  };
  const registryOf = ({ version, roles }: State): RoleRegistry =>
    readRoles({ version, body: roles } as Parameters<typeof readRoles>[0], () => {});
  const read = async (): Promise<State> => {
    const state = await readState(query);
    registry = registryOf(state);
    return state;
  };
  return {
    data,
    actedOn,
    read,
    async reset(random) {
      await query(EMPTY);
      await read();
      await fill(create, random, read);
      await query(HAUNT);
      return read();
    },
    logIn(session, userId, username, state) {
      users[session] = {
        username,
        ...(userId !== undefined && { userId }),
        kind: username === 'anonymous' ? 'anonymous' : 'user',
        resourceRoles: codesOf(username, state, 'resource'),
        rowLevelRoles: codesOf(username, state, 'row-level'),
      };
    },
    restore(state) {
      registry = registryOf(state);
    },
    unlimited: () => startWorld(data),
    close: () => data.close(),
  };
}

/** Creates users with roles; the service has read the new roles after `read`. */
export async function fill(
  create: (entity: string, instances: readonly object[]) => Promise<void>,
  random: Random,
  read: () => Promise<unknown>,
): Promise<void> {
  await create(
    'sec_User',
    NAMES.map((username) => ({
      username,
      password: PASSWORD,
      email: `${username}@t.example`,
      country: random.one(['DE', 'FR']),
    })),
  );
  await create('sec_ResourceRole', storedRoles(random));
  await create('sec_RowLevelRole', storedRules(random));
  await read();
  // Of a department, all have the same rules.
  const shared = random.chance(0.25) ? [random.one([...ROW_CODES, 'q1', 'q2'])] : [];
  await create(
    'sec_RoleAssignment',
    NAMES.flatMap((username) => assignments(username, random, shared)),
  );
  await create('t_Employee', [{ name: 'E', account: { username: 'hal' } }]);
}

const policy = (type: string, resource: string, action: string, effect = 'allow') => ({
  type,
  resource,
  action,
  effect,
});
const POLICIES = [
  policy('entity', 't_Document', 'read'),
  policy('entity', 't_Document', 'update'),
  policy('entity', 't_Note', 'all'),
  policy('entity', '*', 'read'),
  policy('entityAttribute', 't_Note.text', 'modify'),
  policy('specific', 'reports.sql.edit', 'access'),
  policy('entity', 't_Document', 'delete', 'step-up'),
];

const storedRoles = (random: Random): readonly object[] =>
  ['s1', 's2', 's3'].map((code, at, all) => ({
    name: code,
    code,
    scopes: random.one([['API'], ['API', 'UI'], ['UI']]),
    childRoles: [...random.some(all.slice(0, at), 0.3), ...random.some(ROLE_CODES, 0.05)],
    resourcePolicies: random.some(POLICIES, 0.3),
  }));

const storedRules = (random: Random): readonly object[] =>
  ['q1', 'q2'].map((code) => ({
    name: code,
    code,
    rowLevelPolicies: [
      {
        type: 'query',
        entityName: random.one(['t_Document', 't_Note']),
        action: 'read',
        whereClause: random.one(['1 = 0', '{E}.createdBy = :current_user_country']),
      },
    ],
  }));

/** The administrator has parts of the rights to administer, the others any roles. */
function assignments(username: string, random: Random, shared: readonly string[]): readonly object[] {
  const stored = ['s1', 's2', 's3'];
  const isCaller = username === 'cora';
  const administers = ROLE_CODES.filter((code) => code.startsWith('writes-') || code.startsWith('has-'));
  const others = ROLE_CODES.filter((code) => !administers.includes(code) && code !== 'administers');
  const codes = isCaller
    ? [...(random.chance(0.6) ? ['administers'] : []), ...random.some(administers, 0.5), ...random.some(others, 0.4)]
    : [...random.some(others, 0.25), ...random.some(administers, 0.05), ...random.some(['system-full-access'], 0.1)];
  const resource = [...(isCaller ? ['rest-minimal'] : random.some(['rest-minimal'], 0.5)), ...codes];
  return [
    ...[...resource, ...random.some(stored, 0.3)].map((roleCode) => ({ username, roleCode, roleType: 'resource' })),
    ...[...new Set([...random.some([...ROW_CODES, 'q1', 'q2'], isCaller ? 0.05 : 0.2), ...shared])].map((roleCode) => ({
      username,
      roleCode,
      roleType: 'row-level',
    })),
  ];
}
