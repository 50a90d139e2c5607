import { EVENTS } from '@lintel/contracts';
import type { EventBus, Subscription } from '@lintel/events';
import type { RemoteTokenVerifier } from '@lintel/http';
import type { TokenCache } from './token-cache.ts';

export interface FollowEventsDeps {
  readonly bus: EventBus;
  readonly cache: TokenCache;
  readonly verifier: RemoteTokenVerifier;
}

/** Keeps the caches right: revoked tokens and ended sessions go at once, everything goes on reconnect. */
export async function followEvents({ bus, cache, verifier }: FollowEventsDeps): Promise<Subscription> {
  bus.onConnection((state) => {
    // What was missed while disconnected cannot be known.
    if (state === 'connected') cache.clear();
  });
  return bus.subscribe({
    queue: { kind: 'replica', service: 'gateway' },
    types: ['auth.token.revoked.v1', 'auth.session.ended.v1', 'auth.keys.rotated.v1'],
    handle: async ({ type, data }) => {
      if (type === 'auth.token.revoked.v1') cache.evictToken(EVENTS[type].schema.parse(data).tokenHash);
      else if (type === 'auth.session.ended.v1') cache.evictSession(EVENTS[type].schema.parse(data).sessionId);
      else {
        await verifier.refreshKeys();
        // The services refuse what was exchanged under a key that is gone.
        cache.clear();
      }
    },
  });
}
