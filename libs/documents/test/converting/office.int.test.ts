import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@lintel/telemetry';
import { eventually, testEnvironment, textOfPdf } from '@lintel/testkit';
import { createOfficeConverter, type OfficeOptions } from '../../src/rendering/converting/office/office-converter.ts';
import { docxOf } from '../docx/docx-fixture.ts';

const OPTIONS: OfficeOptions = {
  officePath: testEnvironment('LINTEL_TEST_OFFICE_PROGRAM'),
  conversions: 2,
  officeTimeoutMs: 60_000,
  officeRetries: 1,
  officeMemoryBytes: 4 * 1024 ** 3,
  logger: createLogger({ service: 'test', level: 'silent' }),
};
const paragraph = (content: string): string => `<w:p><w:r><w:t>${content}</w:t></w:r></w:p>`;
const signal = new AbortController().signal;

/** Temporary files of this test file alone: other processes convert documents at the same time. */
let temporary: string;
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'office-test-'));
  process.env['TMPDIR'] = temporary;
});
afterAll(() => rm(temporary, { recursive: true, force: true }));
const folders = async (): Promise<readonly string[]> =>
  (await readdir(temporary)).filter((name) => name.startsWith('lintel-office-'));

// Asserts contract/report-templates.md#conversion.
test('makes PDF and HTML of a document, several at the same time, and leaves no files', async () => {
  const before = await folders();
  const office = createOfficeConverter(OPTIONS);
  const document = (word: string) => docxOf({ body: paragraph(word) });
  const [one, two, three] = await Promise.all([
    office.convertOffice(document('first'), 'docx', 'pdf', signal),
    office.convertOffice(document('second'), 'docx', 'pdf', signal),
    office.convertOffice(document('third'), 'docx', 'html', signal),
  ]);
  expect([await textOfPdf(one), await textOfPdf(two)]).toEqual([
    expect.stringContaining('first'),
    expect.stringContaining('second'),
  ]);
  expect(new TextDecoder().decode(three)).toMatch(/<html[\s\S]*third/i);
  await office.close();
  expect(await folders()).toEqual(before);
});

test('a document that is none is refused, and the next one converted', async () => {
  const office = createOfficeConverter({ ...OPTIONS, officeRetries: 2 });
  const broken = new TextEncoder().encode('PK\u0003\u0004 no document');
  await expect(office.convertOffice(broken, 'docx', 'pdf', signal)).rejects.toThrow(
    'The document cannot be converted by LibreOffice',
  );
  const good = await office.convertOffice(docxOf({ body: paragraph('good') }), 'docx', 'pdf', signal);
  expect(await textOfPdf(good)).toContain('good');
  await office.close();
});

// Asserts contract/reports.md#check-order.
test('without LibreOffice the error names the property and the page', async () => {
  const office = createOfficeConverter({ ...OPTIONS, officePath: '/nowhere' });
  await expect(office.convertOffice(new Uint8Array(), 'docx', 'pdf', signal)).rejects.toMatchObject({
    code: 'REPORT_RUN_FAILED',
    details:
      "Couldn't find LibreOffice instance. Install it, or set svc.reports.office-path: see docs/guide/reports.md#programs-for-pdf",
  });
});

describe('a LibreOffice that hangs', () => {
  let folder: string;
  let program: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hanging-'));
    program = join(folder, 'soffice');
    await writeFile(program, `#!/bin/sh\necho $$ >> ${folder}/pids\nsleep 600 & echo $! >> ${folder}/pids\nwait\n`, {
      mode: 0o755,
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const started = async (): Promise<readonly number[]> =>
    existsSync(join(folder, 'pids'))
      ? (await readFile(join(folder, 'pids'), 'utf8')).trim().split('\n').map(Number)
      : [];
  /** Processes that still run; one that is dead but not yet buried does not. */
  const alive = async (): Promise<readonly number[]> =>
    (await started()).filter((pid) => {
      const file = `/proc/${pid}/stat`;
      return existsSync(file) && !/\) [ZX] /.test(readFileSync(file, 'utf8'));
    });

  // Asserts contract/report-templates.md#conversion.
  test('is killed with what it started, and tried again', async () => {
    const office = createOfficeConverter({ ...OPTIONS, officePath: folder, officeTimeoutMs: 1_000, officeRetries: 2 });
    await expect(office.convertOffice(new Uint8Array(), 'docx', 'pdf', signal)).rejects.toThrow(
      'The conversion of the document did not finish within 1 seconds',
    );
    await eventually(async () => expect(await alive()).toEqual([]));
    await office.close();
  });

  // Asserts contract/reports.md#check-order.
  test('keeps others waiting only so long', async () => {
    const office = createOfficeConverter({
      ...OPTIONS,
      officePath: folder,
      conversions: 1,
      officeTimeoutMs: 1_500,
      officeRetries: 10,
    });
    const stop = new AbortController();
    const before = (await started()).length;
    const first = office.convertOffice(new Uint8Array(), 'docx', 'pdf', stop.signal);
    await eventually(async () => expect((await started()).length).toBeGreaterThan(before));
    await expect(office.convertOffice(new Uint8Array(), 'docx', 'pdf', signal)).rejects.toMatchObject({
      code: 'REPORT_RUN_FAILED',
      details: "Couldn't connect to LibreOffice instance. No free ports available.",
    });
    stop.abort(new Error('the client left'));
    await expect(first).rejects.toThrow('the client left');
    await eventually(async () => expect(await alive()).toEqual([]));
    await office.close();
  });
});

describe('what a document asks of other servers', () => {
  let server: Server;
  let asked: string[];
  let address: string;
  beforeAll(async () => {
    asked = [];
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('x');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  // Asserts contract/report-templates.md#conversion.
  test('is not asked for: linked pictures, included files, attached templates', async () => {
    const office = createOfficeConverter(OPTIONS);
    const field = (instruction: string): string =>
      `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${instruction}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
    const body =
      paragraph('seen') +
      field(`INCLUDEPICTURE "${address}/picture.png"`) +
      field(`INCLUDETEXT "${address}/text.docx"`) +
      `<w:p><w:r><w:pict xmlns:v="urn:schemas-microsoft-com:vml"><v:shape style="width:9pt;height:9pt"><v:imagedata src="${address}/vml.png" r:id="l1"/></v:shape></w:pict></w:r></w:p>`;
    const relationships = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate" Target="${address}/t.dotm" TargetMode="External"/></Relationships>`;
    const parts = { 'word/_rels/settings.xml.rels': relationships };
    const pdf = await office.convertOffice(
      docxOf({ body, parts, links: { l1: `${address}/linked.png` } }),
      'docx',
      'pdf',
      signal,
    );
    expect(await textOfPdf(pdf)).toContain('seen');
    expect(asked).toEqual([]);
    await office.close();
  });
});
