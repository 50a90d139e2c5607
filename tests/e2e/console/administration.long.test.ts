import { eventually } from '@lintel/testkit';
import type { Page } from 'playwright-core';
import { PATIENCE_MS } from '../browser-of-tests.ts';
import { ORGANISATION_CLIENT, type Organisation, startOrganisation } from '../identity/organisation.ts';
import { consoleOfTests, contentOf, JOURNEY_PATIENCE_MS, logIn, openConsole } from './console-of-tests.ts';
import { type ConsoleSystem, MODES } from './console-system.ts';
import { inspectPage } from './inspect-page.ts';

/** Users and their logins, identity providers, files that nothing refers to, and texts that are no captions. */
const POSITIVE = 'jakarta.validation.constraints.Positive.message';
/** The smallest age of files that nothing refers to is a minute; a busy machine takes longer. */
const AGE_PATIENCE_MS = 300_000;

let organisation: Organisation;
beforeAll(async () => {
  organisation = await startOrganisation();
  organisation.register('http://localhost/callback');
});
afterAll(() => organisation?.close());

const clientAt = (name: string, issuer: string, title: string): Readonly<Record<string, string>> => ({
  [`SVC_AUTH_PROVIDER_${name}_ISSUER`]: issuer,
  [`SVC_AUTH_PROVIDER_${name}_CLIENT_ID`]: ORGANISATION_CLIENT.id,
  [`SVC_AUTH_PROVIDER_${name}_CLIENT_SECRET`]: ORGANISATION_CLIENT.secret,
  [`SVC_AUTH_PROVIDER_${name}_TITLE`]: title,
});

