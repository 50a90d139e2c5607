import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { run } from '../run.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-client-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the OpenAPI document is written without a server, detailed or generic, as JSON or YAML', async () => {
  const file = join(folder, 'openapi.json');
  const named = ['openapi', '--application', '@lintel/example-sales'];
  expect(await run([...named, '--output', file], fakeTerminal())).toBe(0);
  const detailed = JSON.parse(readFileSync(file, 'utf8')) as { openapi: string; paths: object };
  expect(detailed.openapi).toBe('3.1.0');
  expect(Object.keys(detailed.paths)).toContain('/rest/queries/sales_Order/ordersByStatus');
  const terminal = fakeTerminal();
  expect(await run([...named, '--generic', '--format', 'yaml'], terminal)).toBe(0);
  expect(terminal.output()).toMatch(/^openapi: 3\.1/m);
  expect(terminal.output()).not.toContain('sales_Order/ordersByStatus');
});

test('a server that cannot be asked for its document is one sentence', async () => {
  const terminal = fakeTerminal();
  expect(await run(['openapi', '--from', 'http://127.0.0.1:1'], terminal)).toBe(2);
  expect(terminal.notes()).toMatch(
    /^http:\/\/127\.0\.0\.1:1\/rest\/docs\/openapiDetailed\.json\?openapi=3\.1 cannot be reached .*--from\.$/,
  );
});
