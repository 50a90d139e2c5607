import type { RowPosition } from '@lintel/query';
import { fc } from '@lintel/testkit/properties';
import { createCursorCodec } from './create-cursor-codec.ts';

const ids = { next: () => crypto.randomUUID() };
const codec = createCursorCodec({ secret: 'one', ids });
const position: RowPosition = { order: 'abc', values: ['Ännchen', null, '10.50'] };

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'none';
};

test('every position comes back as it was, with any values', () => {
  const values = fc.array(fc.option(fc.string({ unit: 'grapheme' }), { nil: null }));
  fc.assert(
    fc.property(values, fc.string(), (each, scope) => {
      expect(codec.decode(codec.encode({ order: 'o', values: each }, scope), scope)).toEqual({
        order: 'o',
        values: each,
      });
    }),
  );
});

test('a cursor reveals nothing, has only characters that a URL keeps, and is new each time', () => {
  const [one, other] = [codec.encode(position, 's'), codec.encode(position, 's')];
  expect(one).not.toBe(other);
  expect(one).toMatch(/^[\w-]+$/);
  expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain('10.50');
});

test('cursors do not reveal how many others were made between them', () => {
  const nonces = Array.from({ length: 50 }, () =>
    Buffer.from(codec.encode(position, 's'), 'base64url').subarray(17, 29),
  );
  expect(new Set(nonces.map((nonce) => nonce.toString('hex'))).size).toBe(50);
  // Every byte of a counter but the last would be the same in nearly all of them.
  for (let at = 0; at < 12; at += 1) expect(new Set(nonces.map((nonce) => nonce[at])).size).toBeGreaterThan(10);
});

test('a key seals as often as it may, then there is another; what was sealed before is opened all the same', () => {
  const short = createCursorCodec({ secret: 'one', ids, maxEncryptions: 2 });
  const cursors = Array.from({ length: 5 }, () => short.encode(position, 's'));
  const salts = cursors.map((cursor) => Buffer.from(cursor, 'base64url').toString('hex', 1, 17));
  expect(salts.map((salt) => salts.indexOf(salt))).toEqual([0, 0, 2, 2, 4]);
  for (const cursor of cursors) expect(short.decode(cursor, 's')).toEqual(position);
});

test('another process with the same secret opens it, one with another secret does not', () => {
  const cursor = codec.encode(position, 's');
  expect(createCursorCodec({ secret: 'one', ids }).decode(cursor, 's')).toEqual(position);
  const foreign = createCursorCodec({ secret: 'two', ids });
  expect(codeOf(() => foreign.decode(cursor, 's'))).toBe('REQ_INVALID_CURSOR');
});

test('a cursor of another scope, a changed one and one that is none are refused', () => {
  const cursor = codec.encode(position, 's');
  const bytes = Buffer.from(cursor, 'base64url');
  const changed = [...bytes.keys()].map((at) => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy.toString('base64url');
  });
  const cut = [0, 1, 20, bytes.length - 1].map((length) => bytes.subarray(0, length).toString('base64url'));
  for (const wrong of [...changed, ...cut, 'x', '%', 'offset']) {
    expect([wrong, codeOf(() => codec.decode(wrong, 's'))]).toEqual([wrong, 'REQ_INVALID_CURSOR']);
  }
  expect(codeOf(() => codec.decode(cursor, 't'))).toBe('REQ_INVALID_CURSOR');
});
