import { type Administrator, INTEGERS, type Principal } from '@lintel/contracts';
import { isPlatformError, PlatformError } from '@lintel/errors';
import { contextOf, sendJson } from '@lintel/http';
import { readAccount, type StatementRunner } from '@lintel/persistence';
import {
  type Access,
  assertSpecific,
  assertStrongLogin,
  type Delegation,
  exceedingPolicies,
  type RoleRegistry,
} from '@lintel/security';
import type { Request, Response, Router } from 'express';
import type { Engine } from '../feature.ts';
import { receiveJson } from '../receiving/receive-json.ts';
import { numberOf } from '../receiving/receive-number.ts';

/** The specific policy for the administration of clients. */
const MANAGE = 'clients.manage';
const DENIED = 'User is not allowed to manage clients';

/** The clients of the database (contract/clients.md#clients); all routes need `clients.manage`. */
export function registerClientsRoutes(router: Router, { ports, config, accessOf, ceiling }: Engine): void {
  const path = config.paths.clientsPath;
  const { authAdministration: auth, currentRoles, database } = ports;
  const principalOf = (request: Request, response: Response): Principal => {
    const { principal } = contextOf(request, response);
    if (principal.kind === 'anonymous') throw new PlatformError('ACCESS_DENIED', DENIED);
    assertSpecific(accessOf(principal), MANAGE, 'ACCESS_DENIED', DENIED);
    return principal;
  };
  /** Asks for a login that holds the roles of a client, if the caller has them without holding them now. */
  const assertHeldNow = (principal: Principal, caller: Administrator, client: unknown): void => {
    const absent = principal.resourceRoles.filter((role) => !caller.resourceRoles.includes(role));
    const named = absent.filter((role) => rolesIn(client).includes(role));
    if (principal.kind === 'user' && named.length > 0)
      assertStrongLogin(accessOf(principal), (stronger) =>
        named.every((role) => isHeldNow(role, currentRoles(), stronger)),
      );
  };
  const callerOf = async (request: Request, response: Response): Promise<Administrator> => {
    const principal = principalOf(request, response);
    const access = accessOf(principal);
    const caller = administratorOf(principal, (role) => isHeldNow(role, currentRoles(), access));
    const clientId = idOf(request, 'clientId');
    if (caller.isUnlimited || clientId === '') return caller;
    const client = await auth.call('clients/get', { clientId });
    assertHeldNow(principal, caller, client);
    const createdBy = typeof client === 'object' && client !== null && 'createdBy' in client && client.createdBy;
    return { ...caller, coversMaker: await coversMaker(principal, createdBy, ceiling, database) };
  };
  const send = (response: Response, status: number, body: unknown): void => {
    // It may have a secret.
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, status, body);
  };

  router.get(path, async (request, response) => {
    principalOf(request, response);
    const limit = numberOf(request, INTEGERS.clients);
    const offset = numberOf(request, INTEGERS.clientsOffset);
    send(response, 200, await auth.call('clients/list', { limit, offset }));
  });
  const receiveClient = async (request: Request, response: Response, caller: Administrator): Promise<unknown> => {
    const client = await receiveJson(request);
    assertHeldNow(principalOf(request, response), caller, client);
    return client;
  };

  router.post(path, async (request, response) => {
    const caller = await callerOf(request, response);
    const client = await receiveClient(request, response, caller);
    send(response, 201, await auth.call('clients/create', { caller, client }));
  });
  router.get(`${path}/:clientId`, async (request, response) => {
    principalOf(request, response);
    send(response, 200, await auth.call('clients/get', { clientId: idOf(request, 'clientId') }));
  });
  router.put(`${path}/:clientId`, async (request, response) => {
    const caller = await callerOf(request, response);
    const client = await receiveClient(request, response, caller);
    const change = { caller, clientId: idOf(request, 'clientId'), client };
    send(response, 200, await auth.call('clients/update', change));
  });
  router.delete(`${path}/:clientId`, async (request, response) => {
    await auth.call('clients/remove', {
      caller: await callerOf(request, response),
      clientId: idOf(request, 'clientId'),
    });
    response.status(204).end();
  });
  router.post(`${path}/:clientId/secrets`, async (request, response) => {
    const caller = await callerOf(request, response);
    const creation = { caller, clientId: idOf(request, 'clientId'), secret: (await receiveJson(request)) ?? {} };
    send(response, 201, await auth.call('clients/create-secret', creation));
  });
  router.delete(`${path}/:clientId/secrets/:secretId`, async (request, response) => {
    await auth.call('clients/remove-secret', {
      caller: await callerOf(request, response),
      clientId: idOf(request, 'clientId'),
      secretId: idOf(request, 'secretId'),
    });
    response.status(204).end();
  });
}

/** A segment of the path; auth knows no longer id. */
function idOf({ params }: Request, name: string): string {
  const value = params[name];
  return typeof value === 'string' ? value.slice(0, 300) : '';
}

/** A role that has every right. */
const FULL_ACCESS = 'system-full-access';

/**
 * Whether an access has every policy of a role, also policies that need a strong login: a client has all policies of
 * its roles, since clients do not log in (contract/roles.md#step-up).
 */
const isHeldNow = (role: string, { resourceRoles }: RoleRegistry, access: Access): boolean =>
  exceedingPolicies([role], resourceRoles, access).length === 0;

const rolesIn = (client: unknown): readonly unknown[] => {
  const roles = typeof client === 'object' && client !== null && 'resourceRoles' in client && client.resourceRoles;
  return Array.isArray(roles) ? roles : [];
};

/** Who calls, and which roles the caller may give to a client. */
const administratorOf = (
  { username, resourceRoles, rowLevelRoles }: Principal,
  isHeld: (role: string) => boolean,
): Administrator => ({
  username,
  isUnlimited: resourceRoles.includes(FULL_ACCESS) && rowLevelRoles.length === 0,
  resourceRoles: resourceRoles.filter(isHeld),
  rowLevelRoles: [...rowLevelRoles],
  coversMaker: false,
});

/** Who has made the clients that register themselves; no user has this name. */
const REGISTRATION = 'dynamic registration';

/** Whether a caller has every right of the user who made a client; false if that user does not exist any more. */
async function coversMaker(
  caller: Principal,
  createdBy: unknown,
  delegation: Delegation,
  database: StatementRunner,
): Promise<boolean> {
  if (createdBy === REGISTRATION) return true;
  if (typeof createdBy !== 'string') return false;
  const isOwn = caller.kind === 'user' && createdBy === caller.username && !caller.clientId.startsWith('api-key:');
  if (isOwn) return true;
  const maker = await readAccount(database, createdBy);
  if (maker === undefined) return false;
  try {
    delegation.assertCovers(caller, maker);
    return true;
  } catch (error) {
    if (isPlatformError(error) && error.status < 500) return false;
    throw error;
  }
}
