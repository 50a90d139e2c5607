import type { SettingsOf } from '@lintel/config';
import type { Database } from '@lintel/persistence';
import type { Logger, SecurityLog } from '@lintel/telemetry';
import type { Router } from 'express';
import { createGroupStore } from './groups/group-store.ts';
import { createScimGroups } from './groups/groups.ts';
import { createRoleTable } from './groups/role-table.ts';
import { createScimExchange, type GuardToken } from './receive-scim.ts';
import { registerScimRoutes } from './scim.routes.ts';
import type { ScimDeps } from './scim-deps.ts';
import type { scimSettings } from './scim-settings.ts';
import { createUserStore } from './users/user-store.ts';
import { createScimUsers } from './users/users.ts';

/** What the service supplies. */
export interface ScimPorts {
  /** Its login may call `sec.change_provisioned_user`. */
  readonly database: Database;
  readonly ids: ScimDeps['ids'];
  readonly logger: Logger;
  readonly security: SecurityLog;
  readonly guardToken: GuardToken;
  readonly followSessions: ScimDeps['followSessions'];
  /** Public address of the service, without `/scim/v2`. */
  readonly issuer: string;
  readonly availableLocales: readonly string[];
}

/** Provisioning of users and groups by an identity provider (RFC 7643, RFC 7644). */
export interface Scim {
  register(router: Router): void;
  /** Lets the roles of all users of SCIM follow the configuration. */
  followConfiguration(): Promise<void>;
}

/** @returns undefined without `svc.scim.token` */
export function createScim(config: SettingsOf<typeof scimSettings>, ports: ScimPorts): Scim | undefined {
  const { token, formerToken, linkExistingUsers, deletion, maxResults, resourceRoles, rowLevelRoles } = config;
  if (token === undefined) return undefined;
  const { database, ids, logger, security, guardToken, followSessions, issuer, availableLocales } = ports;
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
  const tokens = formerToken === undefined ? [token] : [token, formerToken];
  return {
    register: (router) =>
      registerScimRoutes(router, {
        serve: createScimExchange({ tokens, guardToken, security, logger }),
        users: createScimUsers(deps),
        groups: createScimGroups(deps),
        baseUrl: `${issuer.replace(/\/$/, '')}/scim/v2`,
        maxResults,
        availableLocales,
      }),
    async followConfiguration() {
      await followSessions(await roles.followConfiguration(database));
    },
  };
}
