import { requestTokens } from './token-endpoint.ts';

/** An access token for user name and password, which is not refreshed: for scripts. */
export async function requestToken(
  baseUrl: string,
  login: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly username: string;
    readonly password: string;
  },
): Promise<string> {
  const { username, password, ...client } = login;
  return (await requestTokens({ baseUrl, ...client }, { grant_type: 'password', username, password })).access_token;
}