describe.each(MODES)('in %s', (mode) => {
  const opened = consoleOfTests(mode, {
    settings: () => ({
      SVC_FILES_UNREFERENCED_AGE: '1m',
      ...clientAt('ACME', organisation.issuer, 'Acme Corporation'),
      // The provider has another name in its metadata.
      ...clientAt('BRANCH', organisation.issuer.replace('127.0.0.1', 'localhost'), 'Branch office'),
    }),
  });
  let system: ConsoleSystem;
  let page: Page;
  let files: { readonly forgotten: string; readonly late: string; readonly used: string };
  const content = () => contentOf(page);
  const open = (path: string) => page.goto(`${system.url}/console/${path}`);
  const upload = async (name: string): Promise<string> =>
    (
      await system.rest<{ readonly fileRef: string }>('POST', `/files?name=${name}`, `content of ${name}`, {
        'content-type': 'text/plain',
      })
    ).fileRef;
  const createCustomer = (name: string, avatar: string) =>
    system.rest('POST', '/entities/sales_Customer', { name, avatar });
  /** Loads the page again until it is as `check` expects it. */
  const untilPage = (check: () => Promise<unknown>, timeoutMs = PATIENCE_MS) =>
    eventually(
      async () => {
        await page.reload();
        await content().getByRole('heading', { level: 1 }).waitFor();
        await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
        await page.waitForLoadState('networkidle');
        await check();
      },
      { timeoutMs, intervalMs: 500 },
    );

  beforeAll(async () => {
    ({ system, page } = opened());
    // They have their age when the last journey begins.
    files = {
      forgotten: await upload('forgotten.txt'),
      late: await upload('late.txt'),
      used: await upload('used.txt'),
    };
    await createCustomer('Has a file', files.used);
  });

  test(
    'a login that is refused and one that succeeds are in the history of all users and in that of the user',
    async () => {
      const clerk = await openConsole(opened().browser, system.url);
      await clerk.page.fill('input[name=username]', 'clerk');
      await clerk.page.fill('input[type=password]', 'wrong');
      await clerk.page.keyboard.press('Enter');
      await clerk.page.locator('#error').waitFor();
      await logIn(clerk.page, 'clerk');
      await clerk.context.close();

      await open('people/logins');
      const events = content().getByRole('table', { name: 'Login history' });
      const rowOf = (words: string) => events.getByRole('row').filter({ hasText: 'clerk' }).filter({ hasText: words });
      await untilPage(async () =>
        expect([await rowOf('Login refused').count(), await rowOf('Logged in').count()]).toEqual([1, 1]),
      );
      await rowOf('Login refused').getByText('wrong name or password').waitFor();
      await inspectPage(page, 'logins');

      await content().getByLabel('User').fill('clerk');
      await content().getByRole('combobox', { name: 'Kind' }).click();
      await page.getByRole('option', { name: 'Login refused' }).click();
      await rowOf('Logged in').waitFor({ state: 'detached' });
      // The filter is in the address.
      await page.reload();
      await rowOf('Login refused').waitFor();
      expect(await events.getByRole('row').count()).toBe(2);

      await events.getByRole('link', { name: 'clerk' }).click();
      await content().getByRole('heading', { level: 1, name: 'clerk' }).waitFor();
      await content().getByRole('tab', { name: 'Logins' }).click();
      const logins = content().getByRole('table', { name: 'Logins' });
      await logins.getByText('Wrong password').waitFor();
      await logins.getByText('Succeeded').waitFor();
      await inspectPage(page, 'user-logins');
      await content().getByRole('tab', { name: 'Security events' }).click();
      await events.getByText('Login refused').waitFor();
      await events.getByText('Logged in').waitFor();
      await inspectPage(page, 'user-events');
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'the form of a user shows whether the user is active, and changes it',
    async () => {
      await open('people/users/viewer');
      const active = content().getByRole('switch', { name: 'Active' });
      const save = content().getByRole('button', { name: 'Save', exact: true });
      await active.waitFor();
      expect(await active.isChecked()).toBe(true);
      await active.uncheck();
      await save.click();
      await content().getByText('Disabled', { exact: true }).waitFor();
      await page.reload();
      await content().getByText('Disabled', { exact: true }).waitFor();
      expect(await active.isChecked()).toBe(false);
      await active.check();
      await save.click();
      await content().getByText('Disabled', { exact: true }).waitFor({ state: 'detached' });
      expect(await active.isChecked()).toBe(true);
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'the test of a provider says that it works, or in words why a login fails',
    async () => {
      await open('people/providers');
      const acme = content().getByRole('region', { name: 'acme' });
      const branch = content().getByRole('region', { name: 'branch' });
      await acme.getByText(`${system.url}/as-login/provider/acme/callback`).waitFor();
      await acme.getByRole('button', { name: 'Test the connection' }).click();
      await acme.getByText(/^The provider responds as it should/).waitFor();
      await branch.getByRole('button', { name: 'Test the connection' }).click();
      await branch.getByText('A login with this provider fails').waitFor();
      await branch.getByText(/The metadata are not those of the issuer http:\/\/localhost:/).waitFor();
      await branch.getByText('Settings').click();
      await branch.getByRole('cell', { name: 'client-id', exact: true }).waitFor();
      expect(await content().textContent()).not.toContain(ORGANISATION_CLIENT.secret);
      await inspectPage(page, 'providers-settings');
      await branch.getByText('Settings').click();
      await inspectPage(page, 'providers');
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a message of a rule is translated, used at its field, and reset; a mail keeps its lines',
    async () => {
      await open('texts');
      const choose = async (label: string, option: string) => {
        await content().getByRole('combobox', { name: label }).click();
        await page.getByRole('option', { name: option, exact: true }).click();
      };
      await choose('Texts', 'Other texts: rules, mails, services');
      await choose('Language', 'de');
      const find = content().getByRole('textbox', { name: 'Find a text' });
      await find.fill('lintel.mail.passwordReset.text');
      await content().getByRole('button', { name: 'Edit lintel.mail.passwordReset.text' }).click();
      const mail = content().getByLabel('Text of lintel.mail.passwordReset.text');
      expect(await mail.inputValue()).toMatch(/\n\n\{link\}\n\n/);
      await content().getByRole('button', { name: 'Cancel' }).click();

      await find.fill(POSITIVE);
      await content()
        .getByRole('button', { name: `Edit ${POSITIVE}` })
        .click();
      await content().getByLabel(`Text of ${POSITIVE}`).fill('bitte mehr als 0');
      await content().getByRole('button', { name: 'Save', exact: true }).click();
      await content().getByRole('cell', { name: 'database' }).waitFor();
      await page.locator('.mantine-Notification-root').waitFor({ state: 'detached' });
      await find.fill('constraints');
      await content()
        .getByRole('button', { name: /^Edit .*Size/ })
        .waitFor();
      await inspectPage(page, 'other-texts');

      await page.evaluate(`localStorage.setItem('lintel-console.language', 'de')`);
      await open('calls/services/sales_OrderService/quote');
      await content().getByRole('combobox', { name: 'product' }).click();
      await page.getByRole('option').first().click();
      await content().getByLabel('quantity').fill('-1');
      await eventually(
        async () => {
          await content().getByRole('button', { name: 'Aufrufen' }).click();
          await content()
            .getByText(/größer als 0|mehr als 0/)
            .waitFor();
          expect(await content().getByText('bitte mehr als 0').count()).toBe(1);
        },
        { timeoutMs: PATIENCE_MS, intervalMs: 500 },
      );
      await page.evaluate(`localStorage.setItem('lintel-console.language', 'en')`);

      await open('texts');
      await choose('Texts', 'Other texts: rules, mails, services');
      await choose('Language', 'de');
      await find.fill(POSITIVE);
      await content()
        .getByRole('button', { name: `Reset ${POSITIVE}` })
        .click();
      await content().getByRole('cell', { name: 'muss größer als 0 sein' }).waitFor();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'files that nothing refers to are listed and removed; a file that something refers to by then stays',
    async () => {
      await open('files');
      await content().getByRole('link', { name: 'Unreferenced files' }).click();
      await content().getByRole('heading', { level: 1, name: 'Unreferenced files' }).waitFor();
      const linkOf = (name: string) => content().getByRole('link', { name });
      await untilPage(
        async () => expect([await linkOf('forgotten.txt').count(), await linkOf('late.txt').count()]).toEqual([1, 1]),
        AGE_PATIENCE_MS,
      );
      expect(await linkOf('used.txt').count()).toBe(0);
      await content().getByLabel('Select forgotten.txt').check();
      await content().getByLabel('Select late.txt').check();
      await content().getByRole('button', { name: 'Delete 2 files' }).waitFor();
      await inspectPage(page, 'unreferenced-files');

      await createCustomer('Refers to it late', files.late);
      await content().getByRole('button', { name: 'Delete 2 files' }).click();
      await page
        .getByRole('dialog')
        .getByText(/^2 files \(.* are deleted/)
        .waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete 2 files' }).click();
      await content()
        .getByText('1 file is deleted. 1 file stays: something refers to it now, or it is gone.')
        .waitFor();
      await linkOf('forgotten.txt').waitFor({ state: 'detached' });
      await linkOf('late.txt').waitFor({ state: 'detached' });
      await inspectPage(page, 'unreferenced-files-removed');
      const statusOf = async (fileRef: string): Promise<number> => {
        const address = `${system.url}/rest/files?${new URLSearchParams({ fileRef })}`;
        const response = await fetch(address, { headers: { authorization: `Bearer ${await system.token()}` } });
        await response.body?.cancel();
        return response.status;
      };
      expect(await Promise.all([files.late, files.used, files.forgotten].map(statusOf))).toEqual([200, 200, 404]);
    },
    JOURNEY_PATIENCE_MS,
  );
});
