import type { FeatureFactory } from '../../feature.ts';
import { registerClientRoutes } from './clients.routes.ts';
import { followClients } from './follow-clients.ts';

/** Clients in the database, which administrators create. */
export const clientsFeature: FeatureFactory<'ports' | 'storedClients' | 'ownWrites' | 'clientAdministration'> = ({
  ports,
  storedClients,
  ownWrites,
  clientAdministration,
}) => ({
  register: ({ internal }) => registerClientRoutes(internal, clientAdministration),
  follow: [() => followClients(ports.bus, storedClients, ownWrites, ports.logger)],
});
