import { eventually } from '@lintel/testkit';
import { startMailServer } from '@lintel/testkit/mail-server';
import { browserOfTests } from '../browser-of-tests.ts';
import { type IdentitySystem, passwordOf, startIdentitySystem } from './start-identity-system.ts';
import { openVisitor, type Visitor } from './visitor.ts';
import { APPLICATION_HOST } from './web-application.ts';

const TEST_PATIENCE_MS = 180_000;
const NEW_PASSWORD = 'four words of one';

const browser = browserOfTests([`--host-resolver-rules=MAP ${APPLICATION_HOST} 127.0.0.1`]);
let mail: Awaited<ReturnType<typeof startMailServer>>;
let system: IdentitySystem;
beforeAll(async () => {
  mail = await startMailServer();
  system = await startIdentitySystem(() => ({
    ...mail.properties,
    'svc.security.password-change-at-first-login': 'true',
    'svc.auth.sign-up.enabled': 'true',
    'svc.auth.sign-up.domains': 'acme.example',
    'svc.auth.sign-up.resource-roles': 'rest-minimal',
  }));
}, 300_000);
afterAll(async () => {
  await system?.stop();
  await mail?.close();
});

/** The link of the only mail to an address. */
const linkTo = (address: string) =>
  eventually(async () => {
    const sent = mail.received.filter(({ to }) => to.includes(address));
    expect(sent).toHaveLength(1);
    return /http:\S+/.exec(sent[0]?.text ?? '')?.[0] ?? '';
  });

async function choosePassword({ page }: Visitor, password: string, repeated = password): Promise<void> {
  await page.locator('input[name=new-password]').fill(password);
  await page.locator('input[name=repeated-password]').fill(repeated);
  await page.locator('form button').first().click();
}

test(
  'a user whose password is of an administrator chooses another one at the first login',
  async () => {
    await system.createUser('ada');
    const visitor = await openVisitor(browser());
    const { context, page, problems, claims, logIn, press, sees } = visitor;
    await page.goto(`${system.application.url}/login`);
    await logIn('ada');
    await page.locator('input[name=new-password]').waitFor();
    await sees('first-login');
    await page.locator('#password').fill(passwordOf('ada'));
    await choosePassword(visitor, 'password');
    await page.locator('.error').waitFor();
    await sees('first-login-common');
    await page.locator('#password').fill(passwordOf('ada'));
    await choosePassword(visitor, NEW_PASSWORD);
    await press('consent');
    expect(await claims()).toMatchObject({ sub: 'ada' });
    await page.goto(`${system.application.url}/login?prompt=login`);
    await logIn('ada', NEW_PASSWORD);
    await page.locator('#claims').waitFor();

    await page.goto(`${system.issuer}/as-login/password`);
    await sees('password');
    await page.locator('#username').fill('ada');
    await page.locator('#password').fill(NEW_PASSWORD);
    await choosePassword(visitor, 'five words of the other');
    await page.locator('[role=status]').waitFor();
    await sees('password-changed');
    expect(problems).toEqual([]);
    await context.close();
  },
  TEST_PATIENCE_MS,
);

test(
  'a user who has forgotten the password chooses one by a link in a mail, once',
  async () => {
    await system.createUser('bert', { email: 'bert@acme.example' });
    const visitor = await openVisitor(browser());
    const { context, page, problems, claims, logIn, press, sees } = visitor;
    await page.goto(`${system.application.url}/login`);
    await sees('login-with-links');
    await page.locator('.other a').first().click();
    await page.locator('#name').waitFor();
    await sees('forgotten');
    await page.locator('#name').fill('bert@acme.example');
    await page.locator('form button').click();
    await page.locator('[role=status]').waitFor();
    await sees('forgotten-sent');
    const link = await linkTo('bert@acme.example');
    await page.goto(link);
    await choosePassword(visitor, NEW_PASSWORD, 'other words');
    await page.locator('.error').waitFor();
    await sees('reset-mismatch');
    await choosePassword(visitor, NEW_PASSWORD);
    await page.locator('[role=status]').waitFor();
    await page.goto(link);
    await page.locator('a.provider').waitFor();
    await sees('link-expired');
    await page.goto(`${system.application.url}/login`);
    await logIn('bert', NEW_PASSWORD);
    await press('consent');
    expect(await claims()).toMatchObject({ sub: 'bert' });
    expect(problems).toEqual([]);
    await context.close();
  },
  TEST_PATIENCE_MS,
);

test(
  'a person creates a user by a link in a mail, and logs in',
  async () => {
    const visitor = await openVisitor(browser());
    const { context, page, problems, claims, logIn, press, sees } = visitor;
    await page.goto(`${system.application.url}/login`);
    await page.locator('.other a').nth(1).click();
    await page.locator('#email').waitFor();
    await sees('sign-up');
    await page.locator('#email').fill('Grace@acme.example');
    await page.locator('form button').click();
    await page.locator('[role=status]').waitFor();
    await sees('sign-up-sent');
    await page.goto(await linkTo('grace@acme.example'));
    await sees('sign-up-password');
    await choosePassword(visitor, NEW_PASSWORD);
    await page.locator('[role=status]').waitFor();
    await sees('sign-up-done');
    await page.goto(`${system.application.url}/login`);
    await logIn('grace@acme.example', NEW_PASSWORD);
    await press('consent');
    expect(await claims()).toMatchObject({ sub: 'grace@acme.example' });
    expect(problems).toEqual([]);
    await context.close();
  },
  TEST_PATIENCE_MS,
);
