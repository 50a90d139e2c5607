import type { FeatureFactory } from '../feature.ts';
import { registerInternalRoutes } from './internal.routes.ts';

/** Exchange of tokens for JWTs, for services. Its check of the shared secret precedes all routes of the listener. */
export const exchangeFeature: FeatureFactory<
  | 'ports'
  | 'config'
  | 'accounts'
  | 'clients'
  | 'sessions'
  | 'tickets'
  | 'tokens'
  | 'rotation'
  | 'signer'
  | 'federation'
  | 'apiKeys'
  | 'seeAs'
> = ({ ports, config, sessions, tokens, federation, ...parts }) => ({
  register: ({ internal }) =>
    registerInternalRoutes(internal, config.platform.internalSecret, {
      ...parts,
      findAccessToken: tokens.findAccessToken,
      sessions: ports.sessions,
      sessionService: sessions,
      receivesChanges: () => ports.bus.isConnected(),
      external: federation.external,
      isAlive: federation.isAlive,
      clock: ports.clock,
    }),
});
