import { createConnection } from '../connection/create-connection.ts';
import type { FetchLike } from '../platform.ts';
import { createReportClient } from './create-report-client.ts';

test('a document that is left while it is read rejects with the reason of the signal', async () => {
  const fetch: FetchLike = async (_url, { signal }) =>
    new Response(
      new ReadableStream({
        start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason)),
      }),
    );
  const leaving = new AbortController();
  const reports = createReportClient(createConnection({ baseUrl: 'http://server', fetch }));
  const reading = (await reports.run('r', { signal: leaving.signal })).text();
  leaving.abort('left');
  await expect(reading).rejects.toBe('left');
});

test('a report is run by its code or id, or as one of its versions', async () => {
  const paths: string[] = [];
  const fetch: FetchLike = async (url) => {
    paths.push(new URL(url).pathname);
    return new Response('');
  };
  const reports = createReportClient(createConnection({ baseUrl: 'http://server', fetch }));
  for (const report of ['r', { id: 'i' }, { id: 'i', version: 3 }]) await reports.run(report);
  expect(paths).toEqual(['run/code/r', 'run/i', 'report/i/versions/3/run'].map((path) => `/rest/reports/${path}`));
});
