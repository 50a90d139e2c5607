import { randomBytes } from 'node:crypto';
import type { Application, ApplicationData } from '@lintel/application';
import { createAdministration, createIdSource } from '@lintel/entities';
import { isPlatformError } from '@lintel/errors';
import { hashPassword } from '@lintel/passwords';
import { createDatabase, type Database } from '@lintel/persistence';
import { createLogger } from '@lintel/telemetry';
import { openApplication, withDatabase } from '../application-context.ts';
import { assertUpToDate } from '../assert-up-to-date.ts';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import { readPassword } from './read-password.ts';
import type { AddUserOptions } from './user.command.ts';

interface Role {
  readonly roleType: 'resource' | 'row-level';
  readonly roleCode: string;
}

/**
 * Adds a user with roles, in one transaction. The services hear of it by the outbox.
 *
 * @throws CommandError where the name is taken, a value is not valid or a role does not exist; nothing is written then
 */
export async function addUser(username: string, options: AddUserOptions, terminal: Terminal): Promise<void> {
  const context = await openApplication(options);
  const roles: readonly Role[] = [
    ...(options.role ?? []).map((roleCode) => ({ roleType: 'resource', roleCode }) as const),
    ...(options.rowLevelRole ?? []).map((roleCode) => ({ roleType: 'row-level', roleCode }) as const),
  ];
  const password = await readPassword(username, options.passwordFile, terminal);
  const id = await withDatabase(context, terminal, (url) =>
    withAdministration(context.application, url, async (data) => {
      await assertRoles(context.application, data, roles);
      const values = {
        username,
        password,
        active: options.inactive !== true,
        ...(options.email !== undefined && { email: options.email }),
        ...(options.firstName !== undefined && { firstName: options.firstName }),
        ...(options.lastName !== undefined && { lastName: options.lastName }),
      };
      return terminal.during(`Adding ${username}`, () => create(data, values, roles));
    }),
  );
  const codes = roles.map(({ roleCode }) => roleCode);
  if (options.json === true) terminal.print(JSON.stringify({ id, username, roles: codes }, null, 2));
  else
    terminal.print(`Added the user ${username}${codes.length === 0 ? ' without roles' : ` with ${codes.join(', ')}`}.`);
}

async function withAdministration<T>(
  application: Application,
  url: string,
  work: (data: ApplicationData) => Promise<T>,
): Promise<T> {
  await assertUpToDate(application, url);
  const logger = createLogger({ service: 'lintel', level: 'error' });
  const database: Database = createDatabase({
    url,
    // Works with a pooler and without one.
    pooler: 'transaction',
    maxConnections: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'lintel',
    logger,
  });
  const clock = { now: () => Date.now() };
  try {
    return await work(
      createAdministration({
        application,
        database,
        clock,
        ids: createIdSource(clock, randomBytes),
        hashPassword,
        logger,
      }),
    );
  } finally {
    await database.close();
  }
}

async function assertRoles(application: Application, data: ApplicationData, roles: readonly Role[]): Promise<void> {
  const known = {
    resource: new Set([...application.resourceRoles.keys(), ...(await storedCodes(data, 'sec_ResourceRole'))]),
    'row-level': new Set([...application.rowRoles.keys(), ...(await storedCodes(data, 'sec_RowLevelRole'))]),
  };
  const unknown = roles.filter(({ roleType, roleCode }) => !known[roleType].has(roleCode));
  if (unknown.length === 0) return;
  const wanted = unknown.map(({ roleType, roleCode }) => `no ${roleType} role ${roleCode}`).join(' and ');
  const types = [...new Set(unknown.map(({ roleType }) => roleType))];
  const there = types.flatMap((type) => [...known[type]]).sort();
  throw new CommandError(
    `There is ${wanted}`,
    there.length === 0 ? 'The application has none of that kind' : `There are ${there.join(', ')}`,
  );
}

const storedCodes = async (data: ApplicationData, entity: string): Promise<readonly string[]> =>
  (await data.loadList(entity, { fetchPlan: '_local' })).map(({ code }) => String(code));

async function create(
  data: ApplicationData,
  values: Readonly<Record<string, unknown>>,
  roles: readonly Role[],
): Promise<unknown> {
  const { username } = values;
  const filter = { conditions: [{ property: 'username', operator: '=', value: username }] };
  if ((await data.count('sec_User', { filter })) > 0)
    throw new CommandError(`There is a user ${String(username)} already`, 'Choose another name');
  try {
    return await data.inTransaction(async (within) => {
      const id = await within.create('sec_User', values);
      for (const role of roles) await within.create('sec_RoleAssignment', { username, ...role });
      return id;
    });
  } catch (error) {
    if (!isPlatformError(error)) throw error;
    const items = error.items ?? [];
    const problems = items.map(({ path, message }) => `${path}: ${message}`).join('; ');
    throw new CommandError(`The user is not valid: ${problems || error.message}`, 'Nothing was written', {
      cause: error,
    });
  }
}
