import { testProviderRequestSchema } from '@lintel/contracts';
import { sendJson } from '@lintel/http';
import type { FeatureFactory } from '../feature.ts';
import { createProviderPages } from '../federation/provider-pages.routes.ts';
import { respondInternal } from '../respond-internal.ts';

/** Pages of logins, with the buttons of identity providers. */
export const loginFeature: FeatureFactory<
  'ports' | 'login' | 'forms' | 'proofs' | 'nameless' | 'tokens' | 'federation' | 'server'
> = ({ ports, login, forms, proofs, nameless, tokens, federation, server }) => ({
  register({ open, internal }) {
    const pages = login.registerPages(open, {
      interactions: () => server().interactions,
      authorize: (...given) => server().authorize(...given),
      forms,
      tokens,
      sessions: ports.sessions,
      proofs,
      device: {
        showDevice: (...given) => server().showDevice(...given),
        hasSession: (...given) => server().hasSession(...given),
        submitDevice: (...given) => server().submitDevice(...given),
        // Codes have no names: only guesses of one address are limited.
        guard: nameless('device'),
      },
      logout: {
        show: (...given) => server().showLogout(...given),
        hasSession: (...given) => server().hasSession(...given),
        submit: (...given) => server().submitLogout(...given),
      },
      providers: federation.providers,
    });
    federation.register(open, createProviderPages(pages));
    const { providers, tests } = federation.administration;
    internal.post('/identity-providers/list', (request, response) => {
      request.resume();
      sendJson(response, 200, { providers });
    });
    respondInternal(internal, '/identity-providers/test', testProviderRequestSchema, ({ name }) => tests.run(name));
  },
  start: federation.checks.endUnknown,
  repeated: [
    [federation.purgeExpired, 'ended logins were not removed'],
    [login.passwords.prune, 'passwords of removed users were not removed'],
    [login.secondFactors.factors.purge, 'factors of removed users were not removed'],
  ],
});
