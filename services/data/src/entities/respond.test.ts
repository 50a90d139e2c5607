import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { respondRead } from './respond.ts';

/** A streamed list that notes how far it was read, and whether its reader left it. */
function listOf(batches: number) {
  const seen = { read: 0, isLeft: false };
  async function* rows(): AsyncGenerator<readonly string[]> {
    try {
      for (; seen.read < batches; seen.read += 1) yield ['{}'];
    } finally {
      seen.isLeft = true;
    }
  }
  return {
    seen,
    answer: { kind: 'stream', batches: rows(), appliedCount: undefined, total: 7, next: undefined },
  } as const;
}

test('HEAD of a streamed list is answered with its first rows: nobody waits for the last', async () => {
  const request = new IncomingMessage(new Socket());
  request.method = 'HEAD';
  const response = new ServerResponse(request);
  const { seen, answer } = listOf(1_000);
  await respondRead(request as Request, response as Response, answer);
  expect(response.writableEnded).toBe(true);
  expect(response.getHeaders()).toMatchObject({ 'content-type': 'application/json', 'x-total-count': '7' });
  expect(seen).toEqual({ read: 0, isLeft: true });
});
