import { DECISION_FIELD } from '../../../../services/auth/src/login/pages.ts';
import { authorization, Browser, fieldsOf } from '../../../../services/auth/test/login-pages.ts';
import type { RunningAuth } from '../../../../services/auth/test/start-auth.ts';
import { CALLBACK, type System } from './system.ts';

/** Where codes go that the caller receives. */
export const EVIL = 'https://evil.example/callback';
const basic = (client: string): { authorization: string } => ({
  authorization: `Basic ${Buffer.from(client).toString('base64')}`,
});

/** An access token for a form of the token endpoint; undefined if it is refused. */
export async function tokenFor(
  system: System,
  form: Readonly<Record<string, string>>,
  client = 'desk:secret',
): Promise<string | undefined> {
  const response = await system.send('POST', '/oauth2/token', {
    body: new URLSearchParams(form),
    headers: basic(client),
  });
  return response.status === 200 ? String(response.json().access_token) : undefined;
}

export const logIn = (system: System, username: string, password: string): Promise<string | undefined> =>
  tokenFor(system, { grant_type: 'password', username, password });

/** What the holder of a token may do and read, by real requests; undefined if the token is refused. */
export async function powersOf(system: System, token: string): Promise<ReadonlyMap<string, number> | undefined> {
  const response = await system.send('GET', '/rest/permissions', { token });
  if (response.status !== 200) return undefined;
  const powers = new Map<string, number>();
  const found = response.json() as Record<string, readonly { readonly target: string; readonly value: number }[]>;
  for (const kind of ['entities', 'entityAttributes', 'specifics'])
    for (const { target, value } of found[kind] ?? []) powers.set(`${kind} ${target}`, value);
  for (const entity of ['t_Document', 't_Note']) {
    const rows = await system.send('GET', `/rest/entities/${entity}?fetchPlan=_instance_name`, { token });
    if (rows.status === 200) for (const { id } of rows.json()) powers.set(`${entity} ${id}`, 1);
  }
  return powers;
}

const browserOf = (system: System): Browser => new Browser({ url: system.url } as RunningAuth);

/** A browser in which a user has logged in to the platform's own client. */
export async function browserOfUser(system: System, username: string, password: string): Promise<Browser | undefined> {
  const browser = browserOf(system);
  const { page } = await browser.follow(
    await browser.ask(authorization({ client_id: 'desk', redirect_uri: CALLBACK })),
  );
  if (page === undefined) throw new Error('There is no login page');
  const { action, proof } = fieldsOf(page);
  const { left } = await browser.follow(
    await browser.ask(action, { proof, [DECISION_FIELD]: 'login', username, password }),
  );
  return left?.searchParams.has('code') === true ? browser : undefined;
}

/** Whether a client gets a code of the user of a browser to the caller's address, by one click on a link. */
export async function leaksCode(browser: Browser, clientId: string): Promise<boolean> {
  const link = authorization({ client_id: clientId, redirect_uri: EVIL, scope: 'rest-api' });
  const { left } = await browser.follow(await browser.ask(link));
  return left?.host === 'evil.example' && left.searchParams.has('code');
}

/** Sets the password of a user whose mail the caller receives, by a real link. */
export async function resetPassword(system: System, username: string, email: string, next: string): Promise<boolean> {
  const browser = browserOf(system);
  const { proof } = fieldsOf(await (await browser.ask('/as-login/password/forgot')).text());
  const known = system.mail.received.length;
  const sent = await browser.ask('/as-login/password/forgot', { proof, name: username });
  if (sent.status !== 200) return false;
  const mail = async (): Promise<string | undefined> => {
    for (let tries = 0; tries < 50; tries += 1) {
      const found = system.mail.received.slice(known).find(({ to }) => to.includes(email));
      if (found !== undefined) return found.text;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return undefined;
  };
  const link = /http:\/\/lintel\.example(\/\S+)/.exec((await mail()) ?? '')?.[1];
  if (link === undefined) return false;
  const page = await (await browser.ask(link)).text();
  const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const done = await browser.ask('/as-login/password/reset', {
    proof: fieldsOf(page).proof,
    token,
    'new-password': next,
    'repeated-password': next,
  });
  return done.status < 400;
}
