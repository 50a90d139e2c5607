import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export const ORGANISATION_CLIENT = { id: 'lintel', secret: 'secret of lintel at the organisation' };

const LIFE_SECONDS = 3_600;

/** The OpenID provider of an organisation, with pages for the login: any name is a user, any password is right. */
export interface Organisation {
  readonly issuer: string;
  /** Registers Lintel. */
  register(callback: string): void;
  close(): Promise<void>;
}

export async function startOrganisation(): Promise<Organisation> {
  let listener: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    register(callback) {
      const { id, secret } = ORGANISATION_CLIENT;
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: id,
            client_secret: secret,
            redirect_uris: [callback],
            token_endpoint_auth_method: 'client_secret_post',
          },
        ],
        claims: { openid: ['sub'], profile: ['preferred_username', 'given_name', 'groups'], email: ['email'] },
        conformIdTokenClaims: false,
        features: { devInteractions: { enabled: true } },
        findAccount: (_context, sub) => ({
          accountId: sub,
          claims: () => ({ sub, preferred_username: sub, given_name: sub, groups: ['sales'] }),
        }),
        cookies: { keys: ['cookies of the test'] },
        ttl: {
          AccessToken: LIFE_SECONDS,
          Grant: LIFE_SECONDS,
          IdToken: LIFE_SECONDS,
          Interaction: LIFE_SECONDS,
          Session: LIFE_SECONDS,
        },
      });
      provider.silent = true;
      listener = provider.callback();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
