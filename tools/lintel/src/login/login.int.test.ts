import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApplication, type TestApplication } from '@lintel/test';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { run } from '../run.ts';

let application: TestApplication;
let folder: string;
const before = process.env['XDG_CONFIG_HOME'];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-login-'));
  process.env['XDG_CONFIG_HOME'] = folder;
  application = await startApplication({ application: '@lintel/example-sales' });
});
afterAll(async () => {
  if (before === undefined) delete process.env['XDG_CONFIG_HOME'];
  else process.env['XDG_CONFIG_HOME'] = before;
  await application?.stop();
  rmSync(folder, { recursive: true });
});

const file = () => join(folder, 'lintel', 'credentials.json');
const lintel = async (...parameters: string[]) => {
  const terminal = fakeTerminal();
  const code = await run([...parameters, '--server', application.url], terminal);
  return { code, ...terminal };
};

/** What a user does in the browser: opens the address, confirms the code, logs in. */
async function connect(address: string, decision: 'confirm' | 'abort'): Promise<string> {
  const cookies = new Map<string, string>();
  async function ask(target: URL, form?: Record<string, string>): Promise<string> {
    const response = await fetch(target, {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';', 1)[0] ?? '').split('=');
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    return location === null ? response.text() : ask(new URL(location, target));
  }
  const start = new URL(address);
  const code = start.searchParams.get('user_code') ?? '';
  const xsrf = (page: string) => /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const typed = await ask(start);
  const confirm = await ask(new URL(start.pathname, start), { xsrf: xsrf(typed), user_code: code });
  const page = await ask(new URL(start.pathname, start), { xsrf: xsrf(confirm), user_code: code, [decision]: 'yes' });
  if (decision === 'abort') return page;
  const action = /action="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const proof = /name="proof" value="([^"]+)"/.exec(page)?.[1] ?? '';
  return ask(new URL(action, start), { proof, username: 'clerk', password: 'clerk' });
}

/** Runs `lintel login` with somebody at the browser. */
async function logIn(decision: 'confirm' | 'abort') {
  let connected: Promise<string> | undefined;
  const terminal = fakeTerminal();
  const code = await run(['login', '--server', application.url], {
    ...terminal,
    note(text) {
      terminal.note(text);
      const address = /^Open (\S+)/.exec(text)?.[1];
      if (address !== undefined) connected = connect(address, decision);
    },
  });
  return { code, page: await connected, ...terminal };
}

test('a login in the browser is stored for this user only, and ends with lintel logout', async () => {
  expect(await lintel('whoami')).toMatchObject({ code: 1 });
  const login = await logIn('confirm');
  expect([login.code, login.page]).toEqual([0, expect.stringContaining('lintel-cli is connected.')]);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(login.output() + login.notes()).not.toContain(storedLogin().accessToken);

  const who = await lintel('whoami');
  expect([who.code, who.output()]).toEqual([0, `clerk at ${application.url}`]);

  // An access token that has ended is renewed, and the rotated refresh token is stored.
  const { accessToken, refreshToken } = storedLogin();
  const stored = readFileSync(file(), 'utf8');
  writeFileSync(file(), stored.replace(accessToken, 'ended'));
  expect((await lintel('whoami', '--json')).output()).toContain('"clerk"');
  expect(storedLogin().refreshToken).not.toBe(refreshToken);

  const last = storedLogin().accessToken;
  expect((await lintel('logout')).code).toBe(0);
  expect(readFileSync(file(), 'utf8')).not.toContain('accessToken');
  const response = await fetch(`${application.url}/rest/userInfo`, { headers: { authorization: `Bearer ${last}` } });
  expect(response.status).toBe(401);
  expect((await lintel('logout')).output()).toContain('There was no login');
});

test('a refusal in the browser is one sentence, and stores nothing', async () => {
  const { code, notes } = await logIn('abort');
  expect([code, notes()]).toEqual([2, expect.stringContaining('The login was refused in the browser.')]);
  expect((await lintel('whoami')).code).toBe(1);
});

test.each([
  [['login', '--client', 'nobody'], 'no public client nobody'],
  [['login', '--client', 'explorer'], 'no public client explorer'],
])('%j is refused with the reason', async (parameters, sentence) => {
  const { code, notes } = await lintel(...parameters);
  expect([code, notes()]).toEqual([2, expect.stringContaining(sentence)]);
});

const storedLogin = (): { readonly accessToken: string; readonly refreshToken: string } =>
  Object.values(JSON.parse(readFileSync(file(), 'utf8')).logins)[0] as never;
