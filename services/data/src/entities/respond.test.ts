import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RoutedRequest } from '@lintel/http';
import { respondRead } from './respond.ts';

/** A streamed list that records how many batches were read, and whether it was closed. */
function listOf(batches: number) {
  const seen = { read: 0, isClosed: false };
  async function* rows(): AsyncGenerator<readonly string[]> {
    try {
      for (; seen.read < batches; seen.read += 1) yield ['{}'];
    } finally {
      seen.isClosed = true;
    }
  }
  return {
    seen,
    result: { kind: 'stream', batches: rows(), appliedCount: undefined, total: 7, next: undefined },
  } as const;
}

test('the response to HEAD of a streamed list is sent with the first rows, without reading the others', async () => {
  const request = new IncomingMessage(new Socket());
  request.method = 'HEAD';
  const response = new ServerResponse(request);
  const { seen, result } = listOf(1_000);
  await respondRead(request as RoutedRequest, response, result);
  expect(response.writableEnded).toBe(true);
  expect(response.getHeaders()).toMatchObject({ 'content-type': 'application/json', 'x-total-count': '7' });
  expect(seen).toEqual({ read: 0, isClosed: true });
});
