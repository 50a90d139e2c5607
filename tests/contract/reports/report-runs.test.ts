import { setTimeout as sleep } from 'node:timers/promises';
import { as, type Response, send } from '../api.ts';

const YEAR = {
  template: 'csv',
  parameters: [
    { name: 'from', value: '2026-01-01' },
    { name: 'to', value: '2026-12-31' },
  ],
};
const RUN = '/reports/run/code/sales-by-customer';

const begin = (body: unknown = YEAR, user = 'manager', path = RUN): Promise<Response> =>
  as(user, 'POST', path, { body, headers: { prefer: 'respond-async' } });

/** The run when it has ended. */
async function ended(id: string, user = 'manager') {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const response = await as(user, 'GET', `/reports/runs/${id}`);
    expect(response.status).toBe(200);
    const run = response.json();
    if (run.status !== 'QUEUED' && run.status !== 'RUNNING') return run;
    expect(response.headers.get('retry-after')).toBe('1');
    await sleep(100);
  }
  throw new Error('The run did not end within 30 seconds');
}

describe('report runs in the background (Prefer: respond-async)', () => {
  // Asserts contract/reports.md#background.
  test('the runs of the caller are listed, the newest first, and no others', async () => {
    const first = (await begin()).json();
    const second = (await begin()).json();
    const list = await as('manager', 'GET', '/reports/runs');
    expect([list.status, list.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const ids = list.json().map(({ id }: { id: string }) => id);
    expect(ids.filter((id: string) => [first.id, second.id].includes(id))).toEqual([second.id, first.id]);
    expect(list.json()[0]).toMatchObject({ report: { code: 'sales-by-customer' }, status: expect.any(String) });
    const others = (await as('admin', 'GET', '/reports/runs')).json();
    expect(others.filter(({ id }: { id: string }) => id === first.id)).toEqual([]);
    for (const { id } of [first, second]) await ended(id);
  });

  test('a run is accepted and reported, and its document is the one that a client that waits gets', async () => {
    const accepted = await begin();
    expect(accepted.status).toBe(202);
    expect(accepted.headers.get('preference-applied')).toBe('respond-async');
    const { id, ...about } = accepted.json();
    expect(accepted.headers.get('location')).toBe(`/rest/reports/runs/${id}`);
    expect(about).toMatchObject({
      report: { id: expect.any(String), code: 'sales-by-customer', name: expect.any(String) },
      template: expect.any(String),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const run = await ended(id);
    expect(run).toMatchObject({ status: 'SUCCEEDED', progress: { rows: expect.any(Number) } });
    expect(run.progress.rows).toBeGreaterThan(30);
    const { fileRef, name, contentType, size } = run.result;
    const document = await as('manager', 'GET', `/files?fileRef=${encodeURIComponent(fileRef)}`);
    const direct = await as('manager', 'POST', RUN, { body: YEAR });
    expect([document.status, document.text]).toEqual([200, direct.text]);
    expect(contentType).toBe(direct.headers.get('content-type'));
    expect(size).toBe(Buffer.byteLength(direct.text));
    expect(name).toMatch(/\.csv$/);
  });

  test('a run is its user’s alone', async () => {
    const { id } = (await begin()).json();
    for (const method of ['GET', 'DELETE']) {
      const other = await as('admin', method, `/reports/runs/${id}`);
      expect([other.status, other.json()]).toEqual([
        404,
        { error: 'Report run not found', details: `Report run ${id} not found` },
      ]);
    }
    expect((await send('GET', `/rest/reports/runs/${id}`)).status).toBe(401);
    expect((await as('clerk', 'GET', `/reports/runs/${id}`)).status).toBe(403);
    expect((await ended(id)).status).toBe('SUCCEEDED');
  });

  test.each([
    ['a body that is no JSON', '{', 400, 'Invalid JSON body'],
    ['an unknown template', { ...YEAR, template: 'none' }, 400, 'Template not found'],
    ['a missing parameter', {}, 400, 'Run report error'],
    ['a date that is none', { parameters: [{ name: 'from', value: '31.12.2026' }] }, 400, 'Invalid parameter value'],
  ])('%s is refused at once', async (_case, body, status, error) => {
    const response = await begin(body);
    expect([response.status, response.json().error]).toEqual([status, error]);
    expect(response.headers.get('location')).toBeNull();
  });

  test('a run that waits or runs is cancelled, one that has ended is not', async () => {
    const { id } = (await begin()).json();
    const cancelled = await as('manager', 'DELETE', `/reports/runs/${id}`);
    const run = await ended(id);
    if (cancelled.status === 409) expect(run.status).toBe('SUCCEEDED');
    else {
      expect(cancelled.status).toBe(204);
      expect([run.status, run.result]).toEqual(['CANCELLED', undefined]);
      expect((await as('manager', 'DELETE', `/reports/runs/${id}`)).status).toBe(204);
    }
    const { id: done } = (await begin()).json();
    await ended(done);
    const late = await as('manager', 'DELETE', `/reports/runs/${done}`);
    expect([late.status, late.json().error]).toEqual([409, 'Report run has ended']);
  });

  test.each([['nothing'], ['00000000-0000-4000-8000-000000000000'], ["'; --"]])(
    'an unknown run %s returns 404',
    async (id) => {
      const response = await as('manager', 'GET', `/reports/runs/${encodeURIComponent(id)}`);
      expect([response.status, response.json().error]).toEqual([404, 'Report run not found']);
    },
  );

  test('methods that a run does not have return 405', async () => {
    const response = await as('manager', 'POST', '/reports/runs/00000000-0000-4000-8000-000000000000');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, OPTIONS']);
  });
});
