import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@lintel/telemetry';
import { testEnvironment, textOfPdf } from '@lintel/testkit';
import { createOfficeConverter } from '../../src/rendering/converting/office/office-converter.ts';
import { workbook } from '../drawn-workbook.ts';

// Asserts contract/report-templates.md#formats.
test('a workbook becomes PDF and HTML with its formulas computed, and asks no other server', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('secret');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const office = createOfficeConverter({
    officePath: testEnvironment('LINTEL_TEST_OFFICE_PROGRAM'),
    conversions: 1,
    officeTimeoutMs: 60_000,
    officeRetries: 1,
    officeMemoryBytes: 4 * 1024 ** 3,
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
  const document = workbook({
    sheets: [
      { name: 'S', cells: { A1: 20, A2: 22, A3: '=SUM(A1:A2)', A4: `=WEBSERVICE("${address}/formula")`, A5: 'seen' } },
    ],
  });
  const { signal } = new AbortController();
  const text = await textOfPdf(await office.convertOffice(document, 'xlsx', 'pdf', signal));
  expect(text).toMatch(/20\s+22\s+42/);
  expect(text).not.toContain('secret');
  const html = new TextDecoder().decode(await office.convertOffice(document, 'xlsx', 'html', signal));
  expect(html).toMatch(/<table[\s\S]*seen/);
  expect(asked).toEqual([]);
  await office.close();
  server.close();
});
