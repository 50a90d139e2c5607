import { ReportFailure } from '@lintel/documents';
import { buildModel } from '@lintel/metadata';
import { nextIteration } from '@lintel/timing';
import { startReports, UNCODED_ID } from '../../test/reports-fixture.ts';
import { loadStored } from '../definitions/stored-reports.ts';

// Asserts contract/reports.md#copy.
test('copies wait for a slot of a run', async () => {
  let running = 0;
  let maximum = 0;
  const server = await startReports(() => {}, {
    copies: {
      documents: {
        store: async ({ name, contentType }) => {
          running += 1;
          maximum = Math.max(maximum, running);
          for (let at = 0; at < 100; at += 1) await nextIteration();
          running -= 1;
          return { fileRef: `fs://2026/11/21/1?name=${name}`, name, contentType, size: 1 };
        },
        remove: async () => {},
      },
      writeReport: async () => ({ status: 201, body: { id: UNCODED_ID } }),
    },
  });
  const copy = async (): Promise<number> => {
    const headers = { authorization: 'Bearer editor' };
    const body = JSON.stringify({ name: 'Copy' });
    const path = `/rest/reports/report/${UNCODED_ID}/copy`;
    return (await fetch(`${server.url}${path}`, { method: 'POST', headers, body })).status;
  };
  const statuses = await Promise.all(Array.from({ length: 20 }, copy));
  await server.close();
  expect(new Set(statuses)).toEqual(new Set([201]));
  expect(maximum).toBeLessThanOrEqual(8);
});

const STORED = loadStored(
  {
    id: '7f0f6f0e-6a4f-4a52-9a07-0c3f6d1e7b21',
    ...{ name: 'Stored', code: 'stored', group: null, restAccess: true, definition: '{"bands":[{"name":"A"}]}' },
    templates: [
      { code: 'T', outputType: 80, isDefault: true, name: 'a.csv', content: 'fs://a', outputNamePattern: null },
    ],
  },
  { model: buildModel({ entities: [] }), resourceRoles: new Map() },
);

/** Copies the stored report; `events` has each piece that was read and stored. */
async function copyStored(
  body: object,
  failure?: Error,
): Promise<{ readonly response: Response; readonly events: readonly string[] }> {
  const events: string[] = [];
  const server = await startReports(() => {}, {
    storedReports: () => ({ reports: [STORED], groups: [] }),
    files: {
      read: () => Promise.reject(new Error('files are streamed')),
      stream: async function* (fileRef) {
        if (failure !== undefined) throw failure;
        for (const piece of ['1', '2']) {
          events.push(`read ${fileRef} ${piece}`);
          yield Buffer.from(piece);
        }
      },
    },
    copies: {
      documents: {
        store: async ({ name, contentType, content }) => {
          for await (const piece of content) events.push(`store ${piece}`);
          return { fileRef: 'fs://b', name, contentType, size: 2 };
        },
        remove: async () => {},
      },
      writeReport: async (_report, token) => {
        events.push(`save with ${token.split(' ', 2).join(' ')}`);
        return { status: 201, body: { id: UNCODED_ID } };
      },
    },
  });
  const headers = { authorization: 'Bearer editor' };
  const path = `/rest/reports/report/${STORED.definition.id}/copy`;
  const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  await server.close();
  return { response, events };
}

test('a file of a copy is stored while it is read, and the report is saved with a token of the service', async () => {
  const { response, events } = await copyStored({ name: 'Copy' });
  expect(response.status).toBe(201);
  expect(events).toEqual(['read fs://a 1', 'store 1', 'read fs://a 2', 'store 2', 'save with editor for']);
});

test('a copy of a template whose file is missing returns 400 with the code of the template', async () => {
  const { response } = await copyStored({ name: 'Copy' }, new ReportFailure('There is no file'));
  expect([response.status, await response.json()]).toEqual([
    400,
    { error: 'Run report error', details: 'Template T: There is no file' },
  ]);
});

// Asserts contract/reports.md#copy.
test.each([{ name: 'Stored' }, { name: 'Copy', code: 'stored' }])(
  'a copy with the taken name or code of %j is refused before files are stored',
  async (body) => {
    const { response, events } = await copyStored(body);
    const attribute = body.code === undefined ? 'name' : 'code';
    expect([response.status, await response.json(), events]).toEqual([
      409,
      {
        error: 'Unique constraint violation',
        details: `Entity report_Report: another instance has the same ${attribute}`,
      },
      [],
    ]);
  },
);
