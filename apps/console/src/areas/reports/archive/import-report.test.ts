import { strToU8 } from 'fflate';
import { type GivenResponse, recordingClient, type Sent } from '../../../../test/page/recording-client.ts';
import { importReport } from './import-report.ts';
import { type ReportArchive, writeArchive } from './report-archive.ts';

const ARCHIVE: ReportArchive = {
  ...{ name: 'Open orders', code: 'open-orders', description: null, localeNames: null, restAccess: true },
  ...{ definition: '{"bands":[]}', group: 'Sales' },
  templates: ['DEFAULT', 'page'].map((code) => ({
    ...{ code, reportOutputType: 'CSV', isDefault: code === 'DEFAULT', name: `${code}.csv` },
    bytes: strToU8(code),
  })),
};

/** Imports an archive where such reports and groups are stored. */
async function importWith(archive: ReportArchive, stored: { reports?: readonly object[]; groups?: readonly object[] }) {
  const respond = ({ method, path }: Sent): GivenResponse => {
    if (path.startsWith('/rest/files'))
      return { body: { fileRef: `fs://${path.split('name=')[1]}`, name: 'x', size: 1 } };
    if (path.includes('report_ReportGroup')) return { body: stored.groups ?? [] };
    const isSearch = path.includes('/search') || method === 'GET';
    return { body: isSearch ? (stored.reports ?? []) : { _entityName: 'report_Report', id: 'new' } };
  };
  const { client, sent } = recordingClient(respond);
  const id = await importReport(client, new Blob([writeArchive(archive) as Uint8Array<ArrayBuffer>]));
  const written = sent.filter(({ method, path }) => method === 'PUT' || /\/report_Report(\?|$)/.test(path));
  const { body } = written[0] ?? {};
  return { id, sent, written, body: body as { readonly templates: readonly object[] } };
}

test('a report that is not stored is added with its templates, whose files are uploaded before', async () => {
  const { id, sent, written } = await importWith(ARCHIVE, { groups: [{ id: 'g1' }] });
  expect(id).toBe('new');
  expect(written.map(({ method }) => method)).toEqual(['POST']);
  expect(written[0]).toBe(sent.at(-1));
  expect(written[0]?.body).toEqual({
    ...{ name: 'Open orders', code: 'open-orders', description: null, localeNames: null, restAccess: true },
    ...{ definition: '{"bands":[]}', group: { id: 'g1' } },
    templates: ['DEFAULT', 'page'].map((code) => ({
      ...{ code, reportOutputType: 'CSV', isDefault: code === 'DEFAULT', name: `${code}.csv` },
      content: expect.stringContaining(code),
    })),
  });
});

test('the stored report with the code gets a new state, and templates with the same codes keep their ids', async () => {
  const templates = [
    { id: 't1', code: 'page' },
    { id: 't2', code: 'gone' },
  ];
  const stored = { id: 'r1', code: 'open-orders', templates };
  const { id, sent, written, body } = await importWith(ARCHIVE, { reports: [stored] });
  expect(id).toBe('r1');
  expect(written.map(({ method, path }) => `${method} ${path.split('?')[0]}`)).toEqual([
    'PUT /rest/entities/report_Report/r1',
  ]);
  expect(body.templates).toEqual([
    expect.not.objectContaining({ id: expect.anything() }),
    expect.objectContaining({ id: 't1', code: 'page' }),
  ]);
  expect(JSON.stringify(sent.map(({ body }) => body))).toContain(
    '"property":"code","operator":"=","value":"open-orders"',
  );
});

test('a report without a code is known by its name, and a group that the user does not see is left out', async () => {
  const { sent, written } = await importWith({ ...ARCHIVE, code: null }, {});
  expect(JSON.stringify(sent.map(({ body }) => body))).toContain(
    '"property":"name","operator":"=","value":"Open orders"',
  );
  expect(written[0]?.body).not.toHaveProperty('group');
});

test('a stored report whose templates the user does not see gets new ones', async () => {
  const { body } = await importWith(ARCHIVE, { reports: [{ id: 'r1', code: 'open-orders' }] });
  expect(body.templates).toHaveLength(2);
});

test('a file that is no archive changes nothing', async () => {
  const { client, sent } = recordingClient(() => ({}));
  await expect(importReport(client, new Blob(['x']))).rejects.toThrow('zip');
  expect(sent).toEqual([]);
});
