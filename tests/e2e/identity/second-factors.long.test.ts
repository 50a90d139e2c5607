import { ACR_TWO_FACTORS } from '@lintel/contracts';
import { TOTP } from 'otpauth';
import { addAuthenticator } from '../add-authenticator.ts';
import { browserOfTests } from '../browser-of-tests.ts';
import { below, type IdentitySystem, startIdentitySystem } from './start-identity-system.ts';
import { openVisitor, type Visitor } from './visitor.ts';
import { APPLICATION_HOST } from './web-application.ts';

const TEST_PATIENCE_MS = 180_000;
const STEP_MS = 30_000;

const browser = browserOfTests([`--host-resolver-rules=MAP ${APPLICATION_HOST} 127.0.0.1`]);
let system: IdentitySystem;
beforeAll(async () => {
  system = await startIdentitySystem(() =>
    below('svc.security.step-up.customers', { 'url-patterns': '/rest/entities/sales_Customer', 'max-age': '10m' }),
  );
}, 300_000);
afterAll(() => system?.stop());

/** A code of the app; each one is accepted once, so a second one is that of the next step. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * STEP_MS });

/** Sets up an app, as the page asks for; returns its key and the recovery codes. */
async function setUpApp({ page, press, sees }: Visitor) {
  await page.locator('svg.qr').waitFor();
  await sees('set-up');
  const secret = ((await page.locator('.key code').textContent()) ?? '').replaceAll(' ', '');
  await page.locator('#code').fill('000000');
  await press('enrol');
  await page.locator('#error').waitFor();
  await sees('set-up-wrong');
  await page.locator('#code').fill(codeOf(secret));
  await press('enrol');
  await page.locator('.codes').waitFor();
  await sees('recovery-codes');
  const recoveryCodes = await page.locator('.codes code').allTextContents();
  expect(recoveryCodes).toHaveLength(10);
  await press('continue');
  return { secret, recoveryCodes };
}

test(
  'a call that needs a second factor leads to its setup and then succeeds; later logins ask for a code',
  async () => {
    const { application } = system;
    await system.createUser('ada');
    const visitor = await openVisitor(browser());
    const { context, page, problems, claims, logIn, press, sees } = visitor;
    await page.goto(`${application.url}/login`);
    await logIn('ada');
    await press('consent');
    expect(await claims()).toMatchObject({ sub: 'ada', acr: 'urn:lintel:acr:1fa' });
    await page.goto(`${application.url}/customers`);
    const { secret, recoveryCodes } = await setUpApp(visitor);
    // The user has no role: the call is allowed by the rule, and refused by the roles.
    expect(await page.locator('#status').textContent()).toBe('403');
    await page.goto(application.url);
    expect(await claims()).toMatchObject({ sub: 'ada', acr: ACR_TWO_FACTORS, amr: ['pwd', 'otp', 'mfa'] });

    await context.clearCookies();
    await page.goto(`${application.url}/login`);
    await logIn('ada');
    await page.locator('#code').waitFor();
    await sees('code');
    await page.locator('#code').fill('000000');
    await press('code');
    await page.locator('#error').waitFor();
    await sees('code-wrong');
    await page.locator('#code').fill(codeOf(secret, 1));
    await press('code');
    expect(await claims()).toMatchObject({ sub: 'ada', acr: ACR_TWO_FACTORS, amr: ['pwd', 'otp', 'mfa'] });

    await context.clearCookies();
    for (const accepted of [true, false]) {
      await page.goto(`${application.url}/login?prompt=login`);
      await logIn('ada');
      await page.locator('#code').fill(recoveryCodes[0] ?? '');
      await press('code');
      await page.locator(accepted ? '#claims' : '#error').waitFor();
    }
    expect(problems).toEqual([]);
    await context.close();
  },
  TEST_PATIENCE_MS,
);

test(
  'a passkey is a second factor, and logs in without a password',
  async () => {
    const { application } = system;
    await system.createUser('bert');
    const { context, page, problems, claims, logIn, press, sees } = await openVisitor(browser());
    await addAuthenticator(page);
    const passkey = (kind: string) => page.locator(`form[data-passkey=${kind}] button`);
    await page.goto(`${application.url}/login?acr_values=${ACR_TWO_FACTORS}`);
    await logIn('bert');
    await passkey('create').click();
    await page.locator('.codes').waitFor();
    await press('continue');
    await press('consent');
    expect(await claims()).toMatchObject({ sub: 'bert', acr: ACR_TWO_FACTORS, amr: ['pwd', 'pop', 'mfa'] });

    await context.clearCookies();
    await page.goto(`${application.url}/login`);
    await logIn('bert');
    await page.locator('#code').waitFor();
    await sees('passkey-or-code');
    await passkey('get').click();
    expect(await claims()).toMatchObject({ sub: 'bert', acr: ACR_TWO_FACTORS, amr: ['pwd', 'pop', 'mfa'] });

    await context.clearCookies();
    await page.goto(`${application.url}/login`);
    await passkey('get').click();
    expect(await claims()).toMatchObject({ sub: 'bert', acr: ACR_TWO_FACTORS, amr: ['pop', 'user', 'mfa'] });
    expect(problems).toEqual([]);
    await context.close();
  },
  TEST_PATIENCE_MS,
);

test(
  'a user adds an app and a passkey on the page of the own factors, and removes them',
  async () => {
    await system.createUser('carl');
    const { context, page, problems, logIn, press, sees } = await openVisitor(browser());
    await addAuthenticator(page);
    await page.goto(`${system.issuer}/as-login/security`);
    await sees('security-log-in');
    await page.goto(`${system.application.url}/login?max_age=600`);
    await logIn('carl');
    await press('consent');
    await page.locator('#claims').waitFor();
    await page.goto(`${system.issuer}/as-login/security`);
    await sees('security-empty');
    await page.locator('form[data-passkey=create] button').click();
    await page.locator('.codes').waitFor();
    await sees('security-codes');
    // The login of the browser has one factor only, and the user has two now.
    await page.goto(`${system.application.url}/login?max_age=600&acr_values=${ACR_TWO_FACTORS}`);
    await page.locator('form[data-passkey=get] button').click();
    await page.locator('#claims').waitFor();
    await page.goto(`${system.issuer}/as-login/security`);
    const key = await page.locator('form:has(#app-name) p code').textContent();
    await page.locator('#code').fill(codeOf((key ?? '').replaceAll(' ', '')));
    await press('add-app');
    const remove = page.locator('button[value=remove]');
    await remove.nth(1).waitFor();
    await sees('security');
    for (const left of [1, 0]) {
      await remove.first().click();
      await remove.nth(left).waitFor({ state: 'detached' });
    }
    expect(problems).toEqual([]);
    await context.close();
  },
  TEST_PATIENCE_MS,
);
