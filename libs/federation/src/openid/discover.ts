import { isLoopback } from '@lintel/config';
import * as openid from 'openid-client';
import { createLimitedFetch } from '../providers/fetch-limited.ts';
import type { OpenIdProviderSettings } from './provider-settings.ts';

const TIMEOUT_SECONDS = 10;
export const CLOCK_TOLERANCE_SECONDS = 30;

/** Reads the metadata of a provider. Without TLS only from a program of the same machine. */
export function discover(settings: OpenIdProviderSettings): Promise<openid.Configuration> {
  const issuer = new URL(settings.issuer);
  const isOpen = issuer.protocol === 'http:' && isLoopback(issuer.hostname);
  return openid.discovery(
    issuer,
    settings['client-id'],
    { [openid.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    clientAuthenticationOf(settings),
    {
      [openid.customFetch]: createLimitedFetch() as openid.CustomFetch,
      timeout: TIMEOUT_SECONDS,
      // Without it, the signatures of ID tokens from the token endpoint are not verified.
      execute: [openid.enableNonRepudiationChecks, ...(isOpen ? [openid.allowInsecureRequests] : [])],
    },
  );
}

function clientAuthenticationOf(settings: OpenIdProviderSettings): openid.ClientAuth {
  const { 'client-secret': secret, 'client-authentication': method } = settings;
  if (secret === undefined || method === 'none') return openid.None();
  return method === 'client_secret_basic' ? openid.ClientSecretBasic(secret) : openid.ClientSecretPost(secret);
}
