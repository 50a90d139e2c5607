import { readFile } from 'node:fs/promises';
import { eventually } from '@lintel/testkit';
import type { Page } from 'playwright-core';
import { PATIENCE_MS } from '../browser-of-tests.ts';
import { consoleOfTests, contentOf, JOURNEY_PATIENCE_MS } from './console-of-tests.ts';
import { type ConsoleSystem, MODES } from './console-system.ts';
import { inspectPage } from './inspect-page.ts';

/** A CSV template with one column. */
const templateOf = (title: string): string => `"${title}"\n"\${number}"\n`;

describe.each(MODES)('in %s', (mode) => {
  const opened = consoleOfTests(mode);
  let system: ConsoleSystem;
  let page: Page;
  const content = () => contentOf(page);
  const open = (path: string) => page.goto(`${system.url}/console/${path}`);
  const openReport = async (name: RegExp) => {
    await open('reports');
    await content().getByRole('link', { name }).click();
  };

  beforeAll(() => {
    ({ system, page } = opened());
  });

  test(
    'a report runs to a page, and in the background, where it is found again',
    async () => {
      await openReport(/^Price list/);
      await content().getByRole('button', { name: 'Run', exact: true }).click();
      await page.frameLocator('iframe').getByText('SKU-0009').waitFor();
      await inspectPage(page, 'report-preview');

      await openReport(/Sales by customer/);
      await content().getByLabel(/^From/).fill('2026-01-01');
      await content().getByLabel(/^To/).first().fill('2026-12-31');
      await content().getByRole('button', { name: 'Run in the background' }).click();
      await content().getByRole('link', { name: 'Runs in the background' }).click();
      // The page is left and opened again.
      await open('reports');
      await content().getByRole('link', { name: 'Runs in the background' }).click();
      await content().getByText('Ready').first().waitFor();
      await content().getByRole('button', { name: 'Show' }).first().click();
      await content().getByRole('link', { name: 'Download' }).waitFor();
      await inspectPage(page, 'report-runs');
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a report runs to PDF for an instance that is chosen',
    async () => {
      await openReport(/Invoice/);
      await content().getByRole('button', { name: 'Run', exact: true }).click();
      const order = content().getByRole('combobox', { name: /^Order/ });
      await content().getByText('Required report parameter "order" not found').first().waitFor();
      // One of hundreds, found by the server.
      await order.fill('00271');
      await page.getByRole('option', { name: 'A-00271' }).click();
      await content().getByLabel('Template').first().click();
      await page.getByRole('option', { name: 'html-pdf (PDF)' }).click();
      await content().getByRole('button', { name: 'Run', exact: true }).click();
      await content()
        .getByRole('heading', { name: /\.pdf$/ })
        .waitFor();
      expect(await content().locator('iframe').getAttribute('src')).toMatch(/^blob:/);
      const download = page.waitForEvent('download');
      await content().getByRole('link', { name: 'Download' }).click();
      const document = await readFile(await (await download).path());
      expect(document.subarray(0, 5).toString()).toBe('%PDF-');
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a new template is uploaded, and its document shown',
    async () => {
      const { fileRef } = await system.rest<{ readonly fileRef: string }>(
        'POST',
        '/files?name=orders.csv',
        templateOf('No'),
        { 'content-type': 'text/csv' },
      );
      const dataSets = [
        { kind: 'query', name: 'orders', query: 'select o.number as number from sales_Order o order by o.number' },
      ];
      const { id } = await system.rest<{ readonly id: string }>('POST', '/entities/report_Report', {
        name: 'Numbers of orders',
        restAccess: true,
        definition: JSON.stringify({ bands: [{ name: 'Orders', dataSets }] }),
        templates: [
          { code: 'DEFAULT', reportOutputType: 'CSV', isDefault: true, name: 'orders.csv', content: fileRef },
        ],
      });
      await eventually(() => system.rest('GET', `/reports/report/${id}`), { timeoutMs: PATIENCE_MS });
      await open(`reports/${id}`);
      await content().getByText('orders.csv').waitFor();
      await page.setInputFiles('input[aria-label="File for the template DEFAULT"]', {
        name: 'new.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(templateOf('Order number')),
      });
      await content().getByRole('columnheader', { name: 'Order number' }).waitFor();
      await content().getByRole('cell', { name: 'A-00001' }).waitFor();
      await inspectPage(page, 'report-template');
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a report is created with a definition that is checked and a template, exported, deleted and imported',
    async () => {
      await open('reports');
      await content().getByRole('button', { name: 'New report' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Open orders');
      await dialog.getByLabel('Code').fill('open-orders');
      await dialog.getByRole('button', { name: 'Save' }).click();
      const editor = content().getByRole('textbox', { name: 'Definition' });
      await editor.fill(
        '{"bands": [{"name": "Orders", "dataSets": [{"kind": "query", "name": "o", "query": "select"}]}]}',
      );
      await content().getByText('1 mistake:').waitFor();
      await inspectPage(page, 'report-definition');
      const query = 'select o.number as number from sales_Order o order by o.number';
      const dataSets = [{ kind: 'query', name: 'orders', query }];
      await editor.fill(JSON.stringify({ bands: [{ name: 'Orders', dataSets }] }));
      await content().getByText('The definition has no mistake.').waitFor();
      await content().getByRole('button', { name: 'Save' }).click();
      await page.getByText('The report is saved.').waitFor();

      const restore = async (version: number) => {
        await content()
          .getByRole('button', { name: `Show version ${version}` })
          .click();
        await content().getByText('1 change since:').waitFor();
        if (version === 1) await inspectPage(page, 'report-versions');
        await content().getByRole('button', { name: 'Restore' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
        await page.getByText(`Version ${version} is restored.`).waitFor();
      };
      await restore(1);
      await restore(2);
      await content().getByRole('cell', { name: 'Version 2 restored' }).waitFor();

      const versions = content().getByRole('button', { name: /^Show version/ });
      const before = await versions.count();
      await content().getByRole('link', { name: 'To the report' }).click();
      await content().getByRole('heading', { name: 'Templates' }).waitFor();
      await content().getByLabel('Output').selectOption('CSV');
      const file = { name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(templateOf('Number')) };
      await page.setInputFiles('input[aria-label="File of the new template"]', file);
      await content().getByRole('cell', { name: 'orders.csv' }).waitFor();
      await eventually(
        async () => {
          await content().getByRole('button', { name: 'Show the data' }).click();
          expect(await content().getByRole('table', { name: 'Orders' }).count()).toBe(1);
        },
        { timeoutMs: PATIENCE_MS, intervalMs: 500 },
      );
      await content().getByRole('region', { name: 'Orders' }).getByRole('cell', { name: 'A-00001' }).waitFor();
      // The document of the added template.
      await content().getByRole('table', { name: 'orders.csv' }).getByRole('cell', { name: 'A-00001' }).waitFor();
      await inspectPage(page, 'report-data');

      await content().getByRole('link', { name: 'Definition' }).click();
      const preview = content().getByRole('region', { name: /^Preview of version/ });
      const openPreview = async (at: number) => {
        await versions.nth(at).click();
        await content().getByRole('button', { name: 'Preview' }).click();
        await preview.getByRole('button', { name: 'Run', exact: true }).click();
      };
      // The list that was shown before is followed by one with the version of the template.
      await versions.nth(before).waitFor();
      await openPreview(0);
      await preview.getByRole('cell', { name: 'A-00001' }).waitFor();
      await inspectPage(page, 'report-version-preview');
      await openPreview(1);
      await preview.getByText('it has no template').waitFor();
      const download = page.waitForEvent('download');
      await content().getByRole('button', { name: 'Export' }).click();
      const exported = await download;
      expect(exported.suggestedFilename()).toBe('open-orders.zip');
      await content().getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await content().getByRole('heading', { level: 1, name: 'Reports' }).waitFor();
      await page.setInputFiles('input[aria-label="File with a report"]', await exported.path());
      await content().getByRole('heading', { level: 1, name: 'Open orders' }).waitFor();
      await content().getByRole('link', { name: 'To the report' }).click();
      await content().getByRole('cell', { name: 'orders.csv' }).waitFor();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a report is changed with a comment, compared with an earlier version, and restored',
    async () => {
      const definitionOf = (order: string): string =>
        JSON.stringify({
          bands: [
            {
              name: 'Orders',
              dataSets: [
                { kind: 'query', name: 'o', query: `select o.number as number from sales_Order o order by ${order}` },
              ],
            },
          ],
        });
      const { id } = await system.rest<{ readonly id: string }>('POST', '/entities/report_Report', {
        name: 'Orders by number',
        restAccess: true,
        definition: definitionOf('o.number'),
      });
      await eventually(() => system.rest('GET', `/reports/report/${id}`), { timeoutMs: PATIENCE_MS });
      await open(`reports/${id}/definition`);
      await content().getByLabel('Name').fill('Orders by date');
      await content().getByRole('textbox', { name: 'Definition' }).fill(definitionOf('o.date desc'));
      await content().getByLabel('Comment').first().fill('The newest orders first');
      await content().getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('The report is saved.').waitFor();
      const versions = content().getByRole('table', { name: 'Versions' });
      await versions.getByRole('cell', { name: 'The newest orders first' }).waitFor();

      await versions.getByRole('button', { name: 'Show version 1' }).click();
      const version = content().getByRole('region', { name: 'Version 1' });
      await version.getByText('name: Orders by number → Orders by date').waitFor();
      await version.getByText(/^\+.*order by o\.date desc/).waitFor();
      await version.getByText(/^-.*order by o\.number/).waitFor();
      await version.getByLabel('Comment').fill('As it was first');
      await version.getByRole('button', { name: 'Save the comment' }).click();
      await versions.getByRole('cell', { name: 'As it was first' }).waitFor();
      await page.locator('.mantine-Notification-root').waitFor({ state: 'detached' });
      await inspectPage(page, 'report-compared', content().getByRole('heading', { name: 'Versions' }));

      await version.getByRole('button', { name: 'Restore' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
      await page.getByText('Version 1 is restored.').waitFor();
      await content().getByRole('heading', { level: 1, name: 'Orders by number' }).waitFor();
      await versions.getByRole('cell', { name: 'Version 1 restored' }).waitFor();
      await content()
        .getByText(/order by o\.number/)
        .first()
        .waitFor();
      await inspectPage(page, 'report-restored');
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a report in code is copied, and the copy shows the same document',
    async () => {
      await openReport(/^Price list/);
      await content().getByRole('button', { name: 'Copy this report' }).click();
      await content().getByRole('heading', { level: 1, name: 'Copy of Price list' }).waitFor();
      await content().getByRole('link', { name: 'To the report' }).click();
      await content().getByRole('cell', { name: 'price-list.html' }).waitFor();
      await content().getByRole('button', { name: 'Run', exact: true }).click();
      await page.frameLocator('iframe').getByText('SKU-0009').waitFor();
      await inspectPage(page, 'report-copy');
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'the wizard makes a report with groups and sums, shows it, and saves it',
    async () => {
      await open('reports');
      await content().getByRole('link', { name: 'Report wizard' }).click();
      const choose = async (label: RegExp, ...options: readonly string[]) => {
        const field = content()
          .getByRole('combobox', { name: label })
          .or(content().getByRole('textbox', { name: label }));
        for (const option of options) {
          await field.first().fill(option);
          await page.getByRole('option', { name: option, exact: true }).click();
        }
        await page.keyboard.press('Escape');
      };
      await choose(/^Rows of/, 'Order');
      await choose(/^Columns/, 'Number', 'Customer › Name', 'Date', 'Amount');
      await choose(/^Groups/, 'Status');
      await choose(/^Sums/, 'Amount');
      await choose(/^Asked for/, 'Date');
      const conditions = content().getByRole('combobox', { name: /^Conditions of Date/ });
      await conditions.press('Backspace');
      await conditions.press('Backspace');
      await content().getByRole('button', { name: 'Preview', disabled: true }).waitFor();
      await conditions.click({ force: true });
      for (const name of ['greater than', 'at least']) await page.getByRole('option', { name, exact: true }).click();
      await page.keyboard.press('Escape');
      await content().getByLabel('Name').last().fill('Orders by status');
      await content().getByRole('combobox', { name: 'Document' }).selectOption('Word document');
      await content().getByRole('button', { name: 'Preview' }).click();
      await content().getByRole('heading', { name: 'Orders by status.docx' }).waitFor();
      await content().getByRole('combobox', { name: 'Document' }).selectOption('Excel workbook');
      await content().getByRole('button', { name: 'Preview' }).click();
      await content().getByRole('heading', { name: 'Orders by status.xlsx' }).waitFor();
      await content().getByRole('button', { name: 'Show as PDF' }).click();
      await content().locator('iframe[src^="blob:"]').waitFor();
      await inspectPage(page, 'report-wizard');
      await content().getByRole('button', { name: 'Save' }).click();
      await content().getByRole('heading', { level: 1, name: 'Orders by status' }).waitFor();
      await content().getByRole('cell', { name: 'Orders by status.xlsx' }).waitFor();
      await content()
        .getByLabel(/^date >=/i)
        .fill('2026-01-01');
      await content().getByRole('button', { name: 'Run', exact: true }).click();
      await content().getByRole('link', { name: 'Download' }).waitFor();
    },
    JOURNEY_PATIENCE_MS,
  );

  test(
    'a workbook is shown as PDF',
    async () => {
      await openReport(/^Price list/);
      const template = content().getByLabel('Template').first();
      await template.click();
      await page.getByRole('option', { name: /XLSX/ }).first().click();
      await content().getByRole('button', { name: 'Run', exact: true }).click();
      await content().getByRole('button', { name: 'Show as PDF' }).click();
      await content().locator('iframe[src^="blob:"]').waitFor();
    },
    JOURNEY_PATIENCE_MS,
  );
});
