import { type ExistingDatabase, serveExisting } from '@lintel/tests-existing-databases/existing-database';
import type { Locator, Page } from 'playwright-core';
import { browserOfTests } from '../browser-of-tests.ts';
import { JOURNEY_PATIENCE_MS, logIn, openConsole } from './console-of-tests.ts';

/** Keys whose stored texts differ from their ids: one is padded with blanks, the other has capitals. */
const TABLES = `CREATE EXTENSION citext;
  CREATE TABLE customer (code char(10) PRIMARY KEY, name text NOT NULL);
  CREATE TABLE tag (label citext PRIMARY KEY, note text);
  CREATE TABLE invoice (number integer PRIMARY KEY, customer char(10) REFERENCES customer, tag citext REFERENCES tag, note text);
  INSERT INTO customer VALUES ('C1', 'Ada'), ('C2', 'Bea');
  INSERT INTO tag VALUES ('Urgent', 'now');
  INSERT INTO invoice VALUES (7, 'C1', 'URGENT', 'first')`;

describe('the console of a database of others', () => {
  const browser = browserOfTests();
  let existing: ExistingDatabase;
  let page: Page;
  let url: string;
  beforeAll(async () => {
    existing = await serveExisting('keys', TABLES, { write: true });
    // The addresses of the login are those that the server prints.
    url = existing.url.replace('127.0.0.1', 'localhost');
    ({ page } = await openConsole(browser(), url));
    await logIn(page, 'admin');
  }, JOURNEY_PATIENCE_MS);
  afterAll(async () => {
    await page?.context().close();
    await existing?.close();
  });

  const field = (name: string): Locator => page.getByLabel(new RegExp(`^${name}( \\*)?$`)).first();

  /** Opens the row of a list, changes a field of its form, and saves. */
  async function change(entity: string, row: string, name: string, value: string): Promise<number> {
    await page.goto(`${url}/console/data/${entity}`);
    await page.getByRole('link', { name: row, exact: true }).first().click();
    await field(name).fill(value);
    const written = page.waitForResponse((response) => ['PATCH', 'PUT'].includes(response.request().method()));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const { status } = await written.then((response) => ({ status: response.status() }));
    await page.getByText('Saved', { exact: true }).first().waitFor();
    return status;
  }

  test(
    'rows whose keys are padded or have capitals are opened from lists and edited, and so is a row that refers to them',
    async () => {
      expect(await change('keys_Customer', 'C1', 'Name', 'Ida')).toBe(200);
      expect(await change('keys_Tag', 'urgent', 'Note', 'later')).toBe(200);
      expect(await change('keys_Invoice', '7', 'Note', 'second')).toBe(200);
      const { query } = existing.database;
      expect(await query('SELECT rtrim(code) AS code, name FROM customer ORDER BY code')).toEqual([
        { code: 'C1', name: 'Ida' },
        { code: 'C2', name: 'Bea' },
      ]);
      expect(await query('SELECT label, note FROM tag')).toEqual([{ label: 'Urgent', note: 'later' }]);
      expect(await query('SELECT note FROM invoice')).toEqual([{ note: 'second' }]);
    },
    JOURNEY_PATIENCE_MS,
  );
});
