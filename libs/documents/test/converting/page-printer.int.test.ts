import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@lintel/telemetry';
import { picturesOfPdf, testEnvironment, textOfPdf } from '@lintel/testkit';
import { createPagePrinter, type PrinterOptions } from '../../src/rendering/converting/chromium/page-printer.ts';
import { PIXEL } from '../docx/docx-fixture.ts';

const asked: string[] = [];
const OPTIONS: PrinterOptions = {
  chromiumPath: testEnvironment('LINTEL_TEST_CHROMIUM_PROGRAM'),
  conversions: 2,
  chromiumTimeoutMs: 60_000,
  // A container of tests need not allow what Chromium builds its sandbox of.
  chromiumSandbox: false,
  readRemote: (url) => {
    asked.push(url);
    return url.includes('good') ? Promise.resolve(Buffer.from(PIXEL, 'base64')) : Promise.reject(new Error('refused'));
  },
  logger: createLogger({ service: 'test', level: 'silent' }),
};
const signal = new AbortController().signal;
const printer = createPagePrinter(OPTIONS);
afterAll(() => printer.close());
const print = async (html: string): Promise<string> => textOfPdf(await printer.printHtml(html, signal));

// Asserts contract/report-templates.md#formats.
test('prints a page with the size, margins, headers and page numbers that its style names', async () => {
  const style =
    '@page { size: 10cm 10cm; margin: 2cm; @top-left { content: "Head" } @bottom-right { content: "page " counter(page) " of " counter(pages) } }' +
    ' p { break-after: page }';
  const pdf = await printer.printHtml(`<!doctype html><style>${style}</style><p>One</p><p>Zwei ö €</p>`, signal);
  const pages = (await textOfPdf(pdf)).split('\f').filter((page) => page.trim() !== '');
  expect(pages).toHaveLength(2);
  expect(pages[1]).toMatch(/Head[\s\S]*Zwei ö €[\s\S]*page 2 of 2/);
  const [picture] = await picturesOfPdf(pdf);
  // 10 cm at 72 dots per inch.
  expect([picture?.readUInt32BE(16), picture?.readUInt32BE(20)]).toEqual([283, 283]);
});

test('prints several pages at the same time', async () => {
  const texts = await Promise.all(['a', 'b', 'c', 'd'].map((word) => print(`<p>only ${word}</p>`)));
  expect(texts.map((text) => text.trim())).toEqual(['only a', 'only b', 'only c', 'only d']);
});

// Asserts contract/report-templates.md#html.
test('runs no scripts', async () => {
  const html =
    '<p id="p">still</p><script>document.getElementById("p").textContent = "changed"</script>' +
    '<img src="data:x" onerror="document.getElementById(\'p\').textContent = \'changed\'"><body onload="document.body.textContent = 1">';
  expect(await print(html)).toContain('still');
});

describe('what a page asks of other servers', () => {
  let server: Server;
  let address: string;
  const requests: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.end('secret');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  // Asserts contract/report-templates.md#conversion, contract/report-templates.md#formats.
  test('is pictures alone, read by the service and not by the browser', async () => {
    asked.length = 0;
    const text = await print(
      `<p>seen</p><img src="https://pictures.example/good.png"><img src="${address}/bad.png">` +
        `<iframe src="${address}/frame"></iframe><object data="${address}/object"></object><embed src="${address}/embed">` +
        `<link rel="stylesheet" href="${address}/style.css"><link rel="preload" as="script" href="${address}/preload.js">` +
        `<link rel="dns-prefetch" href="//prefetch.example"><style>@import "${address}/import.css"; @font-face { font-family: f; src: url(${address}/font) } p { font-family: f }</style>` +
        `<meta http-equiv="refresh" content="0;url=${address}/refresh"><script src="${address}/script.js"></script>`,
    );
    expect(text).toContain('seen');
    expect(asked.toSorted()).toEqual([`${address}/bad.png`, 'https://pictures.example/good.png']);
    expect(requests).toEqual([]);
  });

  // Asserts contract/report-templates.md#conversion.
  test('is no file of this machine', async () => {
    const text = await print(
      '<p>seen</p><iframe src="file:///etc/passwd" width="600" height="600"></iframe><object data="file:///etc/passwd" type="text/plain"></object><img src="file:///etc/hostname">',
    );
    expect(text.trim()).toBe('seen');
  });
});

test('a page that takes too long is given up', async () => {
  const slow = createPagePrinter({
    ...OPTIONS,
    chromiumTimeoutMs: 3_000,
    readRemote: () => new Promise(() => undefined),
  });
  await expect(slow.printHtml('<img src="https://pictures.example/x.png">', signal)).rejects.toThrow(
    'The page was not printed within 3 seconds',
  );
  await slow.close();
});

test('the client that leaves is not waited for', async () => {
  const stop = new AbortController();
  const slow = createPagePrinter({
    ...OPTIONS,
    readRemote: () => {
      stop.abort(new Error('the client left'));
      return new Promise(() => undefined);
    },
  });
  await expect(slow.printHtml('<img src="https://pictures.example/x.png">', stop.signal)).rejects.toThrow(
    'the client left',
  );
  await slow.close();
});

test('without Chromium the error names the property and the page', async () => {
  const none = createPagePrinter({ ...OPTIONS, chromiumPath: '/nowhere/chromium' });
  await expect(none.printHtml('<p>', signal)).rejects.toMatchObject({
    code: 'REPORT_RUN_FAILED',
    details:
      "Couldn't find Chromium, which makes PDF documents of HTML. Install it, or set svc.reports.chromium-path: see docs/guide/reports.md#programs-for-pdf",
  });
});
