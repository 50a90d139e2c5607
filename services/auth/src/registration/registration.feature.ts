import { ConfigurationError } from '@lintel/config';
import type { FeatureFactory } from '../feature.ts';
import { ClientRegistration } from './client-registration.ts';
import { registerRegistrationRoutes } from './registration.routes.ts';
import { REGISTRATION_PATH } from './registration-metadata.ts';

/** Dynamic registration of clients, where it is switched on. */
export const registrationFeature: FeatureFactory<
  'ports' | 'config' | 'clientStore' | 'clientAdministration' | 'nameless'
> = ({ ports, config, clientStore, clientAdministration, nameless }) => {
  const { isEnabled, initialToken, scopes, clientLifeMs } = config.registration;
  if (!isEnabled) return {};
  if (initialToken === undefined)
    throw new ConfigurationError(['svc.auth.registration.enabled: needs svc.auth.registration.initial-access-token']);
  const registration = new ClientRegistration({
    administration: clientAdministration,
    store: clientStore,
    initialToken,
    scopes: scopes ?? [config.platform.apiScope],
    clientLifeMs,
    guard: nameless('registration'),
    endpoint: `${config.platform.issuer}${REGISTRATION_PATH}`,
    now: () => ports.clock.now(),
  });
  return { register: ({ open }) => registerRegistrationRoutes(open, registration) };
};
