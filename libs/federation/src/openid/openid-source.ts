import type { LoginSource, LoginState } from '../logins/check-logins.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';
import type { OpenIdProvider } from './openid-provider.ts';

/** Checks logins at an OpenID provider by their refresh tokens. */
export const createOpenIdSource = (provider: OpenIdProvider): LoginSource => ({
  rules: provider.settings,
  async stateOf({ refreshToken, subject }): Promise<LoginState> {
    if (refreshToken === undefined) return { kind: 'unknown' };
    try {
      const refreshed = await provider.refresh(refreshToken, subject);
      if (refreshed === undefined) return { kind: 'ended' };
      // Some providers return an ID token with few claims: then roles stay until the next login.
      const hasGroups = provider.settings['groups-claim'].split('.')[0] ?? '';
      const { claims } = refreshed;
      const isComplete = Object.hasOwn(claims, provider.settings['groups-claim']) || Object.hasOwn(claims, hasGroups);
      return { kind: 'valid', refreshToken: refreshed.refreshToken, claims: isComplete ? claims : undefined };
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      // A wrong secret of ours, for example: only the provider can say that the login has ended.
      return { kind: 'unavailable', cause: error };
    }
  },
});
