import { BROWSER_SESSION } from './check-logins.ts';
import type { FederatedLogins } from './federated-logins.ts';

/** Connects grants with the login at a provider that their user began with. */
export interface GrantBinding {
  /**
   * @param grantId undefined before the consent of the user
   * @param browserSession login session of the browser, if there is one
   * @param loginId of the login at a provider that has just been accepted; null for a login with a password; undefined
   *   if the browser was logged in before
   * @returns false if the login at the provider has ended meanwhile
   */
  bind(
    grantId: string | undefined,
    browserSession: string | undefined,
    loginId: string | null | undefined,
  ): Promise<boolean>;
}

export function createGrantBinding(logins: FederatedLogins): GrantBinding {
  return {
    async bind(grantId, browserSession, loginId) {
      const session = browserSession === undefined ? undefined : `${BROWSER_SESSION}${browserSession}`;
      if (loginId === null) {
        if (session !== undefined) await logins.unbind(session);
        return true;
      }
      const current = loginId ?? (session === undefined ? undefined : await logins.loginOf(session));
      if (current === undefined) return true;
      if (grantId !== undefined && !(await logins.bind(grantId, current))) return false;
      return session === undefined || loginId === undefined || logins.bind(session, current);
    },
  };
}
