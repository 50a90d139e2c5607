import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PROVIDER_CLIENT, PROVIDER_SECRET } from '@lintel/federation/testing';
import Provider from 'oidc-provider';

/** A second oidc-provider, as the provider of an organisation: it logs in `account` without a page. */
export interface SecondProvider {
  readonly issuer: string;
  account: { sub: string; claims: Record<string, unknown> };
  /** Subjects that are disabled: their refresh tokens are refused. */
  readonly disabled: Set<string>;
  /** Where a browser is sent after the login at the provider. */
  visit(authorization: URL): Promise<URL>;
  /** Sends a back-channel logout to Lintel, as after a logout at the provider. */
  logOut(sub: string): Promise<void>;
  close(): Promise<void>;
}

export async function startSecondProvider(redirectUri: string, logoutUri: () => string): Promise<SecondProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const claimsOf = new Map<string, Record<string, unknown>>();
  const sessions = new Map<string, string>();
  const disabled = new Set<string>();
  const oidc = new Provider(issuer, {
    clients: [
      {
        client_id: PROVIDER_CLIENT,
        client_secret: PROVIDER_SECRET,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_post',
        backchannel_logout_session_required: true,
        backchannel_logout_uri: 'https://lintel.example/as-login/provider/acme/logout',
      },
    ],
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'groups', 'given_name'],
      email: ['email', 'email_verified'],
    },
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: false },
    },
    findAccount: (_context, sub) =>
      disabled.has(sub) ? undefined : { accountId: sub, claims: () => ({ sub, ...claimsOf.get(sub) }) },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    interactions: { url: (_context, { uid }) => `/login/${uid}` },
    cookies: { keys: ['cookies of the test'] },
    pkce: { required: () => true },
    // Its own one sends no logout to loopback addresses.
    fetch: (url, options) => fetch(url, { ...(options as object), dispatcher: undefined } as unknown as RequestInit),
  });
  oidc.silent = true;
  const handle = oidc.callback();
  server.on('request', async (request, response) => {
    if (request.url?.startsWith('/login/') !== true) return void handle(request, response);
    const { prompt, params, session } = await oidc.interactionDetails(request, response);
    const { sub } = second.account;
    if (prompt.name === 'login') return void oidc.interactionFinished(request, response, { login: { accountId: sub } });
    const grant = new oidc.Grant({ accountId: session?.accountId ?? sub, clientId: String(params['client_id']) });
    grant.addOIDCScope(String(params['scope']));
    const consent = { grantId: await grant.save() };
    return void oidc.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
  });
  oidc.on('authorization.success', ({ oidc: { session, client } }) => {
    if (session?.accountId !== undefined && client !== undefined)
      sessions.set(session.accountId, session.sidFor(client.clientId) ?? '');
  });
  const second: SecondProvider = {
    issuer,
    account: { sub: '', claims: {} },
    disabled,
    async visit(authorization) {
      claimsOf.set(second.account.sub, second.account.claims);
      const cookies = new Map<string, string>();
      let target = authorization;
      while (target.origin === issuer) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(target, { redirect: 'manual', headers: { cookie } });
        for (const text of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
          cookies.set(name, value);
        }
        const location = response.headers.get('location');
        if (location === null) throw new Error(`The provider responded ${response.status}: ${await response.text()}`);
        target = new URL(location, issuer);
      }
      return target;
    },
    async logOut(sub) {
      const client = await oidc.Client.find(PROVIDER_CLIENT);
      if (client === undefined) throw new Error('the client is unknown');
      Object.assign(client, { backchannelLogoutUri: logoutUri() });
      await (client as unknown as { backchannelLogout(sub: string, sid: string): Promise<void> }).backchannelLogout(
        sub,
        sessions.get(sub) ?? '',
      );
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return second;
}
