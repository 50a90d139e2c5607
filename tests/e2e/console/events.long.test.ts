import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@lintel/testkit';
import type { Page } from 'playwright-core';
import { PATIENCE_MS } from '../browser-of-tests.ts';
import { consoleOfTests, contentOf, JOURNEY_PATIENCE_MS } from './console-of-tests.ts';
import { type ConsoleSystem, MODES } from './console-system.ts';
import { inspectPage } from './inspect-page.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const AN_HOUR_MS = 3_600_000;

/** A receiver of webhooks, whose status the tests choose; it counts what it accepted. */
class Receiver {
  status = 204;
  accepted = 0;
  private readonly server: Server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (this.status === 204) this.accepted += 1;
      response.writeHead(this.status).end();
    });
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  close = (): Promise<unknown> => new Promise((resolve) => this.server.close(resolve));
}

const receiver = new Receiver();
beforeAll(() => receiver.start());
afterAll(() => receiver.close());

describe.each(MODES)('in %s', (mode) => {
  const opened = consoleOfTests(mode, {
    settings: {
      SVC_WEBHOOKS_ENABLED: 'true',
      SVC_WEBHOOKS_ALLOW_INSECURE_HTTP: 'true',
      SVC_WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8',
      // The first attempt that fails is the last one.
      SVC_WEBHOOKS_GIVE_UP_AFTER: '1ms',
    },
  });
  let system: ConsoleSystem;
  let page: Page;
  const content = () => contentOf(page);
  const open = (path: string) => page.goto(`${system.url}/console/${path}`);
  const createWebhook = (name: string, entityName: string) =>
    system.rest('POST', '/entities/sys_Webhook', { name, url: receiver.url, entityName, secret: SECRET });

  beforeAll(() => {
    ({ system, page } = opened());
    receiver.status = 204;
  });

  test(
    'a webhook gets a test message; a delivery that failed is sent again, and so are the changes since a time',
    async () => {
      await createWebhook('Customers to the shop', 'sales_Customer');
      await open('running/webhooks');
      await content().getByRole('link', { name: 'Customers to the shop' }).click();
      await content().getByRole('button', { name: 'Send a test message' }).click();
      await content().getByText('The receiver accepted the test message').waitFor();

      receiver.status = 503;
      const [customer] = await system.rest<readonly { id: string; name: string }[]>(
        'GET',
        '/entities/sales_Customer?limit=1',
      );
      await system.rest('PUT', `/entities/sales_Customer/${customer?.id}`, { name: `${customer?.name} & Co` });
      const deliveries = content().getByRole('table', { name: 'Deliveries' });
      await eventually(
        async () => {
          await page.reload();
          await content().getByRole('heading', { level: 1 }).waitFor();
          await content().getByRole('heading', { name: 'Deliveries' }).waitFor();
          expect(await deliveries.getByText('failed', { exact: true }).count()).toBe(1);
        },
        { timeoutMs: PATIENCE_MS },
      );
      await inspectPage(page, 'webhook');

      receiver.status = 204;
      const before = receiver.accepted;
      await deliveries.getByRole('button', { name: 'Send again' }).click();
      await deliveries.getByText('delivered', { exact: true }).waitFor();
      expect(receiver.accepted).toBe(before + 1);

      await content()
        .getByLabel('Changes since')
        .fill(new Date(Date.now() - AN_HOUR_MS).toISOString().slice(0, 16));
      await content().getByRole('button', { name: 'Deliver again' }).click();
      await page.getByText('The changes are delivered again.').waitFor();
      await eventually(() => expect(receiver.accepted).toBe(before + 2), { timeoutMs: PATIENCE_MS });
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a webhook is made with choices alone, its mistakes are named at once, and it is paused and changed',
    async () => {
      await open('running/webhooks');
      await content().getByRole('link', { name: 'New webhook' }).click();
      await content().getByRole('button', { name: 'Save' }).click();
      for (const mistake of [/^Enter a name/, /^Enter the address/, /^Choose what the receiver/])
        await content().getByText(mistake).waitFor();
      const choose = async (label: string, words: string) => {
        await content().getByRole('combobox', { name: label }).fill(words);
        await page.getByRole('option', { name: words }).first().click();
      };
      await content().getByLabel('Name').fill('Large orders');
      await content().getByLabel('Address').fill('ftp://shop');
      await choose('Changes of', 'Order');
      await content().getByRole('checkbox', { name: 'deleted' }).uncheck();
      await choose('Only changes that set', 'Status: Confirmed');
      await page.keyboard.press('Escape');
      await content().getByRole('checkbox', { name: 'All of them' }).uncheck();
      await content().getByRole('button', { name: 'Save' }).click();
      await content().getByText('Choose an attribute.').waitFor();
      await content()
        .getByRole('group', { name: 'Condition' })
        .getByLabel('Attribute')
        .selectOption({ label: 'Status' });
      await content().getByRole('combobox', { name: 'Value' }).selectOption({ index: 1 });
      await content().getByRole('combobox', { name: 'With the rights of' }).fill('no-such-user');
      await content().getByLabel('Address').fill('https://10.0.0.7/');
      await content().getByRole('button', { name: 'Save' }).click();
      // Both of the server, and no message beside them.
      await content().getByText('Must lead to a public address').waitFor();
      await content().getByText('Must be the name of a user').waitFor();
      await inspectPage(page, 'webhook-new');
      await content().getByLabel('Address').fill(receiver.url);
      await choose('With the rights of', 'admin');
      await content().getByRole('button', { name: 'Save' }).click();
      const secret = page.getByRole('dialog', { name: 'Secret of the webhook' });
      await secret.getByText(/^whsec_[\w+/=]{44}$/).waitFor();
      await secret.getByRole('button', { name: 'Close' }).click();
      await content()
        .getByText(/^Order created, changed, to http.* as admin sees it$/)
        .waitFor();
      const [stored] = await system.rest<readonly { filter: string; changes: string; became: unknown }[]>(
        'GET',
        '/entities/sys_Webhook?fetchPlan=_local&sort=-createdDate&limit=1',
      );
      expect(stored?.became).toEqual({ status: 'CONFIRMED' });
      expect(stored).toMatchObject({ changes: 'created,updated', filter: expect.stringContaining('"status"') });

      await content().getByRole('button', { name: 'Pause' }).click();
      await content().getByText('paused', { exact: true }).waitFor();
      await content().getByRole('button', { name: 'Continue' }).click();
      await content().getByText('active', { exact: true }).waitFor();
      await content().getByRole('link', { name: 'Change' }).click();
      await content().getByLabel('Name').fill('Open orders');
      await content().getByRole('button', { name: 'Save' }).click();
      await content().getByRole('heading', { level: 1, name: 'Open orders' }).waitFor();
      await content().getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await content().getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a dead letter is looked at, and retried when its cause has ended; another one is discarded',
    async () => {
      const [retried, discarded] = ['retried', 'discarded'].map((name) => `${name}-${mode.replaceAll(' ', '-')}`);
      const keys = () =>
        system.query(`SELECT username FROM auth.api_key WHERE username IN ('${retried}', '${discarded}')`);
      for (const username of [retried, discarded])
        await system.query(`INSERT INTO auth.api_key (id, user_id, username, name, hint, hash, resource_roles, expires_at)
          VALUES (gen_random_uuid(), gen_random_uuid(), '${username}', 'a', 'a', '${username}', '{}', now() + '1 day')`);
      // The handler of changed users cannot end the keys of those who are not active.
      await system.query('ALTER TABLE auth.api_key RENAME TO kept_api_key');
      for (const username of [retried, discarded])
        await system.rest('POST', '/entities/sec_User', { username, password: `secret-of-${username}`, active: false });
      const letters = content().getByRole('table', { name: 'Failed events' });
      const rowOf = (username: string | undefined) => letters.getByRole('row').filter({ hasText: username ?? '' });
      await open('running/dead-letters');
      await eventually(
        async () => {
          await content().getByRole('button', { name: 'Refresh' }).click();
          expect([await rowOf(retried).count(), await rowOf(discarded).count()]).toEqual([1, 1]);
        },
        { timeoutMs: PATIENCE_MS },
      );
      await inspectPage(page, 'dead-letters');
      await rowOf(retried).getByRole('button', { name: 'Show' }).click();
      await page.getByRole('dialog').getByText(`"username": "${retried}"`).first().waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

      await system.query('ALTER TABLE auth.kept_api_key RENAME TO api_key');
      await rowOf(retried).getByRole('button', { name: 'Retry' }).click();
      await rowOf(retried).waitFor({ state: 'detached' });
      await eventually(async () => expect(await keys()).toEqual([{ username: discarded }]), { timeoutMs: PATIENCE_MS });

      await rowOf(discarded).getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
      await rowOf(discarded).waitFor({ state: 'detached' });
      expect(await keys()).toEqual([{ username: discarded }]);
    },
    JOURNEY_PATIENCE_MS,
  );
});
