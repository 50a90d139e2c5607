import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { consoleOfTests, contentOf, JOURNEY_PATIENCE_MS, logIn, openConsole } from './console-of-tests.ts';
import { MODES } from './console-system.ts';
import { inspectPage } from './inspect-page.ts';

const APPLICATION = fileURLToPath(new URL('jobs-application.ts', import.meta.url));

/** Jobs of an application in the console. */
describe.each(MODES)('in %s', (mode) => {
  const opened = consoleOfTests(mode, { settings: { SVC_APPLICATION: APPLICATION } });
  let page: Page;
  let url: string;
  beforeAll(() => {
    ({ page } = opened());
    ({ url } = opened().system);
  });

  test(
    'an operator runs jobs, sees their results and which run of the log has failed, cancels a run and repeats one',
    async () => {
      await page.goto(`${url}/console/running/jobs`);
      const jobs = contentOf(page).getByRole('table', { name: 'Jobs' });
      const runs = contentOf(page).getByRole('table', { name: 'Runs' });
      const run = async (name: string, state: string) => {
        await jobs.getByRole('row', { name }).getByRole('button', { name: 'Run now' }).click();
        await jobs.getByRole('row', { name }).getByText(state, { exact: true }).waitFor();
      };
      await jobs.getByRole('row', { name: /^count-orders 0 2 1 1 \* Europe\/Berlin Jan 1, / }).waitFor();
      await contentOf(page).getByText('There are no such runs.').waitFor();
      await run('count-orders', 'completed');
      await run('fail', 'failed');
      await run('wait', 'runs');
      await runs.getByRole('row', { name: /^count-orders completed 3 of 3 orders counted/ }).waitFor();
      await runs.getByRole('row', { name: /^fail failed An error of the application.* \([\da-f-]{36}\)/ }).waitFor();
      await inspectPage(page, 'jobs');

      await runs.getByRole('row', { name: /^wait/ }).getByRole('button', { name: 'Cancel' }).click();
      await jobs.getByRole('row', { name: 'wait' }).getByText('cancelled', { exact: true }).waitFor();

      await contentOf(page).getByRole('combobox', { name: 'State' }).click();
      await page.getByRole('option', { name: 'failed' }).click();
      await runs.getByRole('row', { name: /^fail failed/ }).waitFor();
      await runs.getByRole('row', { name: /^wait/ }).waitFor({ state: 'detached' });
      await runs.getByRole('button', { name: 'Retry' }).click();
      await runs.getByRole('row', { name: /^fail failed .* 2 Retry$/ }).waitFor();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'the first page counts the runs that failed, and leads to them',
    async () => {
      await page.goto(`${url}/console/data`);
      const tasks = contentOf(page).getByRole('region', { name: 'Needs attention' });
      await tasks.getByText('1', { exact: true }).waitFor();
      await inspectPage(page, 'tasks');
      await tasks.getByRole('link', { name: 'Failed runs of jobs' }).click();
      await page.waitForURL('**/running/jobs');
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'an operator pauses an event handler, and repeats its events since a time',
    async () => {
      await page.goto(`${url}/console/running/handlers`);
      const row = contentOf(page).getByRole('row', { name: /^watch-orders sales_Order / });
      await row.getByRole('button', { name: 'Pause' }).click();
      await row.getByText('paused', { exact: true }).waitFor();
      await inspectPage(page, 'event-handlers');
      await row.getByRole('button', { name: 'Continue' }).click();
      await row.getByText('active', { exact: true }).waitFor();
      await contentOf(page).getByLabel('Repeat events since').fill('2026-01-01T00:00');
      await row.getByRole('button', { name: 'Repeat' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Repeat' }).click();
      await page.getByText('The events are handled again.').waitFor();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'an operator reads the mails that one process does not send',
    async () => {
      await page.goto(`${url}/console/running/mailbox`);
      if (mode !== 'one process') return contentOf(page).getByText('There are no mails.').waitFor();
      await contentOf(page)
        .getByRole('button', { name: /^Orders ada@example.com/ })
        .click();
      await contentOf(page).getByText('3 orders', { exact: true }).waitFor();
      await page.frameLocator('iframe[title=Orders]').getByRole('heading', { name: '3 orders' }).waitFor();
      await inspectPage(page, 'mailbox');
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a user without the permission has no page of jobs',
    async () => {
      const { page: other, context } = await openConsole(opened().browser, url);
      await logIn(other, 'clerk');
      expect(await other.getByRole('link', { name: 'Operation' }).count()).toBe(0);
      await context.close();
    },
    JOURNEY_PATIENCE_MS,
  );
});
