import { DECISION_FIELD } from '../../../../libs/login/src/pages/pages.ts';
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

let browsers = 0;
/** Each is at an address of its own, as far as limits of links count. */
function browserOf(system: System): Browser {
  const browser = new Browser({ url: system.url } as RunningAuth);
  browsers += 1;
  browser.headers = { 'x-forwarded-for': `10.1.${browsers >> 8}.${browsers & 255}` };
  return browser;
}

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

/** The text that a link adds to its page, once the mail to an address is there; undefined if none comes. */
async function linkTo(system: System, known: number, address: string): Promise<string | undefined> {
  for (let tries = 0; tries < 50; tries += 1) {
    const found = system.mail.received.slice(known).find(({ to }) => to.includes(address));
    if (found !== undefined) return /http:\/\/lintel\.example(\/\S+)/.exec(found.text)?.[1];
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return undefined;
}

/** Chooses a password by a link that a page sends to an address of the caller. */
async function chooseByMail(
  system: System,
  [page, next]: readonly [string, string],
  form: Readonly<Record<string, string>>,
  [address, password]: readonly [string, string],
): Promise<boolean> {
  const browser = browserOf(system);
  const { proof } = fieldsOf(await (await browser.ask(page)).text());
  const known = system.mail.received.length;
  const sent = await browser.ask(page, { proof, ...form });
  if (sent.status !== 200) throw new Error(`${page}: ${sent.status}`);
  const link = await linkTo(system, known, address);
  if (link === undefined) return false;
  const opened = await (await browser.ask(link)).text();
  const token = /name="token" value="([^"]+)"/.exec(opened)?.[1] ?? '';
  const chosen = { token, 'new-password': password, 'repeated-password': password };
  return (await browser.ask(next, { proof: fieldsOf(opened).proof, ...chosen })).status < 400;
}

/** Sets the password of a user whose mail the caller receives, by a real link. */
export const resetPassword = (system: System, username: string, email: string, next: string): Promise<boolean> =>
  chooseByMail(system, ['/as-login/password/forgot', '/as-login/password/reset'], { name: username }, [email, next]);

/** Creates a user with an address of the caller. */
export const signUp = (system: System, email: string, password: string): Promise<boolean> =>
  chooseByMail(system, ['/as-login/sign-up', '/as-login/sign-up/confirm'], { email }, [email, password]);

/**
 * Sends to routes that change the own user or login what the caller has, with the name of a victim.
 *
 * @returns the first failure of the server
 */
export async function forge(
  system: System,
  routes: readonly string[],
  { username, token, next }: { readonly username: string; readonly token: string; readonly next: string },
  browser: Browser,
): Promise<string | undefined> {
  const page = await (await browser.ask('/as-login/password')).text();
  const form = {
    ...{ proof: fieldsOf(page).proof, username, name: username, user: username, login_hint: username, sub: username },
    ...{ grant_type: 'password', password: next, 'current-password': next, currentPassword: next, code: '000000' },
    ...{ 'new-password': next, 'repeated-password': next, newPassword: next, email: `${username}@t.example` },
    ...{ token, id_token_hint: token, client_id: 'desk', user_code: 'BCDF-GHJK', SAMLResponse: 'PHg+', xsrf: 'x' },
  };
  for (const route of routes) {
    const [method = '', path = ''] = route.replace(':name', 'x').replace(':clientId', 'trusted').split(' ');
    const statuses =
      method === 'POST'
        ? [(await browser.ask(path, form)).status, (await system.send(method, path, { token, body: form })).status]
        : [(await system.send(method, path, { token, body: form })).status];
    if (statuses.some((status) => status >= 500)) return `${route}: ${statuses}`;
  }
  return undefined;
}
