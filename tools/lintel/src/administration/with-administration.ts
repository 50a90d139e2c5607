import { randomBytes } from 'node:crypto';
import { createAdministration } from '@lintel/administration';
import { type Application, type ApplicationData, createUserAttributeReader } from '@lintel/application';
import type { Principal } from '@lintel/contracts';
import { createIdSource } from '@lintel/entities';
import { createPasswordPolicy, hashPassword } from '@lintel/passwords';
import { type Database, readAccount } from '@lintel/persistence';
import { applicationRoles, type RoleRegistry } from '@lintel/security';
import { createLogger } from '@lintel/telemetry';
import { type ApplicationContext, withDatabase } from '../application-context.ts';
import { assertUpToDate } from '../assert-up-to-date.ts';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import { withConnection } from '../with-connection.ts';
import { readCurrentRoles } from './current-roles.ts';

/** Reads and writes by the rules of the model, without a caller; the services get the changes through the outbox. */
export interface Administration {
  readonly application: Application;
  readonly data: ApplicationData;
  readonly database: Database;
  /** `data` with the rights of a user. @throws CommandError if there is none of that name */
  as(username: string): Promise<ApplicationData>;
}

/**
 * Works with the data of an application, in the configured database or that of this folder.
 *
 * @throws CommandError where migrations have not run
 */
export const withAdministration = <T>(
  context: ApplicationContext,
  terminal: Terminal,
  work: (administration: Administration) => Promise<T>,
): Promise<T> => withDatabase(context, terminal, (url) => within(context.application, url, work));

async function within<T>(
  application: Application,
  url: string,
  work: (administration: Administration) => Promise<T>,
): Promise<T> {
  await assertUpToDate(application, url);
  const clock = { now: () => Date.now() };
  const ids = createIdSource(clock, randomBytes);
  return withConnection({ url, maxConnections: 2, statementTimeoutMs: 60_000 }, (database) => {
    let roles: RoleRegistry = applicationRoles(application);
    const { data, dataOf } = createAdministration({
      application,
      database,
      clock,
      ids,
      hashPassword,
      passwordPolicy: createPasswordPolicy({ words: [application.id, application.name] }),
      logger: createLogger({ service: 'lintel', level: 'error' }),
      currentRoles: () => roles,
    });
    return work({
      application,
      data,
      database,
      async as(username) {
        roles = await readCurrentRoles({ application, database });
        return dataOf(await principalOf(username, application, database));
      },
    });
  });
}

/** The user as a caller, as if logged in. @throws CommandError if there is none of that name */
async function principalOf(username: string, application: Application, database: Database): Promise<Principal> {
  const account = await readAccount(database, username);
  if (account === undefined)
    throw new CommandError(`There is no user ${username}`, '"lintel user list" shows the users');
  const readUserAttributes = createUserAttributeReader(application);
  return {
    username: account.username,
    kind: 'user',
    userId: account.id,
    clientId: 'lintel',
    sessionId: 'lintel',
    resourceRoles: account.resourceRoles,
    rowLevelRoles: account.rowLevelRoles,
    locale: account.locale,
    attributes: { ...account.attributes, ...readUserAttributes(account.userColumns ?? {}) },
    actingService: undefined,
  };
}
