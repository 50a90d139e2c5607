import type { FeatureFactory } from '../feature.ts';
import { registerInternalRoutes } from './internal.routes.ts';

/** Exchange of tokens for JWTs, for services. */
export const exchangeFeature: FeatureFactory<
  | 'ports'
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
> = ({ ports, sessions, tokens, federation, ...parts }) => ({
  register: ({ internal }) =>
    registerInternalRoutes(internal, {
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
