import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@lintel/testkit';
import { browserOfTests } from '../browser-of-tests.ts';
import { type IdentitySystem, passwordOf, startIdentitySystem } from './start-identity-system.ts';
import { openVisitor } from './visitor.ts';
import { APPLICATION_HOST } from './web-application.ts';

const TEST_PATIENCE_MS = 180_000;
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const browser = browserOfTests([`--host-resolver-rules=MAP ${APPLICATION_HOST} 127.0.0.1`]);
let system: IdentitySystem;
beforeAll(async () => {
  system = await startIdentitySystem();
  for (const username of ['ada', 'bert', 'carl', 'dora'])
    await system.createUser(username, { email: `${username}@acme.example` });
}, 300_000);
afterAll(() => system?.stop());

test(
  'a user logs in to an application and allows it; later logins are silent unless the application asks for one',
  async () => {
    const { application } = system;
    const { context, page, problems, claims, logIn, press, sees } = await openVisitor(browser());
    await page.goto(`${application.url}/login`);
    await sees('login');
    await logIn('ada');
    await page.locator('button[value=consent]').waitFor();
    await sees('consent');
    await press('consent');
    const first = await claims();
    expect(first).toMatchObject({ sub: 'ada', acr: 'urn:lintel:acr:1fa', amr: ['pwd'] });

    await page.goto(`${application.url}/login?prompt=none`);
    expect(await claims()).toMatchObject({ sub: 'ada', auth_time: first['auth_time'] });

    for (const asking of ['prompt=login', 'max_age=0']) {
      await page.goto(`${application.url}/login?${asking}`);
      await logIn('ada');
      await page.locator('#claims').waitFor();
      expect(await claims()).toMatchObject({ sub: 'ada' });
    }

    await page.goto(`${application.url}/login?prompt=consent`);
    await press('deny');
    expect(await page.locator('#error').textContent()).toBe('access_denied');
    expect(problems).toEqual([]);
    await context.close();
  },
  TEST_PATIENCE_MS,
);

test(
  'a user who has not logged in is asked by the page only, and can cancel',
  async () => {
    const { context, page, press } = await openVisitor(browser());
    await page.goto(`${system.application.url}/login?prompt=none`);
    expect(await page.locator('#error').textContent()).toBe('login_required');
    await page.goto(`${system.application.url}/login`);
    await press('deny');
    expect(await page.locator('#error').textContent()).toBe('access_denied');
    await context.close();
  },
  TEST_PATIENCE_MS,
);

test.each([
  ['en', 'User name or password is wrong.', 'Too many attempts. Try again later.'],
  ['de', 'Benutzername oder Passwort ist falsch.', 'Zu viele Versuche. Bitte versuchen Sie es später.'],
  ['zh-CN', '用户名或密码错误。', '尝试次数过多，请稍后再试。'],
])(
  'in the language %s the page says that the password is wrong, and then that there were too many attempts',
  async (language, wrong, tooMany) => {
    const username = `wrong-${language.toLowerCase()}`;
    await system.createUser(username);
    const { context, page, logIn, sees } = await openVisitor(browser(), language);
    await page.goto(`${system.application.url}/login`);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await logIn(username, 'another password');
      await page.getByText(wrong).waitFor();
    }
    await sees('wrong-password');
    await logIn(username);
    await page.getByText(tooMany).waitFor();
    await context.close();
  },
  TEST_PATIENCE_MS,
);

test(
  'a logout that the application starts ends the login, and the server of the application receives a logout token',
  async () => {
    const { application } = system;
    const { context, page, problems, claims, logIn, press, sees } = await openVisitor(browser());
    await page.goto(`${application.url}/login`);
    await logIn('bert');
    await press('consent');
    const { sid } = await claims();
    await page.goto(`${application.url}/logout`);
    await sees('logout');
    await page.locator('button[name=logout]').click();
    await page.locator('#guest').waitFor();
    expect(page.url()).toContain('/bye');
    await eventually(async () =>
      expect(application.logouts).toContainEqual(expect.objectContaining({ sub: 'bert', sid })),
    );
    await page.goto(`${application.url}/login?prompt=none`);
    expect(await page.locator('#error').textContent()).toBe('login_required');

    await page.goto(`${system.issuer}/oauth2/logout`);
    await sees('logged-out');
    expect(problems).toEqual([]);
    await context.close();
  },
  TEST_PATIENCE_MS,
);

test(
  'lintel login waits until the user has confirmed its code in the browser',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lintel-device-'));
    const { context, page, problems, logIn, sees } = await openVisitor(browser());
    const parameters = ['--conditions=lintel-source', join(ROOT, 'tools/lintel/src/main.ts')];
    const program = spawn(process.execPath, [...parameters, 'login', '--server', system.issuer], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], HOME: folder, XDG_CONFIG_HOME: folder },
    });
    let output = '';
    for (const stream of [program.stdout, program.stderr])
      stream.on('data', (data: Buffer) => {
        output += data.toString();
      });
    const ended = once(program, 'exit');
    try {
      const match = (pattern: RegExp) =>
        eventually(
          async () => {
            const found = pattern.exec(output)?.[1];
            if (found === undefined) throw new Error(`lintel login has said: ${output}`);
            return found;
          },
          { timeoutMs: 60_000 },
        );
      const address = await match(/^Open (\S+)/m);
      const code = await match(/code: (\S+)/);
      await page.goto(address);
      await sees('device-code');
      await page.locator('button').first().click();
      await page.getByText(code).waitFor();
      await sees('device-confirm');
      await page.locator('button[name=confirm]').click();
      await logIn('carl');
      await page.locator('[role=status]').waitFor();
      await sees('device-done');
      expect(await ended).toEqual([0, null]);
      expect(output).toContain(`Logged in at ${system.issuer}`);
    } finally {
      program.kill();
      rmSync(folder, { recursive: true, force: true });
    }
    expect(problems).toEqual([]);
    await context.close();
  },
  TEST_PATIENCE_MS,
);

test(
  'the explorer logs its user in as a public client',
  async () => {
    const { context, page, problems } = await openVisitor(browser());
    await page.goto(`${system.issuer}/rest/docs`);
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    const login = await opened;
    await login.locator('#username').fill('dora');
    await login.locator('#password').fill(passwordOf('dora'));
    const closed = login.waitForEvent('close');
    await login.locator('button[value=login]').click();
    await closed;
    await page.getByText('You are logged in.').waitFor();
    expect(problems).toEqual([]);
    await context.close();
  },
  TEST_PATIENCE_MS,
);
