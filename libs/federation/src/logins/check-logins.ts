import { PlatformError } from '@lintel/errors';
import type { FederatedSessions, FederationPorts } from '../federation-ports.ts';
import type { IdentityRules } from '../identity/identity-settings.ts';
import type { Claims } from '../identity/read-claim.ts';
import type { FederatedUsers } from '../users/federated-users.ts';
import {
  type FederatedLogin,
  type FederatedLogins,
  type LoginSelection,
  MIN_REFRESH_INTERVAL_MS,
  type StaleLogin,
} from './federated-logins.ts';

/** The state of a login at its provider. */
export type LoginState =
  /** Valid; the claims are undefined if the provider did not return any. */
  | { readonly kind: 'valid'; readonly claims?: Claims | undefined; readonly refreshToken?: string | undefined }
  | { readonly kind: 'ended' }
  /** The provider issued nothing by which the login could be checked. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unavailable'; readonly cause: unknown };

/** A provider that can check its logins again. */
export interface LoginSource {
  readonly rules: IdentityRules;
  stateOf(login: FederatedLogin): Promise<LoginState>;
}

/** Follows the logins at providers: checks them again, and ends what began with them. */
export interface LoginChecks {
  /** At an exchange; false if the login has ended. While the provider is unavailable or slow, the login stays valid. */
  isAlive(sessionId: string): Promise<boolean>;
  /**
   * At a refresh of our tokens, which needs the confirmation of the provider; false without it.
   *
   * @throws PlatformError AUTH_UNAVAILABLE if the provider cannot be reached
   */
  mayRefresh(grantId: string): Promise<boolean>;
  /** Whether the login of a browser that began at a provider has passed its time. */
  hasBrowserExpired(uid: string): Promise<boolean>;
  /** Ends logins with their sessions and tokens; returns how many sessions and browsers it were. */
  end(which: LoginSelection, reason: string, provider: string): Promise<number>;
  /** Ends logins of providers that are no longer configured. */
  endUnknown(): Promise<void>;
}

export interface LoginChecksDeps extends Pick<FederationPorts, 'security' | 'logger'> {
  readonly logins: FederatedLogins;
  readonly users: FederatedUsers;
  readonly sources: ReadonlyMap<string, LoginSource>;
  readonly checkIntervalMs: number;
  readonly sessions: Pick<FederatedSessions, 'endGrant' | 'endBrowserSession'>;
}

/** Prefix of the keys of browser sessions among those of grants. */
export const BROWSER_SESSION = 'session:';
/** An exchange waits this long for a check, which then goes on. */
const MAX_WAIT_MS = 2_000;

export function createLoginChecks(deps: LoginChecksDeps): LoginChecks {
  const { logins, users, sources, checkIntervalMs, sessions, security, logger } = deps;
  const names = [...sources.keys()];

  async function end(which: LoginSelection, reason: string, provider: string): Promise<number> {
    const keys = await logins.keysOf(which);
    for (const key of keys) await endKey(key);
    // The records go last: after a failure, the next attempt finds all keys again.
    const added = (await logins.end(which)).filter((key) => !keys.includes(key));
    for (const key of added) await endKey(key);
    const amount = keys.length + added.length;
    if (amount > 0) security.record('federation.login-ended', { provider, reason, amount });
    return amount;
  }

  async function endKey(key: string): Promise<void> {
    if (key.startsWith(BROWSER_SESSION)) await sessions.endBrowserSession(key.slice(BROWSER_SESSION.length));
    else await sessions.endGrant(key);
  }

  /** Checks a login; the state with the rules applied to new claims. */
  async function check(login: StaleLogin): Promise<LoginState['kind']> {
    if (login.hasExpired) return 'ended';
    const source = sources.get(login.provider);
    const state: LoginState = source === undefined ? { kind: 'ended' } : await source.stateOf(login);
    if (state.kind === 'unavailable') {
      logger.warn({ error: state.cause, provider: login.provider }, 'a login could not be checked at its provider');
      return 'unavailable';
    }
    if (state.kind !== 'valid') return state.kind;
    if (state.refreshToken !== undefined && state.refreshToken !== login.refreshToken)
      await logins.replaceRefreshToken(login.id, state.refreshToken);
    if (state.claims === undefined || source === undefined) return 'valid';
    const { provider, issuer, subject } = login;
    const verdict = await users.signIn({ provider, issuer, subject, claims: state.claims, rules: source.rules });
    return verdict.kind === 'accepted' ? 'valid' : 'ended';
  }

  /** Checks a login, and ends it if its provider says so. A refresh is not accepted before a successful check. */
  async function settle(login: StaleLogin): Promise<LoginState['kind']> {
    let state: LoginState['kind'] = 'unavailable';
    try {
      state = await check(login);
    } finally {
      if (state !== 'valid') await logins.requireCheck(login.id);
    }
    if (state === 'ended') await end({ id: login.id }, 'ended at the provider', login.provider);
    return state;
  }

  return {
    async isAlive(sessionId) {
      const login = await logins.takeStale({ sessionId }, names, checkIntervalMs);
      if (login === undefined) return true;
      const settled = settle(login);
      const state = await withinWait(settled);
      if (state === undefined)
        settled.catch((error: unknown) => logger.error({ error }, 'a login could not be checked at its provider'));
      return state !== 'ended';
    },
    async mayRefresh(grantId) {
      const login = await logins.takeStale({ grantId }, names, MIN_REFRESH_INTERVAL_MS);
      const state = login === undefined ? 'valid' : await settle(login);
      if (state === 'unavailable')
        throw new PlatformError('AUTH_UNAVAILABLE', 'The identity provider cannot be reached now');
      return state === 'valid';
    },
    hasBrowserExpired: (uid) => logins.hasExpired(`${BROWSER_SESSION}${uid}`),
    end,
    async endUnknown() {
      for (const provider of await logins.providers())
        if (!sources.has(provider)) await end({ provider }, 'provider removed', provider);
    },
  };
}

/** The value, or undefined if it is late. */
async function withinWait<T>(value: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, MAX_WAIT_MS, undefined);
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
  }
}
