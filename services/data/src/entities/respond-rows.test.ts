import { EventEmitter } from 'node:events';
import type { Response } from 'express';
import { respondList } from './respond-rows.ts';

/** A response whose client reads only on request. */
function startResponse() {
  const events = new EventEmitter();
  const pieces: string[] = [];
  const headers = new Map<string, unknown>();
  const response = Object.assign(events, {
    destroyed: false,
    req: { method: 'GET' },
    setHeader: (name: string, value: unknown) => headers.set(name, value),
    write(piece: string) {
      pieces.push(piece);
      return false;
    },
    end(piece?: string) {
      if (piece !== undefined) pieces.push(piece);
    },
  });
  const drain = async (): Promise<void> => {
    while (events.listenerCount('drain') > 0) {
      events.emit('drain');
      await new Promise(setImmediate);
    }
  };
  return { response: response as unknown as Response, pieces, headers, drain };
}

const row = (characters: number, character = 'x'): string => `{"a":"${character.repeat(characters)}"}`;

test.each([
  ['none', []],
  ['small rows', Array.from({ length: 2_000 }, () => row(100))],
  ['one large row', [row(1_000_000)]],
  ['a large row between small ones', [row(10), row(300_000), row(10)]],
  ['characters of two code units', [row(100_001, '😀'), row(40_000, 'é😀')]],
])('a list is sent in pieces that fit into memory: %s', async (_, rows) => {
  const { response, pieces, headers, drain } = startResponse();
  const sending = respondList(response, rows);
  await drain();
  await sending;
  const text = `[${rows.join(',')}]`;
  expect(pieces.join('')).toBe(text);
  expect(headers.get('Content-Length')).toBe(Buffer.byteLength(text));
  for (const piece of pieces) {
    expect(piece.length).toBeLessThanOrEqual(40_000);
    // No character is split.
    expect(Buffer.from(piece).toString()).toBe(piece);
  }
});

test('the rows wait for a slow client', async () => {
  const { response, pieces, drain } = startResponse();
  const sending = respondList(response, [row(1_000_000)]);
  await new Promise(setImmediate);
  expect(pieces).toHaveLength(1);
  await drain();
  await sending;
  expect(pieces.length).toBeGreaterThan(30);
});

test('nothing more is sent after the client has disconnected', async () => {
  const { response, pieces } = startResponse();
  const sending = respondList(response, [row(1_000_000)]);
  await new Promise(setImmediate);
  Object.assign(response, { destroyed: true });
  response.emit('close');
  await sending;
  expect(pieces).toHaveLength(1);
});
