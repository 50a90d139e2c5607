import { setImmediate } from 'node:timers/promises';
import type { DocumentPiece } from '@lintel/documents';
import { DocumentSpool } from './document-spool.ts';
import { SpoolSpace } from './spool-space.ts';

const MEBIBYTE = 1024 * 1024;
const logger = { warn: () => {} };
const spoolOf = (space = new SpoolSpace(100 * MEBIBYTE), caller = 'a') =>
  new DocumentSpool({ space, caller, isBegun: () => true, logger });
const piece = (number: number, length = 100_000): Buffer => Buffer.alloc(length, number);

/** `made` counts pieces; `isOver` is true when the making ended, however. */
function pieces(count: number, length?: number) {
  const state = { made: 0, isOver: false };
  async function* make(): AsyncGenerator<DocumentPiece> {
    try {
      for (; state.made < count; state.made += 1) yield piece(state.made % 256, length);
    } finally {
      state.isOver = true;
    }
  }
  return { state, content: make() };
}
const whole = async (spool: DocumentSpool): Promise<Buffer> => Buffer.concat(await Array.fromAsync(spool.read()));
const expected = (count: number, length?: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, number) => piece(number % 256, length)));
/** Long enough for everything that does not wait. */
async function settled(): Promise<void> {
  for (let round = 0; round < 200; round += 1) await setImmediate();
}

test('a document is rendered to its end before anything is read, and is read whole', async () => {
  const spool = spoolOf();
  const { content, state } = pieces(300);
  await spool.fill(content);
  expect(state.isOver).toBe(true);
  expect((await whole(spool)).equals(expected(300))).toBe(true);
  await spool.close();
});

test.each([
  [2_000, 3_000],
  [40, 1_000_000],
])('a document of %d pieces of %d bytes that is read meanwhile is the same', async (count, length) => {
  const spool = spoolOf();
  const filled = spool.fill(pieces(count, length).content);
  expect((await whole(spool)).equals(expected(count, length))).toBe(true);
  await filled;
  await spool.close();
});

test('a document that fails in its frame, or before it has 64 KiB, begins with the error', async () => {
  for (const [length, begins] of [
    [300_000, false],
    [30_000, true],
  ] as const) {
    const spool = new DocumentSpool({ space: new SpoolSpace(MEBIBYTE), caller: 'a', isBegun: () => begins, logger });
    const filled = spool.fill(
      (async function* () {
        yield piece(1, length);
        await settled();
        throw new Error('no data');
      })(),
    );
    await expect(spool.read().next()).rejects.toThrow('no data');
    await filled;
    await spool.close();
  }
});

test('a frame for which there is no space is read before its rows', async () => {
  const spool = new DocumentSpool({ space: new SpoolSpace(0), caller: 'a', isBegun: () => false, logger });
  const filled = spool.fill(pieces(5).content);
  expect((await whole(spool)).equals(expected(5))).toBe(true);
  await filled;
  await spool.close();
});

test('text is UTF-8', async () => {
  const spool = spoolOf();
  await spool.fill(
    (async function* () {
      yield 'ä';
      yield 'ö'.repeat(300_000);
    })(),
  );
  expect((await whole(spool)).toString()).toBe(`ä${'ö'.repeat(300_000)}`);
  await spool.close();
});

test('without space rendering waits for the reader', async () => {
  const spool = spoolOf(new SpoolSpace(MEBIBYTE));
  const { content, state } = pieces(300);
  const filled = spool.fill(content);
  await settled();
  expect(state.isOver).toBe(false);
  expect(state.made).toBeLessThan(20);
  expect((await whole(spool)).equals(expected(300))).toBe(true);
  await filled;
  await spool.close();
});

test('a piece that is larger than the space waits for those before it only', async () => {
  const spool = spoolOf(new SpoolSpace(1));
  const filled = spool.fill(pieces(3, MEBIBYTE).content);
  expect((await whole(spool)).equals(expected(3, MEBIBYTE))).toBe(true);
  await filled;
});

test('a reader that leaves ends the rendering and frees the space', async () => {
  const space = new SpoolSpace(2 * MEBIBYTE);
  const spool = spoolOf(space);
  const { content, state } = pieces(300);
  const filled = spool.fill(content);
  await spool.read().next();
  await settled();
  await spool.close();
  await filled;
  expect(state.isOver).toBe(true);
  expect(space.take('b', MEBIBYTE)).toBe(true);
});

test('an error of rendering is thrown to the reader', async () => {
  const spool = spoolOf();
  async function* broken(): AsyncGenerator<DocumentPiece> {
    yield 'a';
    throw new Error('too many');
  }
  await spool.fill(broken());
  await expect(spool.read().next()).rejects.toThrow('too many');
  await spool.close();
});

test('a caller leaves as much space free as it uses', () => {
  const space = new SpoolSpace(100);
  expect([space.take('a', 50), space.take('a', 1), space.take('b', 25), space.take('b', 1)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  space.release('a', 50);
  expect([space.take('b', 12), space.take('a', 32), space.take('a', 1)]).toEqual([true, true, false]);
});
