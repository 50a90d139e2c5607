import { eventually } from '@lintel/testkit';
import { startMailServer } from '@lintel/testkit/mail-server';
import type { Page } from 'playwright-core';
import { PATIENCE_MS } from '../browser-of-tests.ts';
import { consoleOfTests, JOURNEY_PATIENCE_MS, logIn, openConsole } from './console-of-tests.ts';
import { MODES } from './console-system.ts';
import { inspectPage as inspect } from './inspect-page.ts';

const ORDER = '0d000000-0000-4000-8000-000000000001';

let url: string;

const open = async (page: Page, path: string, heading: string): Promise<void> => {
  await page.goto(`${url}/console/people/${path}`);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
};

const choose = async (page: Page, label: string, words: string): Promise<void> => {
  await page.getByRole('combobox', { name: label }).fill(words);
  await page.getByRole('option', { name: words }).first().click();
};

let mail: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  mail = await startMailServer();
});
afterAll(() => mail.close());
const mailSettings = () =>
  Object.fromEntries(
    Object.entries(mail.properties).map(([name, value]) => [name.toUpperCase().replaceAll(/[.-]/g, '_'), value]),
  );

describe.each(MODES)('in %s', (mode) => {
  const opened = consoleOfTests(mode, { settings: mailSettings });
  beforeAll(() => {
    ({ url } = opened().system);
  });

  test(
    'an administrator gives a colleague a role with a rule, sees with his eyes, ends his session, and finds out why he cannot see an order',
    async () => {
      const { page: admin } = opened();
      await open(admin, 'users', 'Users');
      await inspect(admin, 'users');

      // A row-level role with a rule, which is checked while it is written.
      await open(admin, 'roles', 'Roles');
      await inspect(admin, 'roles');
      await admin.getByRole('button', { name: 'New role' }).click();
      await admin.getByRole('combobox', { name: 'Kind' }).selectOption('rowLevel');
      await admin.getByRole('textbox', { name: 'Code' }).fill('not-the-first');
      await admin.getByRole('textbox', { name: 'Name' }).fill('Not the first order');
      await admin.getByRole('button', { name: 'Save' }).click();
      await admin.getByRole('heading', { level: 1, name: 'Not the first order' }).waitFor();
      await admin.getByRole('button', { name: 'Add a rule' }).click();
      await choose(admin, 'Entity', 'Order (sales_Order)');
      // Chosen as in the filter of a list, and compared with the user; or written.
      await admin.getByRole('combobox', { name: 'Attribute' }).selectOption({ label: 'Created by' });
      await admin.getByRole('combobox', { name: 'Operator' }).selectOption({ label: 'is' });
      await admin.getByRole('combobox', { name: 'Compared with' }).selectOption({ label: "the user's User name" });
      await admin.getByText('The rule has no mistake.').waitFor();
      await inspect(admin, 'rule-built');
      await admin.getByRole('switch', { name: 'As text' }).press('Space');
      const condition = admin.getByRole('textbox', { name: 'Condition' });
      await expect(condition.textContent()).resolves.toBe('{E}.createdBy = :current_user_username');
      await condition.fill('{E}.id <>');
      await admin.getByText(/Line 1, column \d+/).waitFor();
      await condition.fill(`{E}.id <> '${ORDER}'`);
      await admin.getByText('The rule has no mistake.').waitFor();
      await admin.getByRole('combobox', { name: 'User name' }).fill('manager');
      await admin.getByRole('button', { name: 'Show' }).click();
      await admin.getByText(/^[\d,.]+ rows$/).waitFor();
      await inspect(admin, 'rule');
      await admin.getByRole('button', { name: 'Save' }).click();
      await admin.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });

      // The colleague is logged in when the role is assigned.
      const { page: manager } = await openConsole(opened().browser, url);
      await logIn(manager, 'manager');
      await open(admin, 'users/manager', 'manager');
      expect(await admin.getByRole('switch', { name: 'Active' }).isChecked()).toBe(true);
      await inspect(admin, 'user');
      await admin.getByRole('tab', { name: 'Roles' }).click();
      await choose(admin, 'Assign a role', 'Not the first order (not-the-first)');
      await admin.getByRole('button', { name: 'Assign', exact: true }).click();
      await admin.getByRole('cell', { name: 'not-the-first', exact: true }).waitFor();
      await admin.getByRole('link', { name: 'Not the first order' }).waitFor();

      // Seen with his eyes, without changes.
      await admin.getByRole('button', { name: 'See as this user' }).click();
      await admin.getByText('You see what manager sees. Nothing can be changed.').waitFor();
      await admin.locator('h1').waitFor();
      // The notice of the assignment is gone.
      await admin.locator('.mantine-Notification-root').waitFor({ state: 'detached' });
      await inspect(admin, 'see-as');
      // In a list nothing is selected: nothing could be done with it.
      await admin.getByRole('link', { name: 'Data', exact: true }).click();
      await admin.getByRole('link', { name: 'Order', exact: true }).first().click();
      await admin.getByRole('table', { name: 'Order' }).getByRole('link').first().waitFor();
      expect(await admin.getByRole('checkbox').count()).toBe(0);
      await admin.getByRole('region', { name: 'Seen as another user' }).getByRole('button', { name: 'End' }).click();
      await admin.getByText('You see what manager sees. Nothing can be changed.').waitFor({ state: 'detached' });

      await open(admin, 'explain', 'Why can a user not see it?');
      await admin.getByRole('combobox', { name: 'User name' }).fill('manager');
      const id = admin.getByRole('textbox', { name: 'Id of the record' });
      await id.fill(`${url}/console/data/sales_Order/${ORDER}`);
      expect(await id.inputValue()).toBe(ORDER);
      await admin.getByRole('button', { name: 'Explain' }).click();
      await admin.getByText('The row-level role Not the first order hides it').waitFor();
      await inspect(admin, 'explain');

      await open(admin, 'users/manager', 'manager');
      await admin.getByRole('tab', { name: 'Sessions' }).click();
      await admin.getByRole('button', { name: 'End: lintel-console' }).first().click();
      await admin.getByRole('dialog').getByRole('button', { name: 'End' }).click();
      await admin.getByText('The session has ended').waitFor();

      await admin.getByRole('tab', { name: 'Roles' }).click();
      await admin.getByRole('button', { name: 'Remove: not-the-first' }).click();
      await admin.getByText('manager will no longer have the role not-the-first.').waitFor();
      await admin.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await admin.getByRole('cell', { name: 'not-the-first', exact: true }).waitFor({ state: 'detached' });
      await manager.goto(`${url}/console/`);
      await manager.locator('input[type=password], [role=dialog], [role=alert]').first().waitFor();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a client is created, and its secret shown once',
    async () => {
      const { page: admin } = opened();
      await open(admin, 'clients', 'Clients');
      await admin.getByRole('button', { name: 'New client' }).click();
      const dialog = admin.getByRole('dialog');
      await dialog.getByLabel('Id').fill('console-test');
      await inspect(admin, 'client-new');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await admin.getByRole('dialog', { name: 'Secret of the client' }).waitFor();
      await inspect(admin, 'client-secret');
      await admin.keyboard.press('Escape');
      await admin.getByRole('link', { name: 'console-test' }).click();
      await admin.getByRole('heading', { level: 1, name: 'console-test' }).waitFor();
      await inspect(admin, 'client');
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a resource role is created, its matrix is changed and saved with a child role, and it is deleted',
    async () => {
      const { page: admin } = opened();
      await open(admin, 'roles', 'Roles');
      await admin.getByRole('button', { name: 'New role' }).click();
      await admin.getByRole('textbox', { name: 'Code' }).fill('readers-of-tags');
      await admin.getByRole('textbox', { name: 'Name' }).fill('Readers of tags');
      await admin.getByRole('button', { name: 'Save' }).click();
      await admin.getByRole('heading', { level: 1, name: 'Readers of tags' }).waitFor();
      await admin.getByRole('textbox', { name: 'Find an entity' }).fill('sales_ProductTag');
      const read = admin.getByRole('checkbox', { name: /: Read$/ }).last();
      await read.check();
      await admin.getByRole('checkbox', { name: 'Share views' }).check();
      await choose(admin, 'Child roles', 'rest-minimal');
      await admin.keyboard.press('Escape');
      await inspect(admin, 'rights-matrix');
      await admin.getByRole('button', { name: 'Save' }).click();
      await admin.getByText('Saved', { exact: true }).waitFor();
      await admin.reload();
      await admin
        .getByRole('checkbox', { name: /: Read$/, checked: true })
        .last()
        .waitFor();
      await admin.locator('.mantine-Pill-root').getByText('rest-minimal').waitFor();

      // A new user gets it at once; the role names its holders, and the user the origin of each right.
      await open(admin, 'users', 'Users');
      await admin.getByRole('button', { name: 'New user' }).click();
      const dialog = admin.getByRole('dialog');
      await dialog.getByLabel('User name').fill('tagger');
      await dialog.getByRole('combobox', { name: 'Roles' }).fill('Readers of tags');
      await admin.getByRole('option', { name: 'Readers of tags' }).click();
      await admin.keyboard.press('Tab');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await admin.getByRole('heading', { level: 1, name: 'tagger' }).waitFor();
      await admin.getByRole('tab', { name: 'Rights' }).click();
      const granted = admin.getByRole('row').filter({ hasText: 'Product tag' });
      await granted.getByText('Readers of tags').waitFor();
      await admin.getByRole('row').filter({ hasText: 'Share views' }).getByText('Readers of tags').waitFor();
      await inspect(admin, 'user-rights');
      await open(admin, 'users', 'Users');
      await admin.getByRole('row').filter({ hasText: 'tagger' }).getByText('Readers of tags').waitFor();
      await open(admin, 'roles/readers-of-tags', 'Readers of tags');
      await admin.getByRole('link', { name: 'tagger' }).waitFor();
      await open(admin, 'roles/system-full-access', 'Full access');
      await admin.getByText('The application defines this role').waitFor();
      await inspect(admin, 'role-of-code');
      // A role that somebody has cannot be deleted.
      await open(admin, 'users/tagger', 'tagger');
      await admin.getByRole('tab', { name: 'Roles' }).click();
      await admin.getByRole('button', { name: 'Remove: readers-of-tags' }).click();
      await admin.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await admin.getByRole('cell', { name: 'readers-of-tags', exact: true }).waitFor({ state: 'detached' });
      await open(admin, 'roles/readers-of-tags', 'Readers of tags');
      await admin.getByRole('button', { name: 'Delete' }).click();
      await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await admin.getByRole('heading', { level: 1, name: 'Roles' }).waitFor();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a new user is invited by mail, and chooses a password with its link',
    async () => {
      const { page: admin, browser } = opened();
      await open(admin, 'users', 'Users');
      await admin.getByRole('button', { name: 'New user' }).click();
      const dialog = admin.getByRole('dialog');
      await dialog.getByLabel('User name').fill('invited');
      await dialog.getByRole('checkbox', { name: 'Invite by mail' }).check();
      await dialog.getByLabel('E-mail').fill(`invited-${mode.slice(0, 3)}@example.com`);
      await inspect(admin, 'user-invited');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await admin.getByRole('heading', { level: 1, name: 'invited' }).waitFor();
      await admin.getByText('The invitation is sent').waitFor();
      const link = await eventually(
        () => {
          const [text] = mail.received.filter(({ to }) => to.includes(`invited-${mode.slice(0, 3)}@example.com`));
          const [found] = /http\S+token=\S+/.exec(text?.text ?? '') ?? [];
          expect(found).toBeDefined();
          return String(found);
        },
        { timeoutMs: PATIENCE_MS },
      );
      const context = await browser.newContext({ locale: 'en' });
      const page = await context.newPage();
      await page.goto(link);
      await page.locator('input[name=new-password]').fill('seven green bottles');
      await page.locator('input[name=repeated-password]').fill('seven green bottles');
      await page.keyboard.press('Enter');
      await page.getByText(/has changed/).waitFor();
      await context.close();
    },
    JOURNEY_PATIENCE_MS,
  );
});
