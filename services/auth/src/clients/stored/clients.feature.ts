import { clientRequestSchemas as schemas } from '@lintel/contracts';
import type { Router } from 'express';
import type { FeatureFactory } from '../../feature.ts';
import { respondInternal } from '../../respond-internal.ts';
import type { ClientAdministration } from './administer-clients.ts';
import { followClients } from './follow-clients.ts';

/** Clients in the database, which administrators create. */
export const clientsFeature: FeatureFactory<'ports' | 'storedClients' | 'ownWrites' | 'clientAdministration'> = ({
  ports,
  storedClients,
  ownWrites,
  clientAdministration,
}) => ({
  register: ({ internal }) => registerRoutes(internal, clientAdministration),
  follow: [() => followClients(ports.bus, storedClients, ownWrites, ports.logger)],
});

function registerRoutes(router: Router, clients: ClientAdministration): void {
  respondInternal(router, '/clients/list', schemas.list, ({ limit, offset }) => clients.list(limit, offset));
  respondInternal(router, '/clients/get', schemas.get, ({ clientId }) => clients.get(clientId));
  respondInternal(router, '/clients/create', schemas.create, ({ caller, client }) => clients.create(caller, client));
  respondInternal(router, '/clients/update', schemas.update, ({ caller, clientId, client }) =>
    clients.update(caller, clientId, client),
  );
  respondInternal(router, '/clients/remove', schemas.remove, async ({ caller, clientId }) => {
    await clients.remove(caller, clientId);
    return {};
  });
  respondInternal(router, '/clients/create-secret', schemas['create-secret'], ({ caller, clientId, secret }) =>
    clients.createSecret(caller, clientId, secret),
  );
  respondInternal(router, '/clients/remove-secret', schemas['remove-secret'], async (request) => {
    await clients.removeSecret(request.caller, request.clientId, request.secretId);
    return {};
  });
}
