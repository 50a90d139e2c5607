import { createConnection } from '../connection/create-connection.ts';
import type { FetchLike } from '../connection/platform.ts';
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
