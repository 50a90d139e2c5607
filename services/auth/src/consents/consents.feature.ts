import type { FeatureFactory } from '../feature.ts';
import { registerConsentRoutes } from './consents.routes.ts';

/** Consents of users to clients. */
export const consentsFeature: FeatureFactory<'consents' | 'clients' | 'logins' | 'sessions' | 'security'> = (
  parts,
) => ({
  register: ({ internal }) => registerConsentRoutes(internal, parts),
});
