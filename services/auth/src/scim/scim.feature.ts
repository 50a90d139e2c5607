import type { SecurityLog } from '@lintel/telemetry';
import type { Router } from 'express';
import { assertMayExecute } from '../accounts/assert-may-execute.ts';
import type { AttemptGuard } from '../attempts/attempt-guard.ts';
import type { AuthConfig } from '../config.ts';
import type { AuthPorts } from '../ports.ts';
import { type FollowUserDeps, followUser } from '../sessions/follow-changes.ts';
import { createGroupStore } from './groups/group-store.ts';
import { createScimGroups } from './groups/groups.ts';
import { createRoleTable } from './groups/role-table.ts';
import { createScimExchange, type GuardToken } from './receive-scim.ts';
import { registerScimRoutes } from './scim.routes.ts';
import type { ScimDeps } from './scim-deps.ts';
import { createUserStore } from './users/user-store.ts';
import { createScimUsers } from './users/users.ts';

export interface CreateScimDeps extends FollowUserDeps {
  readonly ports: AuthPorts;
  readonly config: AuthConfig;
  readonly security: SecurityLog;
  readonly guard: AttemptGuard;
}

/** Provisioning of users by an identity provider. */
export interface Scim {
  register(router: Router): void;
  /** Lets the roles of all users of SCIM follow the configuration. */
  followConfiguration(): Promise<void>;
}

/** Users of one request whose sessions are updated before the response. */
const MAX_FOLLOWED = 100;
/** Clients have no such name. */
const GUARDED_NAME = '\0scim';

/**
 * @returns undefined without `svc.scim.token`
 * @throws ConfigurationError if the login of the database may not create users
 */
export async function createScim(given: CreateScimDeps): Promise<Scim | undefined> {
  const { ports, config, security, guard } = given;
  const { token, formerToken, linkExistingUsers, deletion, maxResults, resourceRoles, rowLevelRoles } = config.scim;
  if (token === undefined) return undefined;
  const { database, logger, ids } = ports;
  await assertMayExecute(
    database,
    'sec.change_provisioned_user(uuid, jsonb, text)',
    'svc.scim.token: the login of auth must be in the role lintel_federation, which may create and change users',
  );
  const followSessions = async (usernames: readonly string[]): Promise<void> => {
    for (const username of [...new Set(usernames)].slice(0, MAX_FOLLOWED)) await followUser(username, given);
  };
  const roles = createRoleTable(resourceRoles, rowLevelRoles);
  const deps: ScimDeps = {
    database,
    users: createUserStore(linkExistingUsers),
    groups: createGroupStore(linkExistingUsers),
    roles,
    ids,
    security,
    logger,
    removesUsers: deletion === 'remove',
    followSessions,
  };
  const guardToken: GuardToken = async (address, isRight) => {
    const result = await guard.run({ name: GUARDED_NAME, address }, async () => {
      const kind = isRight() ? 'right' : 'wrong';
      return { kind, value: kind };
    });
    return result.kind === 'made' ? result.value : { refusal: result.refusal };
  };
  const tokens = formerToken === undefined ? [token] : [token, formerToken];
  return {
    register: (router) =>
      registerScimRoutes(router, {
        serve: createScimExchange({ tokens, guardToken, security, logger }),
        users: createScimUsers(deps),
        groups: createScimGroups(deps),
        baseUrl: `${config.platform.issuer.replace(/\/$/, '')}/scim/v2`,
        maxResults,
        availableLocales: config.availableLocales,
      }),
    async followConfiguration() {
      await followSessions(await roles.followConfiguration(database));
    },
  };
}
