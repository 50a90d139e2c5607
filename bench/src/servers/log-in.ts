const CLIENT = `Basic ${Buffer.from('client:secret').toString('base64')}`;

/** Returns a token of the demo user `admin`, of a new session. */
export async function logIn(url: string): Promise<string> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { Authorization: CLIENT },
    body: new URLSearchParams({ grant_type: 'password', username: 'admin', password: 'admin' }),
  });
  if (!response.ok) throw new Error(`The login fails with ${response.status}: ${await response.text()}`);
  const { access_token: token } = (await response.json()) as { readonly access_token: string };
  return token;
}
