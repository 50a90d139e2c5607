// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { run } from '../run.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-report-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const check = async (...parameters: string[]) => {
  const terminal = fakeTerminal();
  const code = await run(['report', 'check', '--application', '@lintel/example-sales', ...parameters], terminal);
  return { code, output: terminal.output().trim(), notes: terminal.notes() };
};

const query = 'select o.number as number, o.date as date from sales_Order o';
const definition = fileOf(
  'report.json',
  JSON.stringify({ bands: [{ name: 'Orders', dataSets: [{ kind: 'query', name: 'o', query }] }] }),
);

test('errors of a template end with 1, warnings with 0, each with its file and location', async () => {
  const page = fileOf('page.html', '{{ Root.bands.Orders[0].fields.number }}');
  const list = fileOf('list.csv', '${numbr},${date}');
  expect(await check(definition, page)).toMatchObject({
    code: 0,
    output: 'warning: no template shows date of the band Orders',
  });
  expect(await check(definition, page, list)).toMatchObject({
    code: 1,
    output: `${list}: error: the column \${numbr} is always empty: no band of the first level has this field`,
  });
  const { output } = await check('--json', definition, list);
  expect(JSON.parse(output).problems).toHaveLength(2);
});

test('a file that cannot be read is named', async () => {
  expect(await check(definition, join(folder, 'none.csv'))).toMatchObject({
    code: 1,
    output: expect.stringContaining('none.csv cannot be read'),
  });
  expect(await check(join(folder, 'none.json'))).toMatchObject({
    code: 2,
    notes: expect.stringContaining('none.json'),
  });
});

test('the reports of the example application have no errors', async () => {
  const { code, output } = await check();
  expect([code, output]).toEqual([0, expect.not.stringContaining(': error:')]);
});
