import { consentRequestSchemas as schemas } from '@lintel/contracts';
import type { FeatureFactory } from '../feature.ts';
import { respondInternal } from '../respond-internal.ts';
import { endConsent, listConsents } from './manage-consents.ts';

/** Consents of users to clients. */
export const consentsFeature: FeatureFactory<'consents' | 'clients' | 'logins' | 'sessions' | 'security'> = (
  parts,
) => ({
  register({ internal }) {
    respondInternal(internal, '/consents/list', schemas.list, ({ username }) => listConsents(username, parts));
    respondInternal(internal, '/consents/end', schemas.end, async (end) => ({ ended: await endConsent(end, parts) }));
  },
});
