import { fileURLToPath } from 'node:url';
import { eventually } from '@lintel/testkit';
import type { Page } from 'playwright-core';
import { consoleOfTests, contentOf, JOURNEY_PATIENCE_MS } from './console-of-tests.ts';
import { type ConsoleSystem, MODES } from './console-system.ts';
import { inspectPage } from './inspect-page.ts';

const APPLICATION = fileURLToPath(new URL('jobs-application.ts', import.meta.url));

/** Notifications, and calls in the background, in the console. */
describe.each(MODES)('in %s', (mode) => {
  const opened = consoleOfTests(mode, { settings: { SVC_APPLICATION: APPLICATION } });
  let page: Page;
  let system: ConsoleSystem;
  beforeAll(() => {
    ({ page, system } = opened());
  });
  const bell = (count: number) => page.getByRole('button', { name: `Notifications, ${count} unread` });

  test(
    'a user calls a method in the background, cancels a call, sees a result, and is notified of a failure',
    async () => {
      await page.goto(`${system.url}/console/calls/services/sales_Stock/count`);
      const begin = async (shelf: string) => {
        await contentOf(page).getByLabel('shelf').fill(shelf);
        await contentOf(page).getByRole('button', { name: 'In the background' }).click();
        await contentOf(page).getByText('The call continues in the background.').waitFor();
      };
      await begin('upper');
      await page.reload();
      await begin('broken');
      await page.reload();
      await begin('endless');
      await contentOf(page).getByRole('link', { name: 'Calls in the background' }).click();
      const runs = contentOf(page).getByRole('table', { name: 'Calls in the background' });
      const running = runs.getByRole('row', { name: /^sales_Stock.count .* Runs 1 \/ 3 shelves counted/ });
      await running.waitFor();
      await inspectPage(page, 'call-runs');
      await running.getByRole('button', { name: 'Cancel' }).click();
      await runs.getByRole('row', { name: /Cancelled/ }).waitFor();
      await runs.getByRole('row', { name: /Failed/ }).waitFor();
      await runs.getByRole('row', { name: /Ready/ }).getByRole('button', { name: 'Show' }).click();
      await contentOf(page).getByText('"items": 12').waitFor();
      await page.reload();
      await bell(1).click();
      const list = page.getByRole('dialog', { name: 'Notifications' });
      await list.getByRole('button', { name: /^sales_Stock.count has failed/ }).click();
      await bell(0).waitFor();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a user is notified of an order, opens it, and marks all as read',
    async () => {
      const [order] = await system.rest<readonly { readonly id: string }[]>('GET', '/entities/sales_Order?limit=1');
      const notify = () => system.rest('POST', '/services/sales_Stock/notify', { order: order?.id });
      await notify();
      await notify();
      await page.goto(`${system.url}/console/calls`);
      await bell(2).click();
      const list = page.getByRole('dialog', { name: 'Notifications' });
      expect(await list.getByText('For another user').count()).toBe(0);
      await inspectPage(page, 'notifications', list);
      await list
        .getByRole('button', { name: /^An order waits/ })
        .first()
        .click();
      await page.waitForURL(`**/console/data/sales_Order/${order?.id}`);
      await bell(1).click();
      await list.getByRole('button', { name: 'Mark all as read' }).click();
      await bell(0).waitFor();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a report that has run in the background notifies its user',
    async () => {
      const run = { parameters: [] };
      await system.rest('POST', '/reports/run/code/price-list', run, { prefer: 'respond-async' });
      const unread = async () =>
        (await system.rest<{ readonly unread: number }>('GET', '/user-session/notifications')).unread;
      await eventually(async () => expect(await unread()).toBe(1));
      await page.goto(`${system.url}/console/reports`);
      await bell(1).click();
      await page.getByRole('dialog', { name: 'Notifications' }).getByRole('button').nth(1).click();
      await page.waitForURL('**/console/reports/runs');
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a user has a report sent on a schedule in words, sends it at once, and deletes it',
    async () => {
      await page.goto(`${system.url}/console/reports/price-list`);
      await page.goto(`${system.url}/console/reports/deliveries/new?report=price-list`);
      const content = contentOf(page);
      await content.getByRole('button', { name: 'Save' }).click();
      await content.getByText('A value is required').first().waitFor();
      await inspectPage(page, 'report-delivery');
      await content.getByLabel('Receivers').fill('boss');
      const choose = async (label: string, option: string) => {
        await content.getByRole('combobox', { name: label }).click();
        await page.getByRole('option', { name: option }).click();
      };
      await choose('When', 'Every week');
      await choose('Day', 'Friday');
      await content.getByLabel('Time', { exact: true }).fill('06:30');
      await content.getByRole('button', { name: 'Save' }).click();
      await content.getByText('Must be addresses of mail with commas between them, at most 20').waitFor();
      await content.getByLabel('Receivers').fill('boss@example.com, office@example.com');
      await content.getByRole('button', { name: 'Save' }).click();
      const row = content.getByRole('row', { name: /^Price list.* Every Friday at 06:30 \(UTC\)/ });
      await row.waitFor();
      await inspectPage(page, 'report-deliveries');
      await row.getByRole('button', { name: 'Send now' }).click();
      await page.getByText('The report is sent within a minute.').waitFor();
      const logged = async () => (await system.rest<readonly object[]>('GET', '/entities/sys_Mail')).length;
      await eventually(async () => expect(await logged()).toBe(2), { timeoutMs: 180_000 });
      await row.getByRole('link', { name: 'Price list' }).click();
      await content.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await content.getByText('No report is sent on a schedule.').waitFor();
    },
    JOURNEY_PATIENCE_MS,
  );
});
