import { randomUUID } from 'node:crypto';
import { createInProcessBus } from '@lintel/events';
import type { RunningServer } from '@lintel/http';
import { createDatabase, type Database } from '@lintel/persistence';
import { runMigrations } from '@lintel/schema';
import { createLogger } from '@lintel/telemetry';
import { cloneTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import { startReports, UNCODED_ID } from '../test/reports-fixture.ts';
import { createRunStore } from './background/create-run-store.ts';
import type { DocumentStore } from './files/document-store.ts';
import { createExecutionHistory } from './history/create-execution-history.ts';

const logger = createLogger({ service: 'reports', destination: { write: () => {} } });
const documents: DocumentStore = {
  async store({ name, contentType, content }) {
    const size = Buffer.concat((await Array.fromAsync(content)).map((piece) => Buffer.from(piece))).length;
    return { fileRef: `fs://uncoded?name=${name}`, name, contentType, size };
  },
  remove: async () => {},
};

describe('a report without a code (contract/reports.md#report-info, contract/decisions.md#65)', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let server: RunningServer;

  beforeAll(async () => {
    testDatabase = await cloneTestDatabase(
      { key: 'platform', build: (url) => runMigrations({ url, migrations: [] }) },
      'report_uncoded',
    );
    database = createDatabase({
      url: testDatabase.url,
      maxConnections: 3,
      statementTimeoutMs: 60_000,
      applicationName: 'report-uncoded-test',
    });
    server = await startReports(() => {}, {
      newId: randomUUID,
      history: createExecutionHistory({
        database,
        documents,
        newId: randomUUID,
        logger,
        savesDocuments: false,
        maxDays: 0,
        maxPerReport: 0,
      }),
      background: { store: createRunStore(database), bus: createInProcessBus({ logger }), documents },
    });
  });
  afterAll(async () => {
    await server?.close();
    await database?.close();
    await testDatabase?.drop();
  });

  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}/rest/reports${path}`, {
      ...init,
      headers: { authorization: 'Bearer user', ...(init.headers as Record<string, string>) },
    });

  // Asserts contract/decisions.md#65, contract/reports.md#report-info.
  test('is listed and described without the member', async () => {
    const info = {
      id: UNCODED_ID,
      name: 'Uncoded',
      templates: [{ code: 'DEFAULT', outputType: 'CSV', default: true }],
      inputParameters: [],
    };
    const listed = (await (await call('/report')).json()) as readonly { readonly id: string }[];
    expect(listed.find(({ id }) => id === UNCODED_ID)).toEqual(info);
    expect(await (await call(`/report/${UNCODED_ID}`)).json()).toEqual(info);
  });

  // Asserts contract/decisions.md#65, contract/reports.md#report-info.
  test('is run by its id, and by no code; its executions have none', async () => {
    const run = await call(`/run/${UNCODED_ID}`, { method: 'POST' });
    expect([run.status, await run.text()]).toEqual([200, expect.stringContaining('"Name","Price","Grade"')]);
    for (const code of [UNCODED_ID, 'undefined', 'null'])
      expect((await call(`/run/code/${code}`, { method: 'POST' })).status).toBe(404);
    await eventually(async () =>
      expect(await testDatabase.query('SELECT report_name, report_code, success FROM report.report_execution')).toEqual(
        [{ report_name: 'Uncoded', report_code: null, success: true }],
      ),
    );
  });

  // Asserts contract/decisions.md#65, contract/reports.md#report-info.
  test('is run without its client', async () => {
    const accepted = await call(`/run/${UNCODED_ID}`, { method: 'POST', headers: { prefer: 'respond-async' } });
    expect(accepted.status).toBe(202);
    const { id, report } = (await accepted.json()) as { readonly id: string; readonly report: object };
    expect(report).toEqual({ id: UNCODED_ID, name: 'Uncoded' });
    await eventually(async () =>
      expect(await (await call(`/runs/${id}`)).json()).toMatchObject({ status: 'SUCCEEDED', report }),
    );
  });
});
