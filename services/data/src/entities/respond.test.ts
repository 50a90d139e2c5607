import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RoutedRequest } from '@lintel/http';
import type { RowBatch } from '@lintel/reading';
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

/** The body of the response to a streamed list of these batches. */
async function bodyOf(batches: readonly RowBatch[]): Promise<string> {
  const request = new IncomingMessage(new Socket());
  request.method = 'GET';
  const response = new ServerResponse(request);
  const parts: Buffer[] = [];
  const note = (part: unknown, encoding: BufferEncoding | undefined): void => {
    if (typeof part === 'string') parts.push(Buffer.from(part, encoding));
  };
  Object.assign(response, {
    write: (part: string, encoding: BufferEncoding) => {
      note(part, encoding);
      return true;
    },
    end: (part?: string) => note(part, undefined),
  });
  async function* rows(): AsyncGenerator<RowBatch> {
    yield* batches;
  }
  const result = { kind: 'stream', batches: rows(), appliedCount: undefined, total: 7, next: undefined } as const;
  await respondRead(request as RoutedRequest, response, result);
  return Buffer.concat(parts).toString();
}

test.each([
  ['no rows', []],
  ['one row', [['{"a":"é😀"}']]],
  ['batches', [['{"a":1}', '{"a":"ä"}'], ['{"a":2}'], [`{"a":"${'é'.repeat(100_000)}"}`, '{}']]],
])('rows as bytes give the same body as their texts: %s', async (_, batches) => {
  const joined = batches.map((texts) => ({
    pieces: texts.map((text) => `,${Buffer.from(text).toString('latin1')}`),
    lengths: texts.map((text) => Buffer.byteLength(text)),
  }));
  const body = await bodyOf(batches);
  expect(body).toBe(`[${batches.flat().join(',')}]`);
  expect(await bodyOf(joined)).toBe(body);
});
