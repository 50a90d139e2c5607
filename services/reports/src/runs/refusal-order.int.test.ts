import { randomUUID } from 'node:crypto';
import { createInProcessBus } from '@lintel/events';
import type { RunningServer } from '@lintel/http';
import { createLogger } from '@lintel/telemetry';
import { SALES_ID, startReports } from '../../test/reports-fixture.ts';
import type { BackgroundRunsPorts } from '../background/create-background-runs.ts';

/** Fails the test where it is asked. */
const unasked = (): never => {
  throw new Error('The caller has no right to reports: nothing is to be looked for');
};
const FORBIDDEN = {
  error: 'Forbidden',
  details: 'User is not allowed to use reports: the permission reports.rest.enabled is missing',
};
const reading = (entity: string) => ({ error: 'Reading forbidden', details: `Reading of the ${entity} is forbidden` });

describe('rights come before the existence of what is named (contract/decisions.md#69)', () => {
  let server: RunningServer;

  beforeAll(async () => {
    const background = {
      store: { find: unasked, cancel: unasked, add: unasked, recover: async () => [], prune: async () => {} },
      bus: createInProcessBus({ logger: createLogger({ service: 'reports', destination: { write: () => {} } }) }),
      documents: { store: unasked, remove: unasked },
    } as unknown as BackgroundRunsPorts;
    server = await startReports(unasked, { storedReports: unasked, readVersion: unasked, background });
  });
  afterAll(() => server.close());

  const UNKNOWN = randomUUID();
  // Asserts contract/decisions.md#39, contract/decisions.md#69, contract/reports.md#check-order,
  // contract/reports.md#visibility.
  test.each([
    ['GET', '/report', 'report_Report'],
    ['GET', `/report/${SALES_ID}`, 'report_Report'],
    ['GET', `/report/${UNKNOWN}`, 'report_Report'],
    ['GET', '/report/x', 'report_Report'],
    ['GET', `/group/${UNKNOWN}`, 'report_ReportGroup'],
    ['GET', '/group/x', 'report_ReportGroup'],
    ['GET', `/report/${SALES_ID}/versions/1`, 'report_Report'],
    ['POST', `/report/${SALES_ID}/versions/1/data`, 'report_Report'],
    ['POST', `/report/${SALES_ID}/versions/1/run`, 'report_Report'],
    ['POST', `/run/${SALES_ID}`, 'report_Report'],
    ['POST', `/run/${UNKNOWN}`, 'report_Report'],
    ['POST', '/run/x', 'report_Report'],
    ['POST', '/run/code/sales', 'report_Report'],
    ['POST', '/run/code/unknown', 'report_Report'],
    ['GET', `/runs/${UNKNOWN}`, 'report_Report'],
    ['GET', '/runs/x', 'report_Report'],
    ['DELETE', `/runs/${UNKNOWN}`, 'report_Report'],
  ])('%s %s is the same 403, whatever there is', async (method, path, entity) => {
    for (const [token, expected] of [
      ['minimal', FORBIDDEN],
      ['no-list', reading(entity)],
    ] as const) {
      const response = await fetch(`${server.url}/rest/reports${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(method === 'POST' && { body: '{' }),
      });
      expect([response.status, await response.json()]).toEqual([403, expected]);
    }
  });

  // Asserts contract/decisions.md#69.
  test.each([
    ['GET', '/unknown'],
    ['PUT', '/report'],
    ['GET', '/docs/unknown'],
  ])('%s %s, which no route is, returns 403 without the right to the API', async (method, path) => {
    const headers = { authorization: 'Bearer minimal' };
    const response = await fetch(`${server.url}/rest/reports${path}`, { method, headers });
    expect([response.status, await response.json()]).toEqual([403, FORBIDDEN]);
  });
});
