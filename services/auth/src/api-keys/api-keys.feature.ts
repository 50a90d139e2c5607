import type { FeatureFactory } from '../feature.ts';
import { registerApiKeyRoutes } from './api-keys.routes.ts';
import { followUsers } from './follow-users.ts';

/** API keys, with which programs of users call the API. */
export const apiKeysFeature: FeatureFactory<'ports' | 'apiKeys' | 'keyStore'> = ({ ports, apiKeys, keyStore }) => ({
  register: ({ internal }) => registerApiKeyRoutes(internal, apiKeys),
  follow: [() => followUsers(ports.bus, apiKeys)],
  repeated: [[keyStore.purge, 'expired API keys were not removed']],
});
