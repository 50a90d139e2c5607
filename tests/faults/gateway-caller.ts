/** What a client of the example application asks of a gateway. */
export interface GatewayCaller {
  /** A form with the credentials of a client of the demo. */
  post(path: string, clientId: string, form: Readonly<Record<string, string>>): Promise<Response>;
  /** A token request for a user of the demo, whose password is the user name. */
  logIn(clientId: string, username: string): Promise<Response>;
  tokenOf(clientId: string, username: string): Promise<string>;
  /** Statuses of one call with each token. */
  statusesOf(tokens: readonly string[]): Promise<readonly number[]>;
}

export function createGatewayCaller(url: string): GatewayCaller {
  const post: GatewayCaller['post'] = (path, clientId, form) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:secret`)}` },
      body: new URLSearchParams(form),
    });
  const logIn: GatewayCaller['logIn'] = (clientId, username) =>
    post('/oauth/token', clientId, { grant_type: 'password', username, password: username });
  return {
    post,
    logIn,
    async tokenOf(clientId, username) {
      const response = await logIn(clientId, username);
      return ((await response.json()) as { readonly access_token: string }).access_token;
    },
    statusesOf: (tokens) =>
      Promise.all(
        tokens.map(async (token) => {
          const response = await fetch(`${url}/rest/userInfo`, { headers: { authorization: `Bearer ${token}` } });
          await response.body?.cancel();
          return response.status;
        }),
      ),
  };
}
